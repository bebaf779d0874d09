"""Charts: pure functions from rows to Vega-Lite documents, and how these are coloured and rendered.

lines, grids, bars (what is shown) -> theme (colours, light and dark) -> rendering (SVG, in a
process of its own). The documents name no colour, so that whoever shows them elsewhere colours
them too; `by_address` they hold no rows and load them from there.
"""

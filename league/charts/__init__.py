"""Charts: pure functions from rows to Vega-Lite documents, and how these are dressed and drawn.

lines, grids, bars (what is shown) -> looks (colours, light and dark) -> pencil (SVG, in a process
of its own). The documents name no colour, so that whoever shows them elsewhere dresses them too;
`by_address` they hold no rows and load them from there.
"""

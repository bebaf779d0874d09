"""Charts: pure functions that turn rows into Vega-Lite documents, and their colouring and
rendering.

vega (lines, grids, bars and theme colours) -> catalog (all charts) -> rendering (SVG, in a separate
process). The documents contain no colours, so that other viewers can choose their own. With
`by_address` they contain no rows and load them from a URL.
"""

"""Charts: documents, colours and rendering. Pure functions turn rows into Vega-Lite documents.

vega (lines, grids, bars and theme colours) -> catalog (all charts) -> rendering (SVG, in a separate
process). The documents contain no colours, so other viewers can choose their own. With
`by_address`, documents load their rows from a URL.
"""

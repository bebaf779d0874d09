"""Charts: pure functions from rows to Vega-Lite documents, and how these are coloured and rendered.

vega (lines, grids, bars, and the colours of themes) -> catalog (all charts) -> rendering (SVG, in a
separate process). The documents name no colours, so that other viewers can choose their own. With
`by_address` they contain no rows and load them from that address.
"""

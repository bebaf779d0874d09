"""Season stats: facts of hands, sums of facts, and the figures that are read from the sums.

facts (pure) -> tallies (pure) -> counting (one hand at a time) or rebuilding (from nothing)
-> seasons, players, games, records, points (read). `exporting` and `importing` carry a season.
"""

"""Season statistics: facts about each hand, nightly sums, and figures read from the sums.

recorded_hands -> facts -> sums -> figures (`count` runs all steps except the last)
"""

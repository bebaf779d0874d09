"""Season statistics: facts of each hand, nightly sums of the facts, and figures read from the sums.

recorded_hands -> facts -> sums -> figures (`count` runs all steps but the last)
"""

"""Season stats: facts of hands, sums of facts by night, and figures that are read from the sums.

recorded_hands -> facts -> sums (count runs these steps) -> figures
"""

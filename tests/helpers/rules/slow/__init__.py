"""A second reading of games and hands: slow, plain, and of no code of the engine's.

Cards are texts, strengths are tuples, every choice is written out and every card that a wild one
may stand for is tried. Where it says something else than the engine, one of them is wrong.
"""

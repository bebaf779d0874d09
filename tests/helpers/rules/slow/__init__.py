"""A second implementation of games and hands: slow, simple, and without code of the engine.

Cards are strings and strengths are tuples. Every choice is tried, and every card that a wild card
may represent. If the result differs from the engine's, one of the two is wrong.
"""

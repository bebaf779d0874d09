"""A second implementation of games and hands: slow, plain, and without code of the engine.

Cards are texts, strengths are tuples, every choice is written out, and every card that a wild one
may represent is tried. If it differs from the engine, one of them is wrong.
"""

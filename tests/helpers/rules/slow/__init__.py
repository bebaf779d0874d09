"""A second, simple and slow implementation of games and hands that shares no engine code.

Cards are strings and strengths are tuples. Every choice is tried, and so is every card that a wild
card may represent. If the result differs from the engine's, one of the two is wrong.
"""

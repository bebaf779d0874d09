"""A night told again for a chat: who won it, its hand, who is up in the season; text and picture.

What waits to be sent stands in tables of `league.chat`.
"""

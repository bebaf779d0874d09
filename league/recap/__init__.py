"""A night told again for a chat: who won it, its hand, who is up in the season; text and picture.

Posts that wait to be sent are rows of `ChatPost`.
"""

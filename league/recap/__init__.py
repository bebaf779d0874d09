"""A night's recap for a chat, as text and picture: results, best hand and standings.

Posts that are waiting to be sent are rows of `ChatPost`.
"""

"""The recap of a night for a chat, as text and picture: results, best hand and standings.

Posts that wait to be sent are rows of `ChatPost`.
"""

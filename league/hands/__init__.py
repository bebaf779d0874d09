"""Hands: settled, posted, compared with others, verified and shown."""

"""Hands: record, correct, void, check, import, share."""

"""Hands: record, correct, take back, check, import, share."""

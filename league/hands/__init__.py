"""Settle, post, compare, verify and show hands."""

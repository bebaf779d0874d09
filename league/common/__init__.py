"""Utilities for all parts of the league: errors, text, money, tokens."""

"""Matches: games of several deals, read from the hands of a night (docs/record.md)."""

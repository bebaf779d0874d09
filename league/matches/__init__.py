"""Matches: games that live over several deals, read from the hands of a night (docs/record.md)."""

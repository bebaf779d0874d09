"""Imports of hands from files: read, fit to the league, and record each hand once."""

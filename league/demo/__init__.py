"""Demonstration leagues with one night or a whole season."""

"""Tournaments of a night, and what happened there."""

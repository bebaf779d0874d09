"""Seasons: standings, and a season as one file."""

"""Seasons, players and games in figures and charts."""

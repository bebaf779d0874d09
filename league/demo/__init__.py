"""Leagues that show what the service does: one night, or a season."""

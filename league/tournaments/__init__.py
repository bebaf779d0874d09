"""Tournaments: levels, clock, field, seats, places, prizes and charges."""

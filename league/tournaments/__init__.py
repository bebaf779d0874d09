"""Tournaments: levels, clock, field, seating, places, prizes and charges."""

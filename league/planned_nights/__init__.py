"""Planned nights: time, place, answers and the seat draw."""

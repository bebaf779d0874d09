"""Planned nights: time and place, answers, and the draw of seats."""

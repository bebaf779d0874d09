"""Tournaments: levels and a clock, who is in and sits where, places, prizes, what it costs."""

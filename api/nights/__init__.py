"""Nights: seats, chips, closing, payments."""

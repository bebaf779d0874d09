"""Nights that are to come: when, who says that they come, where they will sit."""

"""A season as one file: out, and in to the chip."""

"""The recording page: a hand typed, checked, saved or corrected."""

"""The recording page, on which a hand is entered, checked, saved or corrected."""

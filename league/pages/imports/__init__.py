"""Hand histories of other services into a league."""

"""How large what a league keeps may be."""

MOST_CHIPS = 10**12
LONGEST_NAME = 60
LONGEST_GAME_NAME = 200
LONGEST_REASON = 500

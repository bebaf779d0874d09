"""Limits on numbers and strings. league/common/row_limits.py limits the number of rows."""

MOST_CHIPS = 10**12
LONGEST_NAME = 60
LONGEST_GAME_NAME = 200
LONGEST_PLACE = 200
LONGEST_REASON = 500
LONGEST_ORIGIN = 40
LONGEST_ADDRESS = 2000
LONGEST_CODE = 12

"""A night: its table, its chips, its end, its receipt."""

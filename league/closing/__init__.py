"""The end of a night: count, close, settle with the fewest payments, pay."""

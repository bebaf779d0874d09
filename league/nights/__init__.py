"""Nights at the table: opening, seats, buy-ins and accounts."""

"""Nights at the table: seats, buy-ins and accounts."""

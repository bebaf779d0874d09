"""Migrations of a later version of the ledger, which rebuilds each of its tables on SQLite."""

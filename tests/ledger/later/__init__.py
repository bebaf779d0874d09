"""Migrations for a later ledger version, which rebuild each of its tables on SQLite."""

"""Settle a record: read, check, contest, award, explain."""

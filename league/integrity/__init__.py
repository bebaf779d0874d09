"""Integrity of the data: triggers, audits, and the league that each row belongs to."""

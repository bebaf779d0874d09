"""Data integrity: triggers, audits, and the league that each row belongs to."""

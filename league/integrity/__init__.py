"""Data integrity: triggers, audits, and finding the league that each row belongs to."""

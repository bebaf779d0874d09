"""What the database refuses, and what is added up again: triggers, audits, ownership."""

"""SQLite as Django has it, with a queue for its writers."""

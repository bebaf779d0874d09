"""Django's SQLite backend, with a queue for writers."""

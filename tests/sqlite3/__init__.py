"""The service's SQLite backend, with test databases that are copies of a migrated one."""

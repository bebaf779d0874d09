"""The service's SQLite backend, with test databases copied from a migrated one."""

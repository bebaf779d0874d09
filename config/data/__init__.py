"""Data storage: database connections, backups and the secret key."""

"""Where data lies: connections to databases, backups, the secret key."""

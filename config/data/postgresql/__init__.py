"""PostgreSQL for Django, including through a connection pooler in transaction mode."""

NO_TRANSACTIONS = "the connection pooler runs in statement mode: set its pool_mode to transaction"

"""Django's PostgreSQL backend with a faster way for tests to empty tables."""

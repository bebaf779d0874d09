"""PostgreSQL as it is, but for how tests empty its tables."""

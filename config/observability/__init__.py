"""Health checks, metrics and logs."""

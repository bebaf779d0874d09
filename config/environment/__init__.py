"""The service's environment variables: their table, parsers and validation."""

"""The service's environment variables: their table, their parsers and their validation."""

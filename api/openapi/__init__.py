"""The OpenAPI document and what it contains in addition to its operations."""

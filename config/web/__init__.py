"""Limits, headers, error responses and static files for pages and the API."""

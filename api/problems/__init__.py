"""Kinds of refusals, each with an address that says what it means (RFC 9457)."""

"""Pages about the kinds of errors, at the address in their `type` (RFC 9457)."""

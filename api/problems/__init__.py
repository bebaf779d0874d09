"""Pages about the kinds of errors, at the URLs in their `type` (RFC 9457)."""

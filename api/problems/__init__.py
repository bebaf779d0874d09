"""Pages about each kind of error, at the URL in its `type` (RFC 9457)."""

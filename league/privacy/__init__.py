"""Personal data: its export as a file, and its erasure."""

"""Pages for planned nights."""

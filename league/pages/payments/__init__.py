"""Who pays whom."""

"""Counting, its nightly check, and luck."""

"""Counting: a step after a hand, from nothing, checked, and luck."""

"""Usual hands of a batch, answered briefly side by side."""

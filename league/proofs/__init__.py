"""Proofs: the signed statement of each closing, and how to verify it without this service."""

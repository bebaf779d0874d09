"""Proofs: what is signed of each closing, and how to verify it without this service."""

"""Proofs: the signed statement of each closing, and its verification without this service."""

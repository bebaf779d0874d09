"""Proofs: what is signed of each closing, and how anyone checks it without this service."""

"""Signing in: by what, from where, how fresh it is, how often one may try."""

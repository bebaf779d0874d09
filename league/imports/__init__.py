"""Hands from files: read, fitted to the league, recorded once however often they come."""

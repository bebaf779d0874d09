"""Sign-in: methods, sessions, how recent a sign-in is, and rate limits."""

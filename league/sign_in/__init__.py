"""Sign-in: methods, sessions, the age of a sign-in, and rate limits."""

"""Pages for signing in and for the user's account."""

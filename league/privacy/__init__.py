"""What is kept of a person: all of it as a file, and its erasure."""

"""The web server in one or more processes, and the embedded worker and scheduler."""

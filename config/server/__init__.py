"""The web server in one or several processes, and the embedded worker and scheduler."""

"""How the service shows how it is: health, metrics, the log."""

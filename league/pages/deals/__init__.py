"""The open deal of a night on every phone: its rules card, declarations, each one's own cards."""

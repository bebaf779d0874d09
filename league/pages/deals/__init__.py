"""The open deal of a night on all phones: its rules card, declarations and own cards."""

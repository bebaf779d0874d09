"""A night's open deal on all phones: its rules card, declarations and own cards."""

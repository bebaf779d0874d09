"""Other formats of hand histories: files become records with actions, and back."""

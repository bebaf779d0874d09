"""Other formats of hand histories: convert files to records with actions, and records to files."""

"""The writer of hands: one or many, corrections, conflicts between two phones."""

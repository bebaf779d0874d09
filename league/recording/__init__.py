"""Record hands: single hands, batches, corrections, and conflicts between two phones."""

"""What cards are worth: selections, wild cards, scales, the best hands."""

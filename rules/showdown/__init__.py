"""The values of hands: selections, wild cards, scales, the best hands."""

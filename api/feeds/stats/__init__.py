"""Statistics of hands: the figures and charts that the pages show."""

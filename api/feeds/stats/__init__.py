"""Statistics about hands: the figures and charts shown on the pages."""

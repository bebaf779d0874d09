"""A game as the engine plays it, and a hand as it holds it."""

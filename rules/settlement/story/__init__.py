"""The reasons for the settlement of a hand, and their sentences."""

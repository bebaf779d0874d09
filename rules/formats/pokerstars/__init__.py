"""Read and write PokerStars' text of a hand, which trackers read."""

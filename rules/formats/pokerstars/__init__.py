"""PokerStars' text of a hand, which trackers read: in and out."""

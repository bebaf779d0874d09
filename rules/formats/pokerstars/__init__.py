"""Read and write PokerStars' hand text, which tracking programs import."""

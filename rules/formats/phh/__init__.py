"""The Poker Hand History format, in and out."""

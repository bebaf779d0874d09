"""Who gets the chips of a hand: its pots, who wins each share of them, what is carried."""

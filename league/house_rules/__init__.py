"""A league's house rules: sentences from its options, its own words, and irregularities."""

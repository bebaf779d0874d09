"""Read PokerNow's files: the log of a table and its ledger."""

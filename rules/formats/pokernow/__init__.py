"""PokerNow's files in: the log of a table and its ledger."""

"""How much a choice of cards is worth where no table of poker hands says it."""

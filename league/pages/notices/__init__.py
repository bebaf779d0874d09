"""How one is told of what happens: which kinds, on which phones."""

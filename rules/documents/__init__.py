"""Game documents: parsing, modifiers, the catalog, and checks that a game can be played."""

"""Game documents: their identity, modifiers, the catalog, whether they can be played."""

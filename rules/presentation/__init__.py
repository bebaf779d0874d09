"""What people read of a game or a hand: rules pages, scenes, forms."""

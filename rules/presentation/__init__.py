"""Games and hands in words: rules pages, scenes, forms."""

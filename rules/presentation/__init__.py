"""Games and hands as shown to people: rules pages, scenes and forms."""

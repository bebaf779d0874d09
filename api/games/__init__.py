"""Games: the catalog, a league's own, odds."""

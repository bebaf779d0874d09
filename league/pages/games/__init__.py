"""Games: the catalog, a league's own, rules, odds."""

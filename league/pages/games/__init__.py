"""Game pages: the catalog, house games, rules and odds."""

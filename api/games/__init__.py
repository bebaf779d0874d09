"""Games: the catalog, house games and odds."""

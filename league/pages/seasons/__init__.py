"""Statistics pages: seasons, players and games in figures and charts."""

"""Statistics pages with figures and charts for seasons, players and games."""

"""Payment methods of players: their kinds, links and codes, and the users who can see them."""

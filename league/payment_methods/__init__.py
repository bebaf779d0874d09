"""Players' payment methods: their kinds, links and codes, and the users who can see them."""

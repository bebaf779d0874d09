"""How players are paid: the kinds of methods, their links and codes, and who can see them."""

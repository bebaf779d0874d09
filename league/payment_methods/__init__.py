"""How players are paid: kinds of payment methods, their links and codes, and who can see them."""

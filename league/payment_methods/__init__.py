"""How players like to be paid: the kinds, their links and codes, and who is shown them."""

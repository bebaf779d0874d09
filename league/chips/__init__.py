"""A league's chip set: colours, values and numbers of pieces, and what to hand out for a buy-in."""

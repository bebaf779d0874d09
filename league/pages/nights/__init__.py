"""Night pages: the table, the chips, the closing and the receipt."""

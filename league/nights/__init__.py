"""Nights at the table: who sits there, which chips were bought, which accounts hold them."""

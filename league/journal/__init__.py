"""The chain of what is sealed: its entries, and which columns of which rows they seal."""

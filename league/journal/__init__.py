"""The chain of seals: its entries, and the columns of each table that they seal."""

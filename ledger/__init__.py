"""Books, accounts and transfers of whole chips: who owes whom."""

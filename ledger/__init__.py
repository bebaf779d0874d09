"""A double-entry ledger of whole chips, independent of poker.

Chips leave the debit account of a transfer and enter its credit account. A balance is credits minus
debits, so the balances of a book sum to zero. Every account is a liability of the table: a positive
balance is owed to the player, and a negative balance is owed by the player. `fewest_payments`
settles the balances.

Read the modules in this order:

1. `models`: books, accounts, postings and transfers, and the postings that callers request.
2. `posting`: the only writer. `validation`: errors, and the checks of a new posting.
3. `balances`: balances and statements.
4. `triggers`: the changes that the database rejects. `guards`: installs the triggers.
5. `audit`: finds what validation and triggers can't prevent. `manage.py audit` runs it for all
   leagues.
6. `sql`: plain SQL, also used by other packages.
7. `fewest_payments`: settles balances, without the database.

Postings have a digest but no hash chain. The league's journal (`league/journal/`) seals their
digests in a chain when a night closes.
"""

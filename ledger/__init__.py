"""A double-entry ledger of whole chips. It does not depend on poker.

Chips leave the debit account of a transfer and enter its credit account. A balance is credits less
debits, so every book sums to zero. A balance may be below zero: `fewest_payments` settles those.

Read the modules in this order:

1. `models`: books, accounts, postings and transfers.
2. `new_postings`: what a caller wants to post.
3. `posting`: the only writer. `validation`: its errors, and why a posting is refused.
4. `balances`: balances and statements.
5. `triggers`: what the database refuses. `guards`: how triggers are installed.
6. `audit`: finds what neither can prevent. `manage.py audit` runs it for all leagues.
7. `sql`: plain SQL, also for other packages.
8. `fewest_payments`: settles balances, without the database.

Postings have a digest but no hash chain. The league's journal (`league/journal/`) seals their
digests in a chain when a night closes.
"""

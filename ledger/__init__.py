"""A double-entry ledger of whole chips. It does not depend on poker.

Read the modules in this order: `models` (books, accounts, postings, transfers), `posting` (writes
them), `validation` (why a posting is refused), `balances` (balances and statements), `triggers`
and `guards` (database triggers that reject invalid changes), `checks` (audits). `sql` contains
plain SQL for postings and for the league's statistics. `fewest_payments` settles balances and
does not use the database.
"""

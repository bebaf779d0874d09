"""A double-entry ledger of whole chips that is independent of poker.

Read the modules in this order: `models` (books, accounts, postings, transfers), `posting` (writes
them), `validation` (why a posting is refused), `balances` (sums and statements), `triggers` and
`guards` (what the database itself refuses), `checks` (audits). `sql` has the plain SQL of postings
and of the league's statistics. `fewest_payments` settles balances and needs no database.
"""

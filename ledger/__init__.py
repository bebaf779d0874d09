"""A double-entry ledger of whole chips. It knows no poker.

Read in this order: `models` (books, accounts, postings, transfers), `posting` (writes them),
`validation` and `errors` (why a posting is refused), `balances` (sums and statements), `triggers`
on `guards` (what the database refuses by itself), `checks` (audits). `sql` has the plain SQL of
postings and of the league's figures. `fewest_payments` settles balances and needs no database.
"""

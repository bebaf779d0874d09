"""The journal: a chain of entries that seal rows, so that later changes to them are found.

entries: append to a chain, and read it. sealed_rows: the columns of each table that are sealed, and
their digests.
"""

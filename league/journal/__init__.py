"""The journal: a chain of entries that seal rows, so later changes to them are detected.

entries: append to a chain, and read a chain. sealed_rows: the sealed columns of each table, and
their digests.
"""

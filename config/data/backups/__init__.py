"""Back up all rows to one file, and restore it on either kind of database.

The file is a gzip of JSON lines: a head (format, version, migrations), then a section with the rows
that belong to no league and one for each league. A section has the name, columns and rows of each
table. The foot has the number of rows and the SHA-256 of all lines before it. Sessions and their
keys are left out, so people sign in again. Addresses, passkeys and linked services are included.
So are the secrets of one-time codes: they are encrypted and require the same `SECRET_KEY`.

A league with rows that can't be read or written is left out as a whole and reported. A file of an
older version is upgraded; that of a newer one is refused.
"""

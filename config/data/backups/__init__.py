"""Back up all rows to one file, and restore it on either kind of database.

The file is gzipped JSON lines: a header (format, version, migrations), then a section with the rows
that do not belong to a league, and one section per league. A section has the name, columns and rows
of each table. The last line has the number of rows and the SHA-256 digest of all lines before it.
Sessions and their keys are omitted, so people sign in again. Addresses, passkeys and linked
services are included. So are one-time code secrets, which are encrypted and require the same
`SECRET_KEY`.

A league with rows that can't be read or written is omitted entirely and reported. A file of an
older version is upgraded. A file of a newer version is refused.
"""

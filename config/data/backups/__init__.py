"""Back up all rows to one file, and restore it on either kind of database.

The file consists of gzipped JSON lines: a header (format, version, migrations), a section for the
rows that do not belong to a league, and one section per league. A section has the name, columns and
rows of each table. The last line has the number of rows and the SHA-256 digest of all lines before
it. Sessions and their keys are omitted, so people have to sign in again. Addresses, passkeys and
linked services are included. So are one-time code secrets, which are encrypted and require the same
`SECRET_KEY`.

If any of a league's rows can't be read or written, the whole league is omitted and reported. Files
from an older version are upgraded. Files from a newer version are refused.
"""

"""All rows in one file, and back again, on either kind of database.

A gzip of JSON lines: a head (format, version, migrations), then the rows that are no league's and
those of each league, section by section; in each, for every table its name with its columns and its
rows. Then a foot with the number of rows and the SHA-256 of all lines before it. Sessions and their
keys are left out: people sign in again. Addresses, passkeys and linked services are in it, and the
secrets of codes as they are kept: encrypted, to be read with the same `SECRET_KEY`.

A league whose rows can't be read, or can't be written, is left out as a whole and named; all the
others are kept. A file of an older version is brought up to this one; that of a newer is refused.
"""

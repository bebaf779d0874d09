"""Feeds: flat rows for dashboards, as pages of JSON, as files (NDJSON, CSV, Parquet), and an iCal.

columns, row_feed (what all have alike), versions (ETags without computing an answer), replica
(where rows are read) -> a file for each feed -> dictionary, formats -> views -> files, stats ->
urls.
"""

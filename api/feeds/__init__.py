"""Feeds: flat rows for dashboards, as pages of JSON, as NDJSON and CSV in one piece, and an iCal.

columns, row_feed (what all have alike), versions (ETags without computing an answer), replica
(where rows are read) -> a file for each feed -> formats -> views -> scope -> figures and charts ->
urls.
"""

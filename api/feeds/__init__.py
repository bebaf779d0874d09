"""Feeds: flat rows for dashboards, as JSON pages, as files (NDJSON, CSV, Parquet) and as iCal.

The layers are columns, row_feed (the base class), versions (ETags without computing a response) and
replica (the database to read from), then one module for each feed, then dictionary and formats,
then views, then files and stats, then urls.
"""

"""Feeds as files: text that is sent while it is written, Parquet that is kept for its parts."""

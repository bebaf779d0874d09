"""Feeds as files: text is streamed, and Parquet files are cached for range requests."""

"""Feeds as files. Text is streamed, and Parquet files are cached for range requests."""

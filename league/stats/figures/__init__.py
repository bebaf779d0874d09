"""The figures that pages and feeds show, read from the sums."""

"""The figures that pages and feeds show. They are read from the sums."""

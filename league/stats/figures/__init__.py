"""The figures that pages and feeds show. Figures are read from the sums."""

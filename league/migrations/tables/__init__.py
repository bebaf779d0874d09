"""The tables of the league as they stand after 0025, for the migration that makes them at once."""

"""The pages of nights that are to come."""

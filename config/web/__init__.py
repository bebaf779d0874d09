"""What stands around every page and address of the API: limits, headers, refusals, files."""

"""Import and export of Open Hand History."""

"""Pure functions from rows to Vega-Lite documents."""

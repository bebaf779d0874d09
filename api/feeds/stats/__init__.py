"""What follows from the hands that are counted: the figures and the charts of the pages."""

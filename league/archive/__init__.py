"""Export a season to a file, and import it again without losing a chip."""

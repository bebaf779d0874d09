"""What a phone keeps so that the table goes on without a signal."""

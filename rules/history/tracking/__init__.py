"""What trackers read out of a history."""

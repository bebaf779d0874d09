"""A hand that was recorded: its page and its replay."""

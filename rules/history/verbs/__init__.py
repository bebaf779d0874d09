"""What each verb of an action does to the table."""

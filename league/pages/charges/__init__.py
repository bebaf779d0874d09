"""The pages of what is owed beside the play."""

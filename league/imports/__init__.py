"""Import hands from files: read them, adapt them to the league, and record each hand once."""

"""Games and hands in the form that the engine uses."""

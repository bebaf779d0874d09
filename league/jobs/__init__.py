"""Work in the background: what waits in tables, who takes it, mail, the hour of the day."""

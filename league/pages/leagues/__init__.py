"""A league: its people, devices, keys, settings, activity."""

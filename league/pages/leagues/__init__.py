"""League pages: members, devices, keys, settings and activity."""

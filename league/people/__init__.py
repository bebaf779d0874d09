"""Leagues and who is in them: members, devices, invitations, keys for programs."""

"""Leagues, members, devices, invitations and API keys."""

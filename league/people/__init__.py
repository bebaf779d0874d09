"""Leagues and their members: memberships, devices, invitations and API keys."""

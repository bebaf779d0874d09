"""Leagues: people, invitations, webhooks, ledger, activity."""

"""Webhooks: league events that are sent to other services.

management: what hosts can do with webhooks. events: written in the transaction that causes them.
delivery: signing and sending. docs/architecture.md follows one event ("The way of a webhook").
"""

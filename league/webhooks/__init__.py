"""Webhooks: events of a league that are sent to other services.

management: what hosts do with webhooks. outbox: events, written in the transaction of their cause.
delivery: sending. signatures: event signatures. docs/architecture.md follows one event ("The way of
a webhook").
"""

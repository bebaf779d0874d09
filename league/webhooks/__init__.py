"""Webhooks: events of a league that are sent to other services.

management: the actions of hosts on webhooks. outbox: events, written in the transaction that causes
them. delivery: sending. signatures: event signatures. docs/architecture.md follows one event ("The
way of a webhook").
"""

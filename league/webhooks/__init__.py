"""Webhooks: events of a league that are sent to other services.

outbox: events, written in the transaction of their cause. endpoints: the addresses that receive
them. signatures: event signatures. delivery: sending.
"""

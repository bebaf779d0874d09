"""Tell other services what happened in a league.

outbox: events, written with their cause. hooks: the addresses that want them. delivering: which
are due, and what becomes of a try. sending: one request. addresses and signing are pure.
"""

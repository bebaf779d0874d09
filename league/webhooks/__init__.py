"""Events of a league, sent to other services.

outbox: events, written with their cause. endpoints: the addresses that want them. delivery: which
are due, and what becomes of a try. sender: one request. addresses and
signatures are pure.
"""

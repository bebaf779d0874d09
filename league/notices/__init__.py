"""Push and e-mail notifications, as each user chooses.

queueing: the kinds of notifications, and queueing them in the transaction of their cause. messages:
their text. subscriptions: the phones, and sending to them.
"""

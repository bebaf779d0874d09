"""Push and e-mail notifications, as each user chooses.

queueing: the kinds of notifications, and queueing notifications in the transaction that causes
them. messages: the text of notifications. subscriptions: subscribed phones, and sending to phones.
"""

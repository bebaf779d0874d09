"""Notifications by push and mail, as each user chooses.

tell: the kinds of notifications, and queueing them with their cause. messages: their text.
subscriptions: the phones, and sending to them.
"""

"""Notifications by push and mail, as each user chooses.

kinds: the kinds of notifications. messages: their text. tell: rows, written with their cause.
subscriptions: the phones. pushes: sends to phones. web_push: the formats of Web Push.
"""

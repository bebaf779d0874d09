"""Notices to people on their phones and by mail, each as they choose.

kinds: what there are notices of. messages: their text. tell: rows, written with their cause.
subscriptions: the phones. pushes: sends to phones. web_push: the formats of Web Push.
"""

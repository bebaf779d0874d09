"""What people are told on their phones and by mail, each as they choose.

kinds: what there is to be told. messages: what it says. tell: rows, written with their cause.
subscriptions: the phones. pushes: which are due, and what becomes of a try. payload_encryption
and vapid are the formats of Web Push.
"""

"""Sending of messages (webhooks, notifications, chat posts and e-mails) in one loop.

sender: the loop, and the base class for each kind of message. retries: when a message is sent
again. mail: e-mails. http_request: a request to a receiver that a user chose. addresses: the
addresses that the service may call. dns_lookup: a process that resolves a host name.
"""

"""Sends messages: webhooks, notifications, chat posts and e-mails.

sender: the base class for each kind of message; the loop is in league/jobs/queues.py. retries: when
messages are sent again. mail: e-mails. http_request: a request to a receiver that a user chose.
addresses: the addresses that the service may call. dns_lookup: a process that resolves a host name.
"""

"""Sending messages: webhooks, notices, chat posts and e-mails, by one loop.

sender: the loop, and what each kind of message adds to it. retries: when a message is sent again.
mail: e-mails. http_request: one request to a receiver that a user chose. addresses: the addresses
that the service may call. dns_lookup: a process that looks up a name.
"""

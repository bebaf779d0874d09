"""Sending messages: webhooks, notices, chat posts and e-mails, by one loop.

sender: the loop, and what each kind of message adds to it. mail: e-mails. http_request: one request
to a receiver that a user chose. dns_lookup: a process that looks up a name.
"""

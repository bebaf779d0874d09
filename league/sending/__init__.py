"""Sending messages: webhooks, notices, chat posts and e-mails, by one loop.

sender: the loop, and what each kind of message adds to it. retries: when a message is sent again.
mail: e-mails. http_request, addresses, dns_lookup: one request to a receiver that a user chose.
validation: errors in an address that a user typed.
"""

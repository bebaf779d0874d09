"""A league's chats, to which `apprise` sends night recaps.

services: the chats and their address formats. message: sends one message. send_process: the process
that sends the message. `league.recap` writes the text.
"""

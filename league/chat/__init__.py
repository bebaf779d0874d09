"""The chats of a league, to which night recaps are sent with `apprise`.

services: the chats and their address formats. sender: sends one message. send_process: the process
that sends the message. `league.recap` writes the text.
"""

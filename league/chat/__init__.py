"""The chats of a league, to which the recap of each night is sent by the services of `apprise`.

services: chats and the formats of their addresses. sender: sends one message. send_process: the
process that does it. The text is written by `league.recap`.
"""

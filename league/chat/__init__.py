"""The chats of a league, to which the recap of each night is sent by the services of `apprise`.

services: their addresses. channels: the chats of a league, and the posts that wait for them.
sender: sends one message, from a process of its own. What a recap says is `league.recap`.
"""

"""What a league tells its chat: the recap of each night, by the services of `apprise`.

`services` knows their addresses, `channels` are those of a league, `outbox` what is on its way, and
`sender` sends it from a process of its own. What a recap says is `league.recap`.
"""

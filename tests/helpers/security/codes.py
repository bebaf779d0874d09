"""Authenticator codes."""

import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value

PERIOD = 30  # seconds
LATEST = 3


def code_of(secret: str, *, later: int = 0) -> str:
    """Return the authenticator code (RFC 6238) for a time `later` periods from now.

    If the current period ends in a moment, wait for the next one: the code is sent afterwards.
    """
    rest = PERIOD - time.time() % PERIOD
    if rest < LATEST:
        time.sleep(rest)
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // PERIOD + later)))

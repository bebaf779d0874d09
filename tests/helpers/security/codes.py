"""Codes of an authenticator app."""

import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value


def code_of(secret: str, *, later: int = 0) -> str:
    """Return the code of an app (RFC 6238), some periods from now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later)))

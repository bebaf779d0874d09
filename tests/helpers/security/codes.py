"""Authenticator codes."""

import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value


def code_of(secret: str, *, later: int = 0) -> str:
    """Return the authenticator code (RFC 6238) for a time `later` periods from now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later)))

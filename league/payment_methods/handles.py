"""What people type or paste to say who they are at a service, brought into one form or refused.

Only what passes here is ever put into a link; the rest of a link is ours.
"""

import re
from collections.abc import Callable

LONGEST = 200  # characters looked at: a pasted link is longer than a name
Reader = Callable[[str], str | None]

_SCHEME = re.compile(r"^https?://(www\.)?", re.IGNORECASE)
_AFTER_NAME = re.compile(r"[/?#]")
_PHONE = re.compile(r"\+[1-9][0-9]{6,14}")  # E.164: fifteen digits at most
_VPA = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}@[A-Za-z][A-Za-z0-9]{1,63}")
_BETWEEN_DIGITS = str.maketrans("", "", " -./()\N{NO-BREAK SPACE}")


def named(whole: re.Pattern[str], *hosts: str, sign: str = "@") -> Reader:
    """Return what reads a name of this pattern: alone, after its sign, or in a link to it."""
    starts = sorted(hosts, key=len, reverse=True)

    def read(typed: str) -> str | None:
        told = _SCHEME.sub("", typed.strip())
        host = next((each for each in starts if told.lower().startswith(f"{each}/")), None)
        if host:
            told = _AFTER_NAME.split(told[len(host) + 1 :], maxsplit=1)[0]
        told = told.removeprefix(sign)
        return told if whole.fullmatch(told) and told.lower() not in starts else None

    return read


def read_phone(typed: str) -> str | None:
    """Return a phone number as E.164 writes it: a plus, the country, the number."""
    told = typed.strip().translate(_BETWEEN_DIGITS)
    told = f"+{told[2:]}" if told.startswith("00") else told
    return told if _PHONE.fullmatch(told) else None


def read_vpa(typed: str) -> str | None:
    """Return a UPI address, as ann@bank."""
    told = typed.strip()
    return told if _VPA.fullmatch(told) else None

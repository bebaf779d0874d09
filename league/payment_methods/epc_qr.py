"""The QR code that banking apps fill a SEPA credit transfer from: EPC069-12, version 002."""

import segno
from segno import helpers

from league.payment_methods.iban import needs_bic
from league.payment_methods.links import Asked

LONGEST_NAME = 70
LONGEST_NOTE = 140
MOST_CENTS = 99_999_999_999  # EUR 999,999,999.99
# Of the 331 bytes, what the other lines take at most: marks, IBAN, amount, ends of lines.
ROOM = 331 - 69


def epc_qr(iban: str, holder: str, asked: Asked) -> segno.QRCode | None:
    """Return the code; None where the standard has no place for what is asked.

    UTF-8 whatever the letters, since not every app reads the other seven character sets.
    """
    name, note = _line(holder), _line(asked.note)
    if asked.currency != "EUR" or not 1 <= asked.minor <= MOST_CENTS or needs_bic(iban):
        return None
    if not (1 <= len(name) <= LONGEST_NAME and 1 <= len(note) <= LONGEST_NOTE):
        return None
    if len(f"{name}{note}".encode()) > ROOM:
        return None
    return helpers.make_epc_qr(
        name=name, iban=iban, amount=asked.amount, text=note, encoding="utf-8"
    )


def _line(text: str) -> str:
    """Every line of the code is a field of its own, so no text may have an end of line in it."""
    return " ".join(text.split())

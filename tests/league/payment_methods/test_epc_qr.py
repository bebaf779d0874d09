"""The QR code for a SEPA credit transfer, by EPC069-12 of the European Payments Council.

Eleven lines: service tag, version, character set, identification, BIC, name, IBAN, amount, purpose,
structured and unstructured remittance information; error level M, at most version 13.
"""

from importlib import import_module
from typing import Any

import numpy as np
import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from league.payment_methods.kinds import PaymentDetails, epc_qr

JOKER = "\N{PLAYING CARD BLACK JOKER}"
IBAN = "DE33100205000001194700"
LINES = "BCD\n002\n1\nSCT\n\n{name}\n{iban}\nEUR{amount}\n\n\n{note}"


def payment_request(**changes: Any) -> PaymentDetails:
    told = {"minor": 1250, "currency": "EUR", "payee": "Ann", "note": "Night 12"}
    return PaymentDetails(**told | changes)


def squares(code: segno.QRCode) -> list[list[bool]]:
    return [[bool(each) for each in row] for row in code.matrix]


def drawn(text: str) -> list[list[bool]]:
    """Return the modules of a QR code that encodes this text as bytes at level M."""
    return squares(segno.make_qr(text.encode(), error="m", boost_error=False))


def read_by_another(code: segno.QRCode) -> list[tuple[str, str]]:
    """Return the texts and error levels found by an independent QR reader."""
    reader: Any = import_module("zxingcpp")  # the package has no type annotations
    rows = list(code.matrix_iter(scale=4, border=4))
    picture = np.array([[0 if each else 255 for each in row] for row in rows], dtype=np.uint8)
    return [(each.text, each.ec_level) for each in reader.read_barcodes(picture)]


CASES = [
    ("Wikimedia Foerdergesellschaft", "Spende fuer Wikipedia", 2000, "20"),
    ("Änn Bäcker", "Night 12", 1250, "12.5"),
    ("Ζωή", "Δείπνο", 1, "0.01"),
    ("x" * 70, "y" * 60, 99_999_999_999, "999999999.99"),
]


@pytest.mark.parametrize(("name", "note", "minor", "amount"), CASES)
def test_payload_has_the_eleven_lines_required_by_the_standard(
    name: str, note: str, minor: int, amount: str
) -> None:
    code = epc_qr(IBAN, name, payment_request(minor=minor, note=note))
    assert code
    lines = LINES.format(name=name, iban=IBAN, amount=amount, note=note)
    assert squares(code) == drawn(lines)
    assert (code.error, int(code.version) <= 13) == ("M", True)


@pytest.mark.parametrize(("name", "note", "minor", "amount"), CASES)
def test_qr_code_contains_the_lines_that_the_standard_requires(
    name: str, note: str, minor: int, amount: str
) -> None:
    code = epc_qr(IBAN, name, payment_request(minor=minor, note=note))
    assert code
    lines = LINES.format(name=name, iban=IBAN, amount=amount, note=note)
    assert read_by_another(code) == [(lines, "M")]


def test_names_and_notes_cannot_add_lines() -> None:
    """Each line is a field, so an extra line would change the amount or the account."""
    code = epc_qr(IBAN, "Ann\nDE00", payment_request(note="Night\r\n12\u2028x\x1cy"))
    assert code
    lines = LINES.format(name="Ann DE00", iban=IBAN, amount="12.5", note="Night 12 x y")
    assert squares(code) == drawn(lines)


@pytest.mark.parametrize(
    "given_",
    [
        {"payment": payment_request(currency="CHF")},
        {"payment": payment_request(minor=0)},
        {"payment": payment_request(minor=100_000_000_000)},
        {"payment": payment_request(note=" ")},
        {"holder": " "},
        {"holder": "x" * 71},
        {"holder": JOKER * 70, "payment": payment_request(note=JOKER * 60)},  # 520 bytes
        {"iban": "CH9300762011623852957"},
    ],
)
def test_payment_with_an_unsupported_value_has_no_code(given_: dict[str, Any]) -> None:
    told = {"iban": IBAN, "holder": "Ann", "payment": payment_request()} | given_
    assert epc_qr(**told) is None


@given(st.text(min_size=1, max_size=70), st.text(min_size=1, max_size=60), st.integers(1, 10**13))
def test_any_name_note_and_amount_give_a_valid_code_or_none(
    name: str, note: str, minor: int
) -> None:
    name, note = (each.encode(errors="ignore").decode() for each in (name, note))
    code = epc_qr(IBAN, name, payment_request(minor=minor, note=note))
    assert code is None or int(code.version) <= 13

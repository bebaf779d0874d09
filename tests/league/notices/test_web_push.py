"""Pushes follow RFC 8291 and RFC 8292, and are tested against the examples in both."""

import json
from dataclasses import replace

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st

from league.common.crypto import decoded, encoded
from league.notices.subscriptions import MOST_BYTES, authorization, encrypt, public_text
from tests.helpers.league.push_service import PushPhone, claims_of, point
from tests.helpers.league.receiver import Receiver

# RFC 8291, 5 and appendix A.
TEXT = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
PHONE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
# RFC 8292, 2.4.
TOKEN = (
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0"
    "NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK"
    "2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA"
)
KEY = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
CLAIMS = {"aud": "https://push.example.net", "exp": 1453523768, "sub": "mailto:push@example.com"}


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decoded(text), "big"), ec.SECP256R1())


def test_rfc_8291_example_is_reproduced_byte_for_byte() -> None:
    to = point(private(PHONE).public_key())
    body = encrypt(TEXT, to, decoded(AUTH), key=private(SENDER), salt=decoded(SALT))
    assert encoded(body) == BODY


def test_decryption_helper_reads_the_rfc_8291_example() -> None:
    assert PushPhone(Receiver(), "one", private(PHONE), decoded(AUTH)).read(decoded(BODY)) == TEXT


@pytest.mark.django_db
def test_token_has_the_header_and_claims_of_the_rfc_8292_example() -> None:
    header = authorization("https://push.example.net/send/1", "https://poker.example.org")
    token = header.removeprefix("vapid t=").partition(",")[0]
    heads = [json.loads(decoded(text.partition(".")[0])) for text in (token, TOKEN)]
    assert heads[0] == heads[1]
    claims = claims_of(token, decoded(public_text()))
    assert set(claims) == set(CLAIMS)
    assert claims["aud"] == CLAIMS["aud"]
    assert claims["sub"] == "https://poker.example.org"


def test_verification_helper_accepts_only_the_rfc_8292_example_key() -> None:
    assert claims_of(TOKEN, decoded(KEY)) == CLAIMS
    with pytest.raises(InvalidSignature):
        claims_of(TOKEN, point(private(PHONE).public_key()))


@given(st.binary(max_size=MOST_BYTES))
def test_only_the_phone_can_read_its_message(text: bytes) -> None:
    phone, other = PushPhone(Receiver(), "one"), PushPhone(Receiver(), "two")
    body = encrypt(text, point(phone.key.public_key()), phone.auth)
    assert phone.read(body) == text
    assert len(body) <= 4096
    for stranger in (replace(phone, key=other.key), replace(phone, auth=other.auth)):
        with pytest.raises(InvalidTag):
            stranger.read(body)


def test_oversized_message_is_refused_before_being_sent() -> None:
    phone = PushPhone(Receiver(), "one")
    with pytest.raises(ValueError, match=str(MOST_BYTES + 1)):
        encrypt(bytes(MOST_BYTES + 1), point(phone.key.public_key()), phone.auth)


def test_two_messages_never_share_a_key_or_salt() -> None:
    phone = PushPhone(Receiver(), "one")
    bodies = {encrypt(TEXT, point(phone.key.public_key()), phone.auth) for _ in range(5)}
    assert len({body[:16] for body in bodies}) == len({body[21:86] for body in bodies}) == 5

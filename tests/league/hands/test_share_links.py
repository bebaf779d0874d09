"""Links to a hand's replay are unguessable and revocable, and have a preview picture."""

import re
import struct
from typing import Any
from uuid import uuid4
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from league import recap
from league.hands.pictures import drawn, fitted, hand_picture
from league.models import Hand, HandLink, Revision, Role
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.nights.share_links import is_shared, share_hand, shared_hand, unshare_hand
from league.people.leagues import add_member, add_player
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from tests.helpers.league.leagues import a_league, a_night, a_user, holdem, qualifiers
from tests.helpers.league.nights import closed
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db
AS_A_NINE = re.compile('#d3a94f"/><text[^>]*>9</text><use href="#[a-z]+"')


def a_hand(**changes: Any) -> Hand:
    night = a_night()
    record_hand(night, uuid4(), holdem(**changes), by=None)
    return Hand.objects.get()


def current(hand: Hand) -> Revision:
    return Revision.objects.select_related("hand", "document").get(hand=hand, current=True)


def test_replay_link_opens_its_hand_and_only_its_hash_is_stored() -> None:
    hand = a_hand()
    token = share_hand(hand, by=None)
    assert len(token) >= 32
    assert shared_hand(token) == hand
    assert token not in str(HandLink.objects.values_list())
    assert [shared_hand(wrong) for wrong in (token[:-1], "", "\ud800")] == [None, None, None]


def test_revoked_links_return_404(client: Client) -> None:
    hand = a_hand()
    tokens = [share_hand(hand, by=None) for _ in range(2)]
    assert client.get(f"/replays/{tokens[0]}").status_code == 200
    assert is_shared(hand)
    assert unshare_hand(hand) == 2
    assert not is_shared(hand)
    told = [client.get(f"/replays/{token}{end}") for token in tokens for end in ("", ".png")]
    assert [each.status_code for each in told] == [404] * 4


def test_link_shows_only_its_hand(client: Client) -> None:
    hand = a_hand()
    answer = client.get(f"/replays/{share_hand(hand, by=None)}")
    page = html(answer)
    assert "ann" in page
    league = hand.night.league
    assert not [each for each in (league.name, str(hand.pk), league.code) if each in page]
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert answer["Cache-Control"] == "private, no-store"


def test_only_recorders_can_create_and_revoke_links(client: Client) -> None:
    hand = a_hand()
    looker, keeper = a_user("looker"), a_user("keeper")
    add_member(hand.night.league, looker, Role.PLAYER)
    add_member(hand.night.league, keeper, Role.SCOREKEEPER)
    at = f"/hands/{hand.pk}/replay"
    client.force_login(a_user("outsider"))
    assert [client.get(at).status_code, client.post(f"{at}/share").status_code] == [404, 404]
    client.force_login(looker)
    assert [client.get(at).status_code, client.post(f"{at}/share").status_code] == [200, 403]
    client.force_login(keeper)
    assert client.post(f"{at}/share").status_code == 302
    assert client.post(f"{at}/unshare").status_code == 302
    assert not is_shared(hand)


def test_preview_includes_title_text_and_picture(client: Client) -> None:
    token = share_hand(a_hand(), by=None)
    page = html(client.get(f"/replays/{token}"))
    assert '<meta property="og:title" content="Texas Hold&#x27;em: ann wins 20">' in page
    assert f'<meta property="og:image" content="http://testserver/replays/{token}.png">' in page
    assert '<meta property="og:image:width" content="1200">' in page
    assert '<meta name="twitter:card" content="summary_large_image">' in page


def test_picture_is_a_png_of_preview_size(client: Client) -> None:
    hand = a_hand()
    at = f"/replays/{share_hand(hand, by=None)}.png"
    answer = client.get(at)
    assert answer["Content-Type"] == "image/png"
    assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
    assert len(answer.content) < 300_000
    assert client.get(at, headers={"if-none-match": answer["ETag"]}).status_code == 304


def test_correcting_a_hand_changes_its_picture() -> None:
    hand = a_hand()
    first = hand_picture(current(hand))
    assert hand_picture(current(hand)) is not None
    void_hand(hand, by=None, reason="a misdeal")
    hand.refresh_from_db()
    assert hand_picture(current(hand)) != first


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a & b", "ann ]]> '\"", "漢字" * 30])
def test_picture_is_valid_for_any_name(name: str) -> None:
    league = a_league()
    players = [add_player(league, name), add_player(league, "bob")]
    night = open_night(league, players=players)
    for guest in players:
        buy_in(night, guest, 50, buy_in_id=uuid4(), by=None)
    record = holdem()
    record["players"][0]["name"] = players[0].name
    record_hand(night, uuid4(), record, by=None)
    picture = drawn(current(Hand.objects.get()))
    root = ET.fromstring(picture)  # noqa: S314 (our own picture)
    assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert hand_picture(current(Hand.objects.get()))[:4] == b"\x89PNG"


def test_carried_hand_and_hand_without_cards_have_pictures() -> None:
    night = a_night()
    record_hand(night, uuid4(), qualifiers(), by=None)
    record = holdem(depth="result", took={"ann": 40}, carried=20)
    for player in record["players"]:
        del player["down"]
    del record["board"]
    record_hand(night, uuid4(), record, by=None)
    first, second = (drawn(current(hand)) for hand in Hand.objects.order_by("number"))
    assert "20 carried into the next pot" in first
    assert "+40" in second


def test_pictures_show_the_cards_that_wild_cards_play_as() -> None:
    """The picture showed 2-8-7-6-5 with the words "straight, nine high"."""
    night = a_night()
    record = {
        "variant": "deuces-wild",
        "button": 0,
        "players": [
            {"name": "ann", "paid": 10, "down": ["2s", "8d", "7c", "6h", "5s"]},
            {"name": "bob", "paid": 10, "down": ["Ac", "Kd", "Js", "8c", "9h"]},
        ],
    }
    hand = record_hand(night, uuid4(), record, by=None).hand
    for picture in (drawn(current(hand)), recap.drawn(recap.recap_of(closed(night)))):
        assert len(AS_A_NINE.findall(picture)) == 1


def test_long_names_are_truncated_to_the_available_width() -> None:
    assert fitted("ann\x0b\ufffe", 46, 400) == "ann"
    # letter widths from the font file of Figtree Bold, except for the last two characters, which
    # are from a fallback font
    widths = {"W": 0.985, "m": 0.872, "@": 0.992, "Q": 0.789, "0": 0.648, "山": 1, "Ж": 0.93}
    for letter, width in widths.items():
        cut = fitted(letter * 100, 46, 400)
        assert cut.endswith("…")
        assert 300 < 46 * (width * (len(cut) - 1) + 1) <= 400, letter

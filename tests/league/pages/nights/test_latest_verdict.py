"""All phones in a night show the latest hand's verdict for a while."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client

from league.models import Night, Role
from league.pages.nights import latest_verdict
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_league, holdem, player
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


def phone(night: Night, name: str) -> Client:
    client = Client()
    client.post(f"/join/{night.league.code}", {"player": str(player(night, name).pk)})
    return client


def card(client: Client, night: Night) -> str:
    """Return the text of the verdict card, if there is one."""
    _before, _mark, rest = html(client.get(f"/nights/{night.pk}")).partition('class="latest felt"')
    return rest.partition("</section>")[0]


def test_all_members_see_the_winner_the_cards_and_their_own_result(night: Night) -> None:
    record_hand(night, uuid4(), holdem(), by=None)
    for name, own in (("ann", "+10"), ("bob", "\u221210"), ("cat", "")):
        verdict = card(phone(night, name), night)
        assert "ann wins 20" in verdict
        assert 'class="card ' in verdict
        assert ("You</span>" in verdict) == bool(own)
        assert own in verdict
    host = card(member(night.league, Role.HOST), night)
    assert "Something wrong? Fix it" in host
    assert "Something wrong?" not in card(member(night.league, Role.VIEWER), night)


def test_verdict_names_the_player_whom_the_table_paid(night: Night) -> None:
    """Ann has the best hand, but the table paid bob."""
    host = night.league.memberships.get(role=Role.HOST).user
    client = Client()
    client.force_login(host)
    record_hand(night, uuid4(), holdem(took={"bob": 20}), by=host)
    page = " ".join(html(client.get(f"/nights/{night.pk}")).split())
    assert page.count("The table paid bob 20. bob owes ann 20.") == 1
    record_hand(night, uuid4(), holdem(), by=host)
    assert "The table paid" not in html(client.get(f"/nights/{night.pk}"))


def test_verdict_contains_all_sentences(night: Night) -> None:
    """A hand run twice has a sentence for the uncalled bet, the runs and each run."""
    players = [
        {"name": "ann", "paid": 80, "down": ["As", "Kd"]},
        {"name": "bob", "paid": 50, "down": ["Qh", "Qc"]},
    ]
    boards = ["2c 8d Kh 9s 8c", "9d 3c 3h Js 7d"]
    runs = [{"board": [board.split()]} for board in boards]
    record = {"variant": "texas-holdem", "button": 0, "players": players, "runs": runs}
    story = record_hand(night, uuid4(), record, by=None).answer["story"]
    assert len(story) > 3
    assert "Run 2: bob wins this run's part of the pot (50)" in story[-1]
    verdict = card(member(night.league, Role.HOST), night)
    assert verdict.count("<li>") == len(story)
    assert "Run 2: bob wins this run&#x27;s part of the pot (50)" in verdict


def test_low_is_not_broken_at_the_end_of_a_line(night: Night) -> None:
    """Word joiners keep the ranks together. The answer has none, because programs read it."""
    hands = {"ann": "6c 4d 3s 2h Ac Kd Qd", "bob": "8c 7d 3d 2s Ah Kc Qc"}
    players = [
        {"name": name, "paid": 10, "down": cards.split()[:3], "up": cards.split()[3:]}
        for name, cards in hands.items()
    ]
    record = {"variant": "razz", "button": 0, "players": players}
    story = record_hand(night, uuid4(), record, by=None).answer["story"]
    assert "6-4-3-2-A" in story[0]
    verdict = card(member(night.league, Role.HOST), night)
    assert "6\u2060-\u20604\u2060-\u20603\u2060-\u20602\u2060-\u2060A" in verdict
    assert "6-4-3-2-A" not in verdict


def test_verdict_disappears_after_a_while_or_when_its_hand_is_voided(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = member(night.league, Role.HOST)
    assert not card(host, night)
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    assert card(host, night)
    with monkeypatch.context() as later:
        later.setattr(latest_verdict, "SHOWN_FOR", timedelta(0))
        assert not card(host, night)
    void_hand(hand, by=None, reason="never dealt")
    assert not card(host, night)


def test_undone_hand_leaves_the_verdict_and_the_game_of_the_hand_before(night: Night) -> None:
    host = member(night.league, Role.HOST)
    record_hand(night, uuid4(), holdem(), by=None)
    players = [{"name": name, "paid": 10} for name in ("ann", "bob")]
    razz = {"variant": "razz", "depth": "result", "button": 0, "players": players}
    void_hand(record_hand(night, uuid4(), razz | {"took": {"ann": 20}}, by=None).hand, by=None)
    page = html(host.get(f"/nights/{night.pk}"))
    assert "Record Texas Hold&#x27;em again" in page
    assert "Hand 1 · Texas Hold&#x27;em" in card(host, night)


def test_running_night_is_first_on_the_home_page(night: Night) -> None:
    """Most visitors need this page, which used to be three taps away."""
    host = member(night.league, Role.HOST)
    page = html(host.get("/"))
    assert page.index("Continue tonight") < page.index("Your leagues")
    assert f'href="/nights/{night.pk}"' in page
    assert "Continue tonight" not in html(member(a_league(), Role.HOST).get("/"))

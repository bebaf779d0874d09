"""A correction of a closed night shows whether it changes payments (decision 0005).

Counted chips stay as they are. Payments change only if the table paid the wrong player, or for
chips that were not counted.
"""

from typing import Any
from uuid import uuid4

import pytest

from league.closing.cash_outs import cash_out_and_leave
from league.closing.close import Decisions, close_night
from league.models import Hand, Night, Role
from league.pages.record.fill_form import spell
from league.recording.corrections import payment_changes, revise_hand, void_hand
from league.recording.record import check
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night, holdem, player, qualifiers
from tests.helpers.league.nights import again, closed, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db

BEFORE, AFTER = "Payments don't change.", "Hand 1 corrected. Payments unchanged."
BOB_WINS = holdem(
    players=[
        {"name": "ann", "paid": 10, "down": ["Kc", "Kd"]},
        {"name": "bob", "paid": 10, "down": ["Ac", "Ad"]},
    ]
)


def a_closed_hand(*, is_counted: bool) -> Hand:
    """Return a hand of a closed night, in which ann won 10 from bob."""
    night = a_night()
    hand = dealt(night)
    if is_counted:
        closed(night)
    else:
        close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    hand.night = again(night)
    return hand


@pytest.mark.parametrize(
    ("is_counted", "record", "is_kept"),
    [
        (True, BOB_WINS, True),
        (True, holdem(took={"bob": 20}), False),
        (False, BOB_WINS, False),
    ],
)
def test_page_of_a_correction_shows_that_payments_stay(
    is_counted: bool, record: dict[str, Any], is_kept: bool
) -> None:
    hand = a_closed_hand(is_counted=is_counted)
    host, at = member(hand.night.league, Role.HOST), f"/hands/{hand.pk}"
    fields = {"key": [str(uuid4())]} | spell(record)
    verdict = host.post(f"{at}/check", fields, headers={"HX-Request": "true"})
    assert (BEFORE in html(verdict)) is is_kept
    saved = html(host.post(f"{at}/record", fields, follow=True))
    assert "Hand 1 corrected." in saved
    assert (AFTER in saved) is is_kept


@pytest.mark.parametrize(
    ("is_counted", "record", "is_offered"),
    [
        (True, BOB_WINS, True),
        (True, holdem(), False),
        (True, BOB_WINS | {"took": {"ann": 20}}, False),
        (False, BOB_WINS, False),
    ],
)
def test_correction_to_another_winner_offers_what_the_table_paid_before(
    is_counted: bool, record: dict[str, Any], is_offered: bool
) -> None:
    """Ann took the 20 chips, so she owes them to bob unless the table paid him after all."""
    hand = a_closed_hand(is_counted=is_counted)
    fields = {"key": [str(uuid4())]} | spell(record)
    host, at = member(hand.night.league, Role.HOST), f"/hands/{hand.pk}/check"
    page = html(host.post(at, fields, headers={"HX-Request": "true"}))
    assert ("Table paid as before: ann 20" in page) is is_offered
    assert ('data-paid-before="players/0/took:20 "' in page) is is_offered


def test_page_of_a_correction_shows_how_payments_change() -> None:
    """ann was paid bob's pot. If the result is kept as paid, ann owes bob nothing."""
    night = a_night()
    hand = dealt(night, BOB_WINS | {"took": {"ann": 20}})
    closed(night)
    hand.night = again(night)
    host, at = member(night.league, Role.HOST), f"/hands/{hand.pk}"
    fields = {"key": [str(uuid4())]} | spell(BOB_WINS | {"took": {"ann": 20}})
    page = html(host.post(f"{at}/check", fields, headers={"HX-Request": "true"}))
    assert "ann owes bob 20." in page
    assert "The payments already include this." in page
    fields["depth"] = ["result"]
    page = html(host.post(f"{at}/check", fields, headers={"HX-Request": "true"}))
    assert "Payments change: bob \u22120.20 USD, ann +0.20 USD." in page
    saved = html(host.post(f"{at}/record", fields, follow=True))
    assert "Hand 1 corrected. Payments changed: bob \u22120.20 USD, ann +0.20 USD." in saved


def test_correction_on_an_open_night_shows_nothing_about_payments() -> None:
    hand = dealt(a_night())
    host, at = member(hand.night.league, Role.HOST), f"/hands/{hand.pk}"
    fields = {"key": [str(uuid4())]} | spell(BOB_WINS)
    assert BEFORE not in html(host.post(f"{at}/check", fields))
    assert AFTER not in html(host.post(f"{at}/record", fields, follow=True))


@pytest.mark.parametrize("is_counted", [True, False])
@pytest.mark.parametrize(
    "record",
    [
        BOB_WINS,
        BOB_WINS | {"took": {"ann": 20}},
        holdem(took={"bob": 20}),
        holdem(carried=5),
        holdem(players=[each | {"paid": 30} for each in holdem()["players"]]),
        holdem(players=[*holdem()["players"], {"name": "cat", "paid": 10, "folded": True}]),
        qualifiers(),
        qualifiers(took={"ann": 20}),
    ],
)
def test_predicted_changes_of_payments_happen(is_counted: bool, record: dict[str, Any]) -> None:
    hand = a_closed_hand(is_counted=is_counted)
    changes = payment_changes(hand, check(hand.night, record, instead_of=hand))
    corrected = revise_hand(hand, uuid4(), record, by=None)
    assert changes in (None, corrected.payments)


def test_restored_hand_predicts_nothing_about_payments() -> None:
    hand = a_closed_hand(is_counted=True)
    void_hand(hand, by=None)
    hand.night = again(hand.night)
    assert payment_changes(hand, check(hand.night, BOB_WINS, instead_of=hand)) is None


@pytest.mark.parametrize("paid", ["5", "30"])
def test_correction_that_opens_a_night_again_says_so(paid: str) -> None:
    """bob cashed out and left with the chips that he had after the hand.

    The page said only "Hand 1 corrected.", and the podium and the payments were gone.
    """
    night = a_night()
    hand = dealt(night, BOB_WINS)
    cash_out_and_leave(night, player(night, "bob"), 110, cash_out_id=uuid4(), by=None)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    host, at = member(night.league, Role.HOST), f"/hands/{hand.pk}"
    fields = {"key": [str(uuid4())]} | spell(BOB_WINS)
    fields |= {f"players/{row}/paid": [paid] for row in (0, 1)}
    page = html(host.post(f"{at}/check", fields, headers={"HX-Request": "true"}))
    assert "this opens the night again" in page
    saved = html(host.post(f"{at}/record", fields, follow=True))
    assert again(night).state == Night.State.OPEN
    assert "The night is open again, because its chips no longer add up." in saved

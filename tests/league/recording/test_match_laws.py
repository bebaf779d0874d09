"""A corrected match equals a correctly recorded one (docs/decisions/0033-matches.md)."""

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.deals.table import Table
from league.models import Hand, Night
from league.nights.nights import carry, hands, stacks
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from tests.helpers.laws.examples import examples
from tests.helpers.league.leagues import NAMES, a_night
from tests.helpers.league.matches import deals_on, drift, guts, match_before

pytestmark = pytest.mark.django_db

Deal = tuple[int, frozenset[str]]


@st.composite
def matches(draw: st.DrawFn) -> tuple[dict[str, Any], list[Deal], int, Deal]:
    """Draw a game, its deals (payments and players who stayed in), and one mistaken deal."""
    game = draw(
        st.sampled_from(
            [
                {"variant": "guts", "options": {"legs": "none"}},
                {"variant": "guts", "options": {"legs": "2"}},
                {"variant": "guts", "options": {"legs": "3"}},
            ]
        )
    )
    deals = st.tuples(st.integers(1, 4), st.frozensets(st.sampled_from(NAMES), max_size=2))
    right = draw(st.lists(deals, min_size=2, max_size=6))
    place = draw(st.integers(0, len(right) - 1))
    return game, right, place, draw(deals)


def deal_record(game: dict[str, Any], deal: Deal) -> dict[str, Any]:
    return guts(*deal[1], paid=deal[0]) | game


def recorded(night: Night, game: dict[str, Any], deals: list[Deal]) -> list[Hand]:
    """Record the deals until the match is over, each with the state left by the previous one."""
    hands: list[Hand] = []
    for deal in deals:
        if hands and not Table(night).match:
            break
        hands.append(deals_on(night, deal_record(game, deal)))
    return hands


def outcome(night: Night) -> tuple[object, ...]:
    """Return the ledger by player name, and the answers without ids that differ."""
    revisions = list(hands(night).filter(hand__voided=False))
    first = str(revisions[0].hand_id)
    names = {player: name for revision in revisions for name, player in revision.names.items()}
    return (
        {names[str(player)]: chips for player, chips in stacks(night).items()},
        carry(night),
        drift(night),
        [_without(revision.answer, first) for revision in revisions],
    )


def _without(answer: dict[str, Any], first: str) -> dict[str, Any]:
    match = {key: value for key, value in answer["match"].items() if key not in ("id", "next")}
    following = answer["match"].get("next", {})
    return answer | {"match": match, "next": {k: following.get(k) for k in ("button", "carried")}}


@settings(max_examples=examples(40))
@given(matches())
def test_corrected_match_equals_a_match_recorded_correctly(
    drawn: tuple[dict[str, Any], list[Deal], int, Deal],
) -> None:
    game, deals, place, otherwise = drawn
    right, mistaken = a_night(chips=10**6), a_night(chips=10**6)
    deals = deals[: len(recorded(right, game, deals))]
    place = min(place, len(deals) - 1)
    dealt: list[Hand] = []
    for number, deal in enumerate(deals):
        record = deal_record(game, otherwise if number == place else deal)
        # the match ended too early, but the table played on
        if dealt and not Table(mistaken).match:
            record["match"] = {"id": str(dealt[0].pk), "deal": number + 1}
            dealt.append(record_hand(mistaken, uuid4(), record, by=None).hand)
        else:
            dealt.append(deals_on(mistaken, record))
    revise_hand(
        dealt[place], uuid4(), deal_record(game, deals[place]) | match_before(dealt[place]), by=None
    )
    assert outcome(mistaken) == outcome(right)

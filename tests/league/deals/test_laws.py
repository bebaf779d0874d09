"""Phones may report a deal in any order, repeatedly or late. Only the recorder's hand counts."""

from collections.abc import Callable
from itertools import chain, repeat
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.common.errors import IdReusedError, RefusedError
from league.deals.declarations import declare, restart_declarations, revealed_declarations
from league.deals.open_deal import move_on, name_game, open_deal, set_state
from league.deals.shown_cards import show_cards
from league.deals.table import NamedGame
from league.models import Deal, Hand, Night, User
from league.nights.nights import stacks
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from tests.helpers.laws.examples import examples
from tests.helpers.league.books import total
from tests.helpers.league.deals import DECLARED, user_of
from tests.helpers.league.leagues import a_night, player

pytestmark = pytest.mark.django_db

NAMES = ("ann", "bob", "cat", "dan")
OMAHA = NamedGame("omaha-8", (), DECLARED)
CARDS = {"ann": "Ah Kh Kd 9c", "bob": "As 4c 8d Jd", "cat": "Qh Qs Jh Th", "dan": "Ac 5d 6h 6d"}
WORDS = ("high", "low", "both")
Act = Callable[[Night, Deal], object]


@pytest.fixture
def night() -> Night:
    night = a_night()
    for name in NAMES:
        _by(night, name)
    return night


def recorded(winner: str, origin: str) -> Act:
    """Save the reported hand as a recorder, with one winner."""
    record = {
        "variant": "omaha-8",
        "depth": "result",
        "players": [{"name": name, "paid": 5} for name in NAMES],
        "took": {winner: 20},
        "button": 0,
    }
    knew = ClientContext(origin=origin, seen=0, number=1, of_deal=True)
    return lambda night, deal: record_hand(night, deal.pk, record, by=None, context=knew)


def sent() -> st.SearchStrategy[Act]:
    """Draw any valid or invalid report that a phone at the table may send."""
    who = st.sampled_from(NAMES)
    return st.one_of(
        st.builds(_moved, st.integers(0, 7)),
        st.builds(_declared, who, st.sampled_from(WORDS)),
        st.builds(_stated, who, st.sampled_from(["in", "folded", "mucked"])),
        st.builds(_shown, who, who),
        st.just(lambda night, deal: restart_declarations(night, deal.pk)),
        st.just(lambda night, deal: name_game(night, deal.pk, OMAHA, by=None)),
        st.builds(recorded, who, st.sampled_from(["one phone", "another"])),
    )


def _moved(stage: int) -> Act:
    return lambda night, deal: move_on(night, deal.pk, stage)


def _declared(name: str, word: str) -> Act:
    return lambda night, deal: declare(
        night, deal.pk, player(night, name), word, by=_by(night, name)
    )


def _stated(name: str, state: str) -> Act:
    return lambda night, deal: set_state(
        night, deal.pk, player(night, name), state, by=_by(night, name)
    )


def _shown(whose: str, name: str) -> Act:
    cards = {"down": CARDS[whose]}
    return lambda night, deal: show_cards(
        night, deal.pk, player(night, whose), cards, by=_by(night, name)
    )


def _by(night: Night, name: str) -> User:
    return user_of(player(night, name))


def holds(night: Night, first: Hand | None) -> Hand | None:
    """Check the invariants after every report. Return the hand once it exists."""
    deal, hand = open_deal(night), Hand.objects.filter(night=night).first()
    assert Hand.objects.filter(night=night).count() <= 1
    assert first is None or hand == first
    assert hand is None or deal is None
    if deal is not None and deal.revealed_at is None:
        assert revealed_declarations(deal) == {}
    if deal is not None and deal.revealed_at is not None:
        assert not deal.players.filter(state__in=["in", "all-in"], declaration="").exists()
    assert total(night.league.book) == 0
    return hand


WORDS_SENT = st.lists(st.tuples(sent(), st.integers(1, 2)), max_size=25)


# All examples share one table, and reports are rolled back.
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=WORDS_SENT, winner=st.sampled_from(NAMES))
def test_first_saved_record_of_a_deal_becomes_the_hand(
    night: Night, words: list[tuple[Act, int]], winner: str
) -> None:
    with transaction.atomic():
        deal, first, before = name_game(night, uuid4(), OMAHA, by=None), None, stacks(night)
        all_sent = chain.from_iterable(repeat(act, times) for act, times in words)
        for act in (*all_sent, recorded(winner, "one phone")):
            try:
                with transaction.atomic():
                    act(night, deal)
            except (RefusedError, IdReusedError):
                pass
            first = holds(night, first)
        assert first is not None
        took = first.revisions.get(number=1).record["took"]
        won = {player(night, name).pk: chips for name, chips in took.items()}
        assert stacks(night) == {who: n - 5 + won.get(who, 0) for who, n in before.items()}
        transaction.set_rollback(True)

"""Hands settled together get the same answers as hands settled alone."""

import json
from dataclasses import fields
from itertools import combinations as choices_of
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from rules import evaluate, settle, settle_many
from rules.api import read_record, settle_read
from rules.documents import catalog, documents
from rules.game.grammar import words
from rules.settlement import checks, reading
from rules.showdown.showdown import compare_hands, compared_as
from tests.helpers.laws.mutations import spoilt_records
from tests.helpers.laws.records import Record, combinations, record, records

MANY = 150  # enough hands for the engine to use its tables for card pools


@given(records() | spoilt_records())
def test_brief_answer_matches_the_full_answer_without_hands_and_story(hand: Record) -> None:
    answer = settle(hand)
    brief = {
        key: value for key, value in answer.items() if key not in {"hands", "story", "reasons"}
    }
    assert json.dumps(settle(hand, brief=True)) == json.dumps(brief)


@given(st.lists(records() | spoilt_records(), max_size=6))
def test_records_settled_in_sequence_have_the_same_answers_as_alone(
    sent: list[Record],
) -> None:
    """Records are read and answered one at a time. Valid and invalid ones keep their order."""
    answers = settle_read([read_record(item) for item in sent], brief=True)
    alone = [json.dumps(settle(item, brief=True)) for item in sent]
    assert [json.dumps(answer) for answer in answers] == alone


@given(st.lists(records() | spoilt_records(), min_size=1, max_size=2))
def test_records_settled_together_get_the_same_answers_as_alone(sent: list[Record]) -> None:
    """There are enough valid records for the engine to use its tables of card pools."""
    alone = [settle(item, brief=True) for item in sent]
    times = [1 if "errors" in answer else MANY for answer in alone]
    together = settle_many(
        [item for item, number in zip(sent, times, strict=True) for _ in range(number)],
        brief=True,
    )
    expected = [answer for answer, number in zip(alone, times, strict=True) for _ in range(number)]
    assert [*map(json.dumps, together)] == [*map(json.dumps, expected)]


@given(records())
def test_hand_has_the_same_strength_alone_as_in_a_batch(drawn: Record) -> None:
    """Strengths and played cards are the same."""
    hand, wrong = reading.read(drawn)
    assert hand is not None, wrong
    if hand.game.bank or not checks.needs_showdown(hand):
        return
    alone = compare_hands(hand.game, [hand], with_cards=True)[0]
    among = compare_hands(hand.game, [hand] * MANY, with_cards=True)
    assert among[0].strengths == among[-1].strengths == alone.strengths
    assert among[0].played == among[-1].played == alone.played


@given(records())
def test_games_that_compare_hands_alike_have_the_same_showdown(found: Record) -> None:
    hand, wrong = reading.read(found)
    assert hand is not None, wrong
    if hand.game.bank or not checks.needs_showdown(hand):
        return
    own, shared = (
        compare_hands(game, [hand], with_cards=True)[0]
        for game in (hand.game, compared_as(hand.game))
    )
    assert (own.strengths, own.played) == (shared.strengths, shared.played)


BADUGIS = st.sampled_from("badugi badugi-ace-high hidugi".split())


@given(
    BADUGIS,
    st.sampled_from(["none", "2", "Ks"]),
    st.lists(st.integers(0, 51), min_size=6, max_size=6, unique=True),
)
def test_badugi_with_a_choice_of_cards_is_the_best_of_all_choices(
    scale: str, wild: str, held: list[int]
) -> None:
    """Different choices share most of their cards, so each set of cards is evaluated only once."""
    document = {"name": "Six", "shares": [f"low: {scale} of 4 down"], "wild": [wild]}
    several = evaluate({**document, "deal": ["6 down"]}, [held])
    alone = evaluate({**document, "deal": ["4 down"]}, [*choices_of(held, 4)])
    assert several.tolist() == [alone.max()]


@given(st.sampled_from(catalog.slugs()), st.integers(0, 2**32))
def test_cached_words_from_other_games_do_not_change_a_game(slug: str, seed: int) -> None:
    """Parsed words that depend on no option are cached for all games with the same names."""
    chance = Random(seed)
    found = record(chance, slug, chance.choice(combinations(slug)))
    shared = reading.read(found)[0]
    assert shared is not None
    words._read_once.cache_clear()
    documents._game.cache_clear()
    chosen = {name: word for name, word in shared.game.chosen.items() if name != "unit"}
    alone = documents.game(shared.game.document, chosen)
    kept = [field.name for field in fields(alone) if field.name not in {"chosen", "document"}]
    for name in kept:
        assert getattr(alone, name) == getattr(shared.game, name)


def test_games_with_the_same_deck_and_values_share_cached_card_counts() -> None:
    """Thousands of choices are cached, and separate caches would use twice the memory."""
    games = [reading.read(record(Random(1), slug))[0] for slug in ("texas-holdem", "omaha-8")]
    one, other = (hand.game for hand in games if hand is not None)
    assert one.values is other.values
    assert one.singles is other.singles
    assert one.deck is other.deck

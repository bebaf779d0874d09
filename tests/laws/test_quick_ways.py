"""What is done at once for usual hands says what the whole way says, to the last word."""

import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from rules import settle, settle_many
from rules.documents import catalog
from rules.settlement import checks
from rules.settlement.brief_answers import brief_answer
from rules.settlement.core import showdowns
from rules.settlement.usual_records import usual_hand
from rules.showdown import few_rows
from rules.showdown.selections import Shape
from rules.showdown.showdown import compare_hands, compared_as
from tests.helpers.laws.mutations import spoilt_records
from tests.helpers.laws.records import Record, record, records

MANY = 200  # hands that are looked at together for sure, in arrays


@given(records() | spoilt_records())
def test_a_record_is_read_at_once_as_the_reader_reads_it_or_not_at_all(found: Record) -> None:
    read = checks.read(found)  # first: a game that nobody knows yet is the reader's
    hand = usual_hand(found)
    assert hand is None or (hand, []) == read


@given(records() | spoilt_records())
def test_a_brief_answer_is_the_whole_one_without_hands_and_story(found: Record) -> None:
    """The whole one is always told from the account of all pots."""
    whole = settle(found)
    told = {key: value for key, value in whole.items() if key not in {"hands", "story"}}
    assert json.dumps(settle(found, brief=True)) == json.dumps(told)


@given(records())
def test_hands_compare_alone_as_among_many(found: Record) -> None:
    """Few are looked at one by one, many in arrays: the same strengths, the same cards."""
    hand, wrong = checks.read(found)
    assert hand is not None, wrong
    if hand.game.bank or not checks.needs_showdown(hand):
        return
    alone = compare_hands(hand.game, [hand], with_cards=True)[0]
    among = compare_hands(hand.game, [hand] * MANY, with_cards=True)
    assert among[0].strengths == among[-1].strengths == alone.strengths
    assert among[0].played == among[-1].played == alone.played


@given(records())
def test_games_that_compare_alike_have_the_same_showdown(found: Record) -> None:
    hand, wrong = checks.read(found)
    assert hand is not None, wrong
    if hand.game.bank or not checks.needs_showdown(hand):
        return
    own, shared = (
        compare_hands(game, [hand], with_cards=True)[0]
        for game in (hand.game, compared_as(hand.game))
    )
    assert (own.strengths, own.played) == (shared.strengths, shared.played)


@given(st.integers(0, 2**32))
def test_most_records_go_the_quick_ways(seed: int) -> None:
    """The laws above would hold of quick ways that nobody goes."""
    chance = Random(seed)
    drawn = [record(chance, slug) for slug in catalog.slugs()]
    settle_many(drawn)
    hands = [hand for found in drawn if (hand := usual_hand(found)) is not None]
    answers = [
        brief_answer(*pair) for pair in zip(hands, showdowns(hands, brief=True), strict=True)
    ]
    assert len(hands) > len(drawn) / 3
    assert len([answer for answer in answers if answer is not None]) > len(hands) / 2
    shapes = [Shape(hand.game.down.most, hand.game.up.most) for hand in hands]
    plans = [few_rows.plan(hand.game, shape) for hand, shape in zip(hands, shapes, strict=True)]
    assert len([plan for plan in plans if plan is not None]) > len(hands) / 3

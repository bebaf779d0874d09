"""What is done at once for usual hands says what the whole way says, to the last word."""

import json
from dataclasses import fields
from itertools import combinations as choices_of
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from rules import api, evaluate, settle, settle_many
from rules.api import read_record, settle_read
from rules.cards import CARDS
from rules.documents import catalog, documents
from rules.game.grammar import words
from rules.game.hand import MOST_NAME
from rules.settlement import checks
from rules.settlement.brief_answers import brief_answer
from rules.settlement.columns import hands as columns_of
from rules.settlement.columns.answers import as_text, told_in_columns
from rules.settlement.columns.reader import HandColumns
from rules.settlement.core import showdowns
from rules.settlement.usual_records import usual_hand
from rules.showdown import few_rows
from rules.showdown.selections import Shape
from rules.showdown.showdown import compare_hands, compared_as
from tests.helpers.laws.examples import examples
from tests.helpers.laws.mutations import spoilt_records
from tests.helpers.laws.records import Record, combinations, record, records

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
    told = {key: value for key, value in whole.items() if key not in {"hands", "story", "reasons"}}
    assert json.dumps(settle(found, brief=True)) == json.dumps(told)


@given(st.lists(records() | spoilt_records(), max_size=6))
def test_records_are_answered_one_by_one_as_each_alone(some: list[Record]) -> None:
    """Read when it comes, answered when it is asked for: good and bad keep their places."""
    told = settle_read([read_record(found) for found in some], brief=True)
    alone = [json.dumps(settle(found, brief=True)) for found in some]
    assert [json.dumps(answer) for answer in told] == alone


@given(st.lists(records() | spoilt_records(), min_size=1, max_size=4))
def test_records_in_columns_are_answered_as_each_alone(some: list[Record]) -> None:
    """As objects and as text, among few others and among so many that arrays compare them."""
    alone = [json.dumps(settle(found, brief=True)) for found in some]
    for times in (api.MANY, MANY):
        assert [json.dumps(told) for told in settle_many(some * times, brief=True)] == alone * times
    batch = api.BriefBatch(as_text)
    for found in some:
        batch.add(found)
    told = batch.answers(some.__getitem__)
    assert [each if isinstance(each, str) else json.dumps(each) for each in told] == alone


@given(st.lists(st.text(max_size=3) | st.sampled_from([*CARDS, "AsK", "d"]), min_size=1))
def test_cards_are_told_apart_where_they_are_joined(cards: list[str]) -> None:
    """`AsK` and `d` are as many letters as two cards."""
    text = " ".join(cards)
    if columns_of.are_twos(text, len(cards)):
        codes = columns_of.codes_of([text]).tolist()
        assert columns_of.NO_CARD in codes or codes == [CARDS.get(card) for card in cards]


def test_names_are_remembered_where_they_are_short() -> None:
    """Thousands of tables are remembered; a stranger's may be as long as names can be."""
    for names, remembered in ((("ann", "bob"), True), (("x" * MOST_NAME, "bob"), False)):
        found = columns_of.names_of(names)
        assert found == columns_of.names_of(names)
        assert (found is columns_of.names_of(names)) == remembered


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


BADUGIS = st.sampled_from("badugi badugi-ace-high hidugi".split())


@given(
    BADUGIS,
    st.sampled_from(["none", "2", "Ks"]),
    st.lists(st.integers(0, 51), min_size=6, max_size=6, unique=True),
)
def test_a_badugi_of_several_choices_is_the_best_of_each_alone(
    scale: str, wild: str, held: list[int]
) -> None:
    """Choices share most of their sets of cards, each of which is looked at once."""
    document = {"name": "Six", "shares": [f"low: {scale} of 4 down"], "wild": [wild]}
    several = evaluate({**document, "deal": ["6 down"]}, [held])
    alone = evaluate({**document, "deal": ["4 down"]}, [*choices_of(held, 4)])
    assert several.tolist() == [alone.max()]


@given(st.sampled_from(catalog.slugs()), st.integers(0, 2**32))
def test_words_read_for_another_game_are_read_as_if_alone(slug: str, seed: int) -> None:
    """What hangs on no option is shared by all games that bring the same names."""
    chance = Random(seed)
    found = record(chance, slug, chance.choice(combinations(slug)))
    shared = checks.read(found)[0]
    assert shared is not None
    words._read_once.cache_clear()
    documents._game.cache_clear()
    chosen = {name: word for name, word in shared.game.chosen.items() if name != "unit"}
    alone = documents.game(shared.game.document, chosen)
    kept = [field.name for field in fields(alone) if field.name not in {"chosen", "document"}]
    for name in kept:
        assert getattr(alone, name) == getattr(shared.game, name)


def test_games_that_count_alike_share_what_their_cards_count() -> None:
    """Thousands of choices are remembered: each would take twice the memory otherwise."""
    games = [checks.read(record(Random(1), slug))[0] for slug in ("texas-holdem", "omaha-8")]
    one, other = (hand.game for hand in games if hand is not None)
    assert one.values is other.values
    assert one.singles is other.singles
    assert one.deck is other.deck


@settings(max_examples=examples(10))  # each is a record of every game
@given(st.integers(0, 2**32))
def test_most_records_go_the_quick_ways(seed: int) -> None:
    """The laws above would hold of quick ways that nobody goes."""
    chance = Random(seed)
    drawn = [record(chance, slug) for slug in catalog.slugs()]
    for _ in range(2):  # games of other tests may fill what is remembered, which is emptied then
        settle_many(drawn)
    hands = [hand for found in drawn if (hand := usual_hand(found)) is not None]
    answers = [
        brief_answer(*pair) for pair in zip(hands, showdowns(hands, brief=True), strict=True)
    ]
    assert len(hands) > len(drawn) / 2
    columns = HandColumns()
    assert sum(map(columns.take, drawn)) > len(drawn) / 2
    settled = [told for told in told_in_columns(columns, as_text) if told is not None]
    assert len(settled) > len(drawn) / 2
    assert any("shared" in found and usual_hand(found) is not None for found in drawn)
    assert len([answer for answer in answers if answer is not None]) > len(hands) / 2
    shapes = [Shape(hand.game.down.most, hand.game.up.most) for hand in hands]
    plans = [few_rows.plan(hand.game, shape) for hand, shape in zip(hands, shapes, strict=True)]
    assert len([plan for plan in plans if plan is not None]) > len(hands) / 3

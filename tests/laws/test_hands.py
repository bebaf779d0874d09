"""Hands in an answer use cards in play and have those cards' strength."""

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules import cards, settle
from rules.cards import CARDS, RANKS, TEXTS
from rules.documents import catalog, documents
from rules.documents.game_lookup import game_of
from rules.game.game import Game
from rules.game.grammar import TABLE_SCALES
from rules.settlement import checks, reading
from rules.showdown.naming import name_of
from rules.showdown.showdown import compare_hands
from tests.helpers.laws.records import Record, form_of, is_out, record, records
from tests.helpers.rules.measuring import strength

Answer = Mapping[str, Any]


def held_by(record: Record, player: Record) -> set[str]:
    """Return every card that a player may play."""
    shared = [item["card"] for item in record.get("shared", []) if player["name"] in item["for"]]
    piles = [card for pile in player.get("piles", {}).values() for card in pile]
    board = [card for row in record.get("board", []) for card in row]
    return {*player.get("down", []), *player.get("up", []), *shared, *piles, *board}


def shown_hands(record: Record, answer: Answer) -> Iterator[tuple[Record, str, Any]]:
    """Yield each hand in an answer: the player, the way, and the hand."""
    by_name = {player["name"]: player for player in record["players"]}
    for name, ways in answer["hands"].items():
        for way, hand in ways.items():
            if isinstance(hand, dict):
                yield by_name[name], way, hand


@given(records())
def test_hands_use_only_cards_that_the_player_may_play(record: Record) -> None:
    for player, _, hand in shown_hands(record, settle(record)):
        assert set(hand["cards"]) <= held_by(record, player)
        assert len(set(hand["cards"])) == len(hand["cards"])
        game = game_of(record).game
        assert hand["cards"] or (game is not None and game.loses_cards)
        assert set(hand["plays_as"]) <= set(hand["cards"])
        assert hand["name"]


@given(records())
def test_hands_are_shown_for_each_contested_way(record: Record) -> None:
    """docs/record.md: hands are shown for each player at the showdown.

    They are shown in every way that the player contested and qualified for.
    """
    answer = settle(record)
    ways = form_of(record)["shares"]
    for player, way, _ in shown_hands(record, answer):
        assert not is_out(player)
        declared = player.get("declared") if form_of(record)["declarations"] else "both"
        assert way in ways
        assert declared in {way, "both"}


def as_played(hand: Mapping[str, Any]) -> list[str]:
    """Return the cards of a hand, with each wild card replaced by the card it represents."""
    return [hand["plays_as"].get(card, card) for card in hand["cards"]]


@given(records())
def test_wild_cards_stand_for_cards_that_the_hand_lacks(record: Record) -> None:
    """docs/rulings.md 1: a card is repeated only to make five of a kind."""
    for _, _, hand in shown_hands(record, settle(record)):
        played = as_played(hand)
        assert all(card in CARDS for card in played)
        if len(set(played)) < len(played):
            assert len(played) == 5
            assert len({card[0] for card in played}) == 1
            assert hand["name"].startswith("five ")


def ranking_words(game: Game) -> dict[str, Any]:
    """Return the game's words about hand categories and straights, with its options applied."""
    without = [kind for kind in ("straight", "flush") if kind not in game.order]
    left_out = {"straight-flush"} if without else set()
    order = [" ".join(kind for kind in reversed(game.order) if kind not in left_out)]
    order += [f"without {kind}" for kind in without]
    order += ["with quick-quads"] if "quick-quads" in game.ways else []
    straights = " and ".join(sorted(game.ways - {"quick-quads"}))
    return {"order": order} | ({"straights": straights} if straights else {})


@given(records())
def test_displayed_hand_has_the_strength_of_its_cards(record: Record) -> None:
    """The cards in the answer have the strength that was used to compare the hand."""
    read, wrong = reading.read(record)
    assert read is not None, wrong
    if read.game.bank or not checks.needs_showdown(read):
        return
    words: dict[str, Any] = {"players": [1, 1]} | ranking_words(read.game)
    there = {card // 4 for card in read.game.deck}
    if without := [rank for place, rank in enumerate(RANKS) if place not in there]:
        words["deck"] = f"52 without {' '.join(without)}"
    showing = compare_hands(read.game, [read], with_cards=True)[0]
    answer = settle(record)
    for player, way, hand in shown_hands(record, answer):
        seat = [one["name"] for one in record["players"]].index(player["name"])
        share = next(one for one in read.game.shares if one.name == way)
        number = read.game.shares.index(share)
        alt = next(a for a in range(9) if showing.strengths[number][a][seat] >= 0)
        played = as_played(hand)
        if share.alternatives[alt].scale in TABLE_SCALES and len(set(played)) == len(played):
            text = " ".join(played)
            again = strength(share.alternatives[alt].scale, text, **words)
            assert again == showing.strengths[number][alt][seat]


@given(records())
def test_hand_name_matches_its_strength(record: Record) -> None:
    read, wrong = reading.read(record)
    assert read is not None, wrong
    if read.game.bank or not checks.needs_showdown(read):
        return
    showing = compare_hands(read.game, [read], with_cards=True)[0]
    for player, way, hand in shown_hands(record, settle(record)):
        seat = [one["name"] for one in record["players"]].index(player["name"])
        number = read.game.share_names.index(way)
        alternatives = read.game.shares[number].alternatives
        alt = next(a for a in range(9) if showing.strengths[number][a][seat] >= 0)
        played = showing.played[number, alt, seat]
        assert sorted(TEXTS[card] for card in played.cards) == sorted(hand["cards"])
        strength_shown = showing.strengths[number][alt][seat]
        assert name_of(read.game, alternatives[alt], strength_shown, played) == hand["name"]


# --- wild cards ---------------------------------------------------------------------------------


def _has_plain_scales(slug: str) -> bool:
    """Return whether every share uses a strength table without a special order.

    Neither the wild rank nor the playable cards may depend on the cards in the hand.
    """
    document = catalog.document(slug)
    game = documents.game(document, _stated_facts(document))
    scales = {a.scale for share in game.shares for a in share.alternatives}
    decided = any("rank of" in rule for key in ("wild", "bug") for rule in document.get(key, []))
    decided |= any(" when own" in rule for rule in document.get("hand", []))  # Action Razz
    plain = scales <= set(TABLE_SCALES) and not decided and "order" not in document
    return plain and not game.extra_cards and not game.dues and len(game.deck) == 52


def _stated_facts(document: Mapping[str, Any]) -> dict[str, Any]:
    options = [option for option in documents.own_options(document) if option.asked]
    return {o.name: o.least if o.is_number else o.choices[0].word for o in options}


PLAIN = [slug for slug in catalog.slugs() if _has_plain_scales(slug)]


def test_many_games_can_be_played_with_wild_jokers() -> None:
    assert len(PLAIN) > len(catalog.slugs()) / 4
    assert {"texas-holdem", "omaha-8", "nightmare", "qualifiers", "high-noon"} <= set(PLAIN)


@given(st.sampled_from(PLAIN), st.integers(0, 2**32))
def test_replacing_a_card_with_a_joker_never_weakens_a_hand(slug: str, seed: int) -> None:
    """docs/rulings.md 1: a wild card may represent any card, including itself.

    Therefore, if jokers are wild, a hand with a joker in place of a card wins at least as much.
    """
    chance = Random(seed)
    hand = record(chance, slug)
    assume("*1" not in json.dumps(hand))
    document = catalog.document(slug)
    wild = document | {"deck": "52 + 4 jokers", "wild": [*document.get("wild", []), "joker"]}
    hand["variant"] = wild
    read, wrong = reading.read(hand)
    assert read is not None, wrong
    assume(checks.needs_showdown(read))
    live = [seat for seat, one in enumerate(hand["players"]) if seat in read.live]
    seat = chance.choice(live)
    other = json.loads(json.dumps(hand))
    zones = [zone for zone in ("down", "up") if hand["players"][seat].get(zone)]
    assume(zones)
    zone = chance.choice(zones)
    place = chance.randrange(len(hand["players"][seat][zone]))
    other["players"][seat][zone][place] = "*1"
    changed, wrong = reading.read(other)
    assert changed is not None, wrong
    before, after = (
        compare_hands(one.game, [one], with_cards=False)[0].strengths for one in (read, changed)
    )
    for share, alternatives in enumerate(before):
        for alt, strengths in enumerate(alternatives):
            assert after[share][alt][seat] >= strengths[seat]


# --- cards --------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(range(cards.CARD_KINDS))))
def test_formatted_cards_parse_as_the_same_cards(codes: list[int]) -> None:
    written = cards.format_cards(codes)
    assert [cards.parse_card(text) for text in written] == codes
    assert all(len(text) == 2 for text in written)


@given(st.sampled_from(range(52)), st.booleans(), st.booleans())
def test_cards_are_read_in_any_case_and_with_tens_as_10(card: int, low: bool, upper: bool) -> None:
    """docs/record.md: `10h` and cards in upper or lower case are also accepted."""
    rank, suit = TEXTS[card]
    written = (rank.lower() if low else rank) + (suit.upper() if upper else suit)
    assert cards.parse_card(written) == card
    if rank == "T":
        assert cards.parse_card(f"10{suit}") == card


@given(st.text(max_size=4))
def test_text_that_is_not_a_card_is_refused(text: str) -> None:
    if text in CARDS:
        written = TEXTS[CARDS[text]]
        assert text.upper().replace("10", "T") == written.upper()
    else:
        with pytest.raises(KeyError):
            cards.parse_card(text)

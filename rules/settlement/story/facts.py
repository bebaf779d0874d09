"""What a hand is and what beat it, as plain facts: codes, cards, ranks, chips, names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from rules.cards import CARDS, RANKS, TEXTS, format_cards
from rules.game.game import Alternative, Game
from rules.game.grammar import BADUGI_SCALES, TABLE_SCALES
from rules.game.hand import Hand
from rules.ranking import Scale, read_strength
from rules.settlement.checks import lying_at
from rules.showdown.measures.points import points_of
from rules.showdown.naming import counted_singles, plays_as
from rules.showdown.scales import scale_of
from rules.showdown.showdown import Showdown, best_as

Facts = dict[str, Any]
Reason = dict[str, Any]
SINGLE_SCALES = ("highest", "lowest")
BADUGI_CARDS = 4
MOST_ROWS = 3  # that have a name at the table


@dataclass(frozen=True)
class Hands:
    """What was shown: by player and share as the answer has it, and the strengths behind it."""

    named: Mapping[str, Mapping[str, Any]]
    showdown: Showdown
    # told already
    made: dict[tuple[int, int, int | None, bool], Facts | None] = field(default_factory=dict)
    lying: dict[str, str] = field(default_factory=dict)  # the common cards by slot


def made_hand(
    hand: Hand,
    hands: Hands,
    seat: int,
    share: int,
    measure: int | None = None,
    *,
    wins: bool = False,
) -> Facts | None:
    """A player's hand on a measure of a share, or on the first that it qualifies for; of one that
    wins also where its cards lie, if there are several rows. In however many pots, found once."""
    key = (seat, share, measure, wins)
    if key not in hands.made:
        hands.made[key] = _made_hand(hand, hands, *key)
    return hands.made[key]


def _made_hand(
    hand: Hand, hands: Hands, seat: int, share: int, measure: int | None, wins: bool
) -> Facts | None:
    game = hand.game
    shown = hands.named.get(hand.players[seat].name, {}).get(game.share_names[share])
    if shown is None:
        return None
    strengths = hands.showdown.strengths[share]
    first = next(index for index, some in enumerate(strengths) if some[seat] >= 0)
    index = first if measure is None else measure
    alternative = game.shares[share].alternatives[index]
    played = hands.showdown.played[share, index, seat]
    cards, stands = shown["cards"], shown["plays_as"]
    if index != first:  # of several measures the answer shows the first
        cards, stands = format_cards(played.cards), plays_as(game, alternative, played)
    counted = format_cards(counted_singles(alternative, played))
    facts = measured(game, alternative, strengths[index][seat], cards, stands, counted)
    if wins and not alternative.patterns and not alternative.line and has_places(game):
        facts["lies"] = _lies(hand, hands, cards)
    return facts


def measured(
    game: Game,
    alternative: Alternative,
    strength: int,
    cards: Sequence[str],
    plays_as: Mapping[str, str],
    counted: Sequence[str],
) -> Facts:
    """A hand of this strength: what it counts as, its cards, what the wild ones stand for; of
    single cards those that are `counted`."""
    name = alternative.scale
    facts: Facts
    if name in TABLE_SCALES:
        category, ranks = _ranked(scale_of(game, name), strength)
        facts = {"scale": name, "category": category, "ranks": [*ranks], "cards": [*cards]}
    elif name in SINGLE_SCALES:
        singles = [card for _, card in _standing(game, alternative, counted, plays_as)]
        facts = {"scale": name, "deciding": singles, "cards": [*cards]}
    elif name in BADUGI_SCALES:
        facts = {"scale": name, "ranks": _badugi_ranks(name, strength), "cards": [*cards]}
    elif name == "holds":
        wanted = sorted(alternative.cards.cards if alternative.cards else (), reverse=True)
        facts = {"scale": name, "deciding": format_cards(wanted), "cards": [*cards]}
    else:
        points = points_of(game, alternative, strength)
        facts = {"scale": name, "points": points, "cards": [*cards]}
        facts |= {"number": alternative.number} if name == "nearest" else {}
    if plays_as and (stands := {one: card for one, card in plays_as.items() if one != card}):
        facts["plays_as"] = stands
    return facts


@lru_cache(maxsize=8192)  # of two players in a game often the same
def _ranked(scale: Scale, strength: int) -> tuple[str, tuple[str, ...]]:
    category, ranks = read_strength(scale, strength)
    return category, tuple(RANKS[(rank - 2) % 13] for rank in ranks)


def _badugi_ranks(scale: str, strength: int) -> list[str]:
    size, packed = strength >> 20, strength & 0xFFFF
    value = packed if scale == "hidugi" else 0xFFFF - packed
    return [RANKS[((value >> shift & 15) - 2) % 13] for shift in (12, 8, 4, 0)[:size]]


def _standing(
    game: Game, alternative: Alternative, counted: Sequence[str], plays_as: Mapping[str, str]
) -> list[tuple[int, str]]:
    """Cards that are compared one by one, the best first, and where each stands."""
    sign = -1 if alternative.scale == "lowest" else 1
    values = [game.singles.get(CARDS[plays_as.get(card, card)], 0) for card in counted]
    standing = [(sign * value, card) for value, card in zip(values, counted, strict=True)]
    return sorted(standing, key=lambda each: -each[0])


def bar_of(share: str, alternative: Alternative) -> Facts | None:
    """What it takes to qualify for a share; None where anything does."""
    bar = alternative.bar
    if bar is None:
        return None
    facts: Facts = {"share": share, "scale": alternative.scale}
    if alternative.scale in BADUGI_SCALES:
        facts["cards"] = bar.number if bar.category == "cards" else BADUGI_CARDS
    elif alternative.scale in TABLE_SCALES:
        facts["category"] = bar.category
    else:
        return facts | {"number": bar.number}
    return facts if bar.rank is None else facts | {"rank": RANKS[bar.rank]}


def table_hand(hand: Hand, share: int, measure: int) -> Facts | None:
    """The hand on the table that must be beaten for a share."""
    beating = hand.game.shares[share].alternatives[measure].beating
    changes = {"patterns": beating, "beating": (), "bar": None, "after": None}
    found, best = best_as(hand, hand.live[:1], (share, measure), **changes)
    if not best:
        return None
    [(strength, played)] = best.values()
    cards, stands = format_cards(played.cards), plays_as(hand.game, found, played)
    counted = format_cards(counted_singles(found, played))
    return measured(hand.game, found, strength, cards, stands, counted)


def points_over(hand: Hand, seats: Sequence[int], share: int, measure: int) -> dict[str, float]:
    """What hands count, by player, that are over the number of their measure."""
    changes = {"scale": "least points", "bar": None}
    found, best = best_as(hand, seats, (share, measure), **changes) if seats else (None, {})
    return {
        hand.players[seat].name: points_of(hand.game, found, best[seat][0])
        for seat in seats
        if found is not None and seat in best
    }


# --- what decides -------------------------------------------------------------------------------


def decided_by(game: Game, alternative: Alternative, ours: Facts, theirs: Facts) -> Facts | None:
    """The first rank or card that decides between hands of one kind; `over` nothing where the
    other has no more."""
    if alternative.scale in TABLE_SCALES:
        if ours["category"] != theirs["category"]:
            return None
        pairs = zip_longest(ours["ranks"], theirs["ranks"])
        found = next(((one, other) for one, other in pairs if one != other), None)
    elif alternative.scale in SINGLE_SCALES:
        standing, others = (
            _standing(game, alternative, one["deciding"], one.get("plays_as", {}))
            for one in (ours, theirs)
        )
        apart = zip_longest(standing, others, fillvalue=(None, ""))
        raw = next(((one[1], two[1]) for one, two in apart if one[0] != two[0]), None)
        stands = (ours.get("plays_as", {}), theirs.get("plays_as", {}))
        found = raw and (stands[0].get(raw[0], raw[0]), stands[1].get(raw[1], raw[1]))
    else:
        return None
    return {"by": found[0], "over": found[1] or None} if found and found[0] else None


# --- where cards lie ----------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _rows(game: Game) -> tuple[tuple[str, ...], ...]:
    """The rows of a board as players see them: with the cards that belong to several."""
    whole = [
        next((n for n, row in enumerate(game.board) if len(row) > 1 and {*row} <= {*line}), None)
        for line in game.lines
    ]
    apart = None not in whole and len(set(whole)) == len(whole)
    return game.lines if apart and 1 < len(whole) <= MOST_ROWS else game.board


@lru_cache(maxsize=1024)
def _lines(game: Game) -> tuple[tuple[Facts, tuple[str, ...]], ...]:
    """The lines across the board that a hand may play, each with what players call it; none where
    hands do not play lines."""
    places = {p.zone for pattern in game.hand for term in pattern.terms for p in term.places}
    if "line" not in places or _rows(game) == game.lines:
        return ()
    return tuple((_called(game, line), line) for line in game.lines)


def _called(game: Game, line: tuple[str, ...]) -> Facts:
    """A line by its place on the board, the rows of which begin at the left: a whole row, a whole
    column, a diagonal of a square; any other is just a line."""
    rows, slots = game.board, {*line}
    for number, row in enumerate(rows, start=1):
        if slots == {*row}:
            return {"kind": "row", "number": number, "of": len(rows)}
    columns = [
        [row[at] for row in rows if len(row) > at] for at in range(max(map(len, rows), default=0))
    ]
    for number, column in enumerate(columns, start=1):
        if slots == {*column} and len(rows) > 1:
            return {"kind": "column", "number": number, "of": len(columns)}
    if all(len(row) == len(rows) > 1 for row in rows):
        falling = {row[at] for at, row in enumerate(rows)}
        rising = {row[-at - 1] for at, row in enumerate(rows)}
        if slots in (falling, rising):
            return {"kind": "diagonal"}
    return {"kind": "line"}


def has_places(game: Game) -> bool:
    """Whether a hand may play one part of the board and not another."""
    return len(game.board) > 1 or bool(_lines(game))


def _lies(hand: Hand, hands: Hands, cards: Sequence[str]) -> Facts:
    """Which cards of a hand are the player's, which the board's, and of which line or row."""
    if not hands.lying:
        common = {card for row in hand.common_rows for card in row}
        hands.lying.update(
            (slot, TEXTS[card]) for slot, card in lying_at(hand).items() if card in common
        )
    lying, on_board = hands.lying, {*hands.lying.values()}
    board = [card for card in cards if card in on_board]
    facts: Facts = {"hand": [card for card in cards if card not in on_board], "board": board}
    if lines := _lines(hand.game):
        there = [(called, [lying[s] for s in line if s in lying]) for called, line in lines]
        whole = [each for each in there if {*each[1]} == {*board}]
        played = whole or [each for each in there if {*each[1]} >= {*board}]
        if board and len(played) == 1:
            facts["line"] = {**played[0][0], "cards": played[0][1]}
        return facts
    rows = [{lying[slot] for slot in row if slot in lying} for row in _rows(hand.game)]
    alike = [number for number, row in enumerate(rows, 1) if row >= {*board}]
    if len(alike) == 1:
        facts["row"], facts["rows"] = alike[0], len(rows)
    return facts

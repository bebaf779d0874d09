"""Estimate whether two records describe the same deal.

If both records contain cards, they are compared, because players do not get the same cards twice.
Otherwise the game and the dealer are compared, if both hands were recorded within minutes.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any

from rules.cards import CARDS, UNSEEN

# A player deals again only after everyone else has dealt, which takes longer than this.
NEAR = timedelta(minutes=12)
COMPARED_APART = ("players", "button", "took", "variant", "modifiers")
Record = Mapping[str, Any]


class Match(IntEnum):
    NONE = 0  # two different deals
    POSSIBLE = 1  # may be the same deal
    DIFFERENT = 2  # the same deal, but recorded differently
    DETAILED = 3  # the same deal and money, but only one record has cards
    IDENTICAL = 4  # the same deal and money


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedHand:
    """A settled record.

    `names` maps names to player ids. `game` is the hash of the game's document.
    """

    record: Record
    answer: Record
    names: Mapping[str, str]
    game: str
    made_at: datetime


def match_of(one: RecordedHand, other: RecordedHand) -> Match:
    """Return how likely it is that the records describe the same deal, and whether they agree."""
    agreed, near = agreement(one, other), abs(one.made_at - other.made_at) <= NEAR
    same_cards = agreed is not None and agreed >= 0.5
    if has_same_content(one, other) and (same_cards or (agreed is None and near)):
        return Match.IDENTICAL
    if agreed is not None:
        return Match.DIFFERENT if same_cards else Match.NONE
    game, dealer = one.game == other.game, _dealer(one) == _dealer(other)
    if not (game and dealer and near):
        return Match.POSSIBLE if game or dealer or _net(one) == _net(other) else Match.NONE
    # The records agree if the money is the same and only one of them has cards.
    if _is_result(one) == _is_result(other) or _outcome(one) != _outcome(other):
        return Match.DIFFERENT
    return Match.IDENTICAL if _is_result(one) else Match.DETAILED


def has_same_content(one: RecordedHand, other: RecordedHand) -> bool:
    """Check whether both records have the same content, ignoring order and letter case."""
    return (one.game, _money(one), _identity(one)) == (other.game, _money(other), _identity(other))


def agreement(one: RecordedHand, other: RecordedHand) -> float | None:
    """Return the proportion of cards that agree, from 0 to 1, or None if a record has no cards.

    Each zone is compared with the most similar zone of the other record, so cards that were entered
    for the wrong player still agree.
    """
    pairs = [
        (mine, theirs)
        for kind in ("down", "up", "board")
        for mine, theirs in _closest(list(_zones(one, kind)), list(_zones(other, kind)))
    ]
    compared = sum(min(len(mine), len(theirs)) for mine, theirs in pairs)
    agreed = sum(len(mine & theirs) for mine, theirs in pairs)
    return agreed / compared if compared else None


def _closest(
    mine: list[frozenset[int]], theirs: list[frozenset[int]]
) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """Yield each zone of the shorter list with the most similar zone of the other list.

    Every zone is used at most once.
    """
    few, many = sorted((mine, list(theirs)), key=len)
    left = list(many)
    for zone in few:
        best = max(left, key=lambda other: len(other & zone))
        left.remove(best)
        yield zone, best


def _zones(hand: RecordedHand, kind: str) -> Iterator[frozenset[int]]:
    record = hand.record
    rows = record.get("board") if kind == "board" else [p.get(kind) for p in record["players"]]
    for row in rows or ():
        if cards := frozenset(card for card in _cards(row) if card != UNSEEN):
            yield cards


def _cards(row: object) -> list[int]:
    return [CARDS[card] for card in row] if isinstance(row, list) else []


def _dealer(hand: RecordedHand) -> str:
    players, button = hand.record["players"], hand.record["button"]
    return hand.names[players[button]["name"]]


def _is_result(hand: RecordedHand) -> bool:
    return bool(hand.record.get("depth") == "result")


def _outcome(hand: RecordedHand) -> tuple[Any, ...]:
    """Return each player's net and the carried chips.

    Payments are not compared, because a result does not record uncalled chips.
    """
    return _net(hand), hand.answer["carry"], hand.record.get("carried") or 0


def _net(hand: RecordedHand) -> dict[str, int]:
    net: Mapping[str, int] = hand.answer["net"]
    return {hand.names[name]: chips for name, chips in net.items() if chips}


def _money(hand: RecordedHand) -> tuple[Any, ...]:
    """Return the chips paid, returned and won, keyed by player, and the carry."""
    chips = {
        key: {hand.names[name]: number for name, number in hand.answer[key].items() if number}
        for key in ("paid", "returned", "won")
    }
    return chips, hand.answer["carry"]


def _identity(hand: RecordedHand) -> dict[str, Any]:
    """Return the record's content except the game.

    Card order, spelling and empty values are removed.
    """
    record, names = hand.record, hand.names
    return {
        "dealer": _dealer(hand),
        "modifiers": list(record.get("modifiers") or ()),
        "players": {names[player["name"]]: _player(player) for player in record["players"]},
        "took": {names[name]: chips for name, chips in (record.get("took") or {}).items() if chips},
        "board": [Counter(_cards(row)) for row in record.get("board") or ()],
        **{
            key: value
            for key, value in record.items()
            if value and key not in (*COMPARED_APART, "board", "runs")
        },
        "runs": [
            {
                **run,
                "players": {
                    names[player["name"]]: _player(player) for player in run.get("players") or ()
                },
                "board": [Counter(_cards(row)) for row in run.get("board") or ()],
            }
            for run in record.get("runs") or ()
        ],
    }


def _player(player: Record) -> dict[str, Any]:
    identity = {key: value for key, value in player.items() if value and key != "name"}
    return {
        key: Counter(_cards(value)) if key in ("down", "up", "out") else value
        for key, value in identity.items()
    }

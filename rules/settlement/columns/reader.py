"""Reads usual records into columns.

A record of which anything rare is told, or that may be wrong, is not taken: others look at it
(`rules.settlement.usual_records` and the full reader) and say what it is. Cards are looked at when
all are there (`rules.settlement.columns.hands`).
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rules.cards import TEXTS
from rules.documents.game_lookup import known_game
from rules.game.hand import MOST_CHIPS, MOST_PLAYERS, Carried, Player
from rules.settlement.columns import hands
from rules.settlement.columns.hands import (
    MOST_CARDS,
    ColumnHand,
    Dealt,
    Names,
    Rules,
    are_twos,
    names_of,
    rules_of,
)
from rules.settlement.reader import Reader
from rules.settlement.usual_records import USUAL_RECORD_KEYS

NOTHING: list[Any] = []
Found = TypeVar("Found")
Held = list[list[str]]  # cards that some hold together, by seat


class HandColumns:
    """Hands of a batch, in the order in which they were taken."""

    def __init__(self) -> None:
        self.hands: list[ColumnHand] = []
        self._cards: list[str] = []
        self._copies: list[str] = []

    def take(self, record: object) -> bool:
        """Take the hand of a record; False for one that others must look at."""
        if type(record) is not dict or not USUAL_RECORD_KEYS.issuperset(record):
            return False
        found = known_game(record)  # another one takes its time, and must not take it twice
        if found is None or found.game is None or (rules := rules_of(found.game)) is None:
            return False
        try:
            hand, cards, copies = _read(record, found.variant, rules, len(self._copies))
        except (KeyError, TypeError, ValueError):
            return False
        self.hands.append(hand)
        self._cards.append(cards)
        self._copies += copies
        return True

    def dealt(self) -> Dealt:
        """The cards of all hands."""
        return hands.dealt(self.hands, self._cards, self._copies)


# Whatever reads a part of a record raises KeyError, TypeError or ValueError for what is unusual.


def _read(
    record: dict[str, Any], variant: str, rules: Rules, copied: int
) -> tuple[ColumnHand, str, list[str]]:
    """The hand of a record, its cards, and those that are copied behind so many."""
    raw, button = record["players"], record["button"]
    if type(raw) is not list or len(raw) > MOST_PLAYERS or {*map(type, raw)} != {dict}:
        raise TypeError
    if type(button) is not int or not 0 <= button < len(raw):
        raise TypeError
    names = names_of(tuple([one["name"] for one in raw]))
    hand = ColumnHand(rules, variant, button, names, _paid(raw))
    together, held = _shared(record, names) if "shared" in record else (NOTHING, None)
    cards = _seated(hand, raw, held)
    cards += together
    cards += _board(rules, record.get("board", NOTHING))
    text = " ".join(cards)
    if not 0 < len(cards) <= MOST_CARDS or not are_twos(text, len(cards)):
        raise ValueError
    hand.count = len(cards)
    hand.carried, hand.took = _carried(record, names), _took(record, names)
    if held is None:
        return hand, text, NOTHING
    return hand, text, _copies(hand, raw, held, copied)


def _paid(raw: list[dict[str, Any]]) -> list[int]:
    paid = [one.get("paid", 0) for one in raw]
    if {*map(type, paid)} != {int} or min(paid) < 0 or max(paid) > MOST_CHIPS:
        raise ValueError
    return paid


def _seated(hand: ColumnHand, raw: list[dict[str, Any]], held: Held | None) -> list[str]:
    """The cards of all players, what is told of each put down."""
    rules, enough = hand.rules, True
    cards: list[str] = []
    least_down, most_down, least_up, most_up = rules.card_bounds
    for seat, one in enumerate(raw):
        down, up = one.get("down", NOTHING), one.get("up", NOTHING)
        if type(down) is not list or type(up) is not list:
            raise TypeError
        lie_down, lie_up = len(down), len(up)
        if held is not None:
            lie_down += len(held[seat])
        if lie_down > most_down or lie_up > most_up:
            raise ValueError
        usual = len(one) == 1 + ("paid" in one) + ("down" in one) + ("up" in one)
        if usual or _is_in(hand, seat, one):
            hand.live.append(seat)
            hand.sizes.append((lie_down, lie_up))
            hand.places.append(len(cards))
            enough = enough and lie_down >= least_down and lie_up >= least_up
        cards += down
        cards += up
    _check_live(hand, enough=enough)
    return cards


def _check_live(hand: ColumnHand, *, enough: bool) -> None:
    """Whoever is compared has enough cards, and declared where that counts."""
    live, rules = hand.live, hand.rules
    if len(live) == 1 and not rules.must_show:
        return
    if len(live) < 2 or not enough:
        raise ValueError
    if rules.declares and not {*map(hand.declared.get, live)} <= rules.declarations.keys():
        raise ValueError


def _board(rules: Rules, rows: Any) -> list[str]:
    if type(rows) is not list or {*map(type, rows)} - {list}:
        raise TypeError
    if [*map(len, rows)] != rules.row_lengths:
        raise ValueError
    return rows[0] if len(rows) == 1 else [card for row in rows for card in row]


def _copies(hand: ColumnHand, raw: list[dict[str, Any]], held: Held, copied: int) -> list[str]:
    """The cards of all who are in, those that they hold with others behind those down."""
    copies: list[str] = []
    hand.copied, hand.places = True, []
    for seat in hand.live:
        hand.places.append(copied + len(copies))
        copies += [*raw[seat].get("down", NOTHING), *held[seat], *raw[seat].get("up", NOTHING)]
    return copies


# --- what is told of a player now and then ------------------------------------------------------


def _is_in(hand: ColumnHand, seat: int, raw: dict[str, Any]) -> bool:
    """Whether a player is in; what else is told is put down."""
    is_in = True
    for key, value in raw.items():
        put = PLAYER_KEYS[key]
        if put is not None and not put(hand, seat, value):
            is_in = False
    return is_in


def _put_all_in(hand: ColumnHand, seat: int, value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError
    if value:
        hand.all_in.append(seat)
    return True


def _put_folded(hand: ColumnHand, seat: int, value: Any) -> bool:
    if value == "late":
        hand.late.append(seat)
    elif type(value) is not bool:
        raise TypeError
    return not value


def _put_mucked(hand: ColumnHand, seat: int, value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError
    return not value


def _put_declared(hand: ColumnHand, seat: int, value: Any) -> bool:
    if type(value) is str:
        hand.declared[seat] = value
    elif value is not None:
        raise TypeError
    return True


def _put_dead(hand: ColumnHand, seat: int, value: Any) -> bool:
    if type(value) is not int or not 0 <= value <= hand.paid[seat]:
        raise ValueError
    if value:
        hand.dead[seat] = value
    return True


PLAYER_KEYS: dict[str, Callable[[ColumnHand, int, Any], bool] | None] = {
    **dict.fromkeys(("name", "paid", "down", "up")),
    "all_in": _put_all_in,
    "folded": _put_folded,
    "mucked": _put_mucked,
    "declared": _put_declared,
    "dead": _put_dead,
}


# --- what is told beside the players; the full reader reads what is more than a number ----------


def _shared(record: dict[str, Any], names: Names) -> tuple[list[str], Held]:
    """Cards that some hold together: each of them, and those of each seat."""
    players = [Player(name) for name in names.told]
    found = _good(Reader(record), lambda reader: reader.shared(players, names.seats))
    texts = [TEXTS[card] for card in found]
    return texts, [[TEXTS[card] for card in player.shared] for player in players]


def _carried(record: dict[str, Any], names: Names) -> Sequence[Carried]:
    carried = record.get("carried", 0)
    if type(carried) is int and 0 <= carried <= MOST_CHIPS:
        return (Carried(carried),) if carried else ()
    return _good(Reader(record), lambda reader: reader.carried(names.seats))


def _took(record: dict[str, Any], names: Names) -> dict[str, int] | None:
    told = record.get("took")
    if told is None:
        return None
    if type(told) is dict and told.keys() <= names.seats.keys():
        chips = told.values()
        if {*map(type, chips)} == {int} and min(chips) >= 0 and max(chips) <= MOST_CHIPS:
            return told
    return _good(Reader(record), lambda reader: reader.took(names.seats))


def _good(reader: Reader, read: Callable[[Reader], Found]) -> Found:
    found = read(reader)
    if reader.problems:
        raise ValueError
    return found

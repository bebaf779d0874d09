"""From the words of a document, options put in, to a `Game`; every misread word is kept."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any, TypeVar

from rules.cards import FIRST_JOKER, NATURAL_CARDS
from rules.game.game import Alternative, Betting, Game, Option, Pattern, Place, Term
from rules.game.grammar import (
    SLOT_NAME,
    Misread,
    Names,
    Words,
    read_alternatives,
    read_betting,
    read_card_list,
    read_deck,
    read_due,
    read_hand,
    read_kill,
    read_number,
    read_points,
    read_share,
    read_steps,
    read_wild,
)
from rules.game.workload import MOST_PILES, MOST_ROWS, MOST_SLOTS
from rules.game.zones import Zones, count_zones
from rules.ranking import CATEGORIES, FOUR_FLUSH, FOUR_STRAIGHT

T = TypeVar("T")
Misreads = list[tuple[str, Misread]]

PIPS = {rank: (min(rank + 2, 10),) for rank in range(12)} | {12: (1,)}
NO_TIEBREAK: tuple[str, int, tuple[Alternative, ...]] = ("split", 0, ())
ANY_FIVE = Pattern((Term("count", (Place("own"), Place("board")), 5, 5),), text="any 5")

WORDS = {
    "direction": ("clockwise", "counter-clockwise"),
    "declare": ("cards-speak", "high-low", "row"),
    "both_ways": ("outright", "unbeaten"),
    "alone": ("wins", "must-qualify"),
    "unwon": ("carry", "split"),
}


class Reader:
    """Reads the strings of one document, keeping what can't be read."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.misreads: Misreads = []

    def one(self, key: str, default: str) -> str:
        """A word of a fixed set."""
        word = str(self.document.get(key, default))
        if word not in WORDS[key]:
            self.misreads.append((key, Misread(word, f"{word!r} is not understood", WORDS[key])))
            return default
        return word

    def text(self, key: str, default: T, read: Callable[[str], T]) -> T:
        if key not in self.document:
            return default
        try:
            return read(self.document[key])
        except Misread as misread:
            self.misreads.append((key, misread))
            return default

    def each(self, key: str, read: Callable[[str], T]) -> list[T]:
        found: list[T] = []
        for index, text in enumerate(self.document.get(key, ())):
            try:
                found.append(read(text))
            except Misread as misread:
                self.misreads.append((f"{key}/{index}", misread))
        return found


def read_game(
    document: Mapping[str, Any],
    resolved: Mapping[str, Any],
    options: Iterable[Option],
    chosen: Mapping[str, str | int],
) -> tuple[Game | None, Misreads]:
    """The game, or None with every word that was not understood."""
    reader = Reader(resolved)
    options = tuple(options)
    board = tuple(reader.each("board", _read_row))
    _no_slot_twice(reader, board)
    slots = frozenset(slot for row in board for slot in row)
    piles = _piles(resolved.get("deal", ()))
    if too_many := _too_many(board, piles):
        return None, [*reader.misreads, *too_many]  # every word misread would be told all of them
    names = Names(slots, piles, frozenset(chosen), dict(chosen), _choices(options))
    lines = tuple(reader.each("lines", lambda text: _read_line(text, names)))
    steps = tuple(
        step for some in reader.each("deal", lambda t: read_steps(t, names)) for step in some
    )
    pieces = _read_pieces(reader, names)
    if reader.misreads:
        return None, reader.misreads
    deal = count_zones(steps)
    players = document.get("players", [2, 8])
    game = Game(
        name=document["name"],
        aliases=tuple(document.get("aliases", ())),
        by=document.get("by", ""),
        source=document.get("source", ""),
        players=(players[0], players[1]),
        clockwise=pieces.pop("direction") == "clockwise",
        steps=steps,
        board=board,
        lines=lines or board,
        options=options,
        chosen=dict(chosen),
        document=document,
        **_zone_fields(deal),
        **pieces,
    )
    return game, []


def _zone_fields(deal: Zones) -> dict[str, Any]:
    return {
        "piles": tuple(deal.piles),
        "down": deal.down,
        "up": deal.up,
        "pile_cards": dict(deal.piles),
        "turned": deal.turned,
        "extra_cards": deal.extra_cards,
    }


def _read_pieces(reader: Reader, names: Names) -> dict[str, Any]:
    """The fields of a game that do not depend on one another."""
    hand = [pattern for pattern in reader.each("hand", lambda t: read_hand(t, names)) if pattern]
    shares = [share for share in reader.each("shares", lambda t: read_share(t, names)) if share]
    ties, cards, tiebreak = reader.text("ties", NO_TIEBREAK, lambda t: _read_ties(t, names))
    return {
        "deck": reader.text("deck", frozenset(range(NATURAL_CARDS)), read_deck),
        "direction": reader.one("direction", "clockwise"),
        "betting": reader.text("betting", Betting(), read_betting),
        "hand": tuple(hand) or (ANY_FIVE,),
        "wild": tuple(rule for rule in reader.each("wild", lambda t: read_wild(t, names)) if rule),
        "bug": tuple(rule for rule in reader.each("bug", lambda t: read_wild(t, names)) if rule),
        "kill": tuple(reader.each("kill", read_kill)),
        "values": _values(reader.each("points", read_points)),
        "singles": _singles(reader.each("top", _read_top)),
        "order": reader_order(reader),
        "shares": tuple(shares),
        "declare": reader.one("declare", "cards-speak"),
        "both_ways": reader.one("both_ways", "outright"),
        "alone": reader.one("alone", "wins"),
        "unwon": reader.one("unwon", "carry"),
        "ties": ties,
        "tiebreak": tiebreak,
        "tiebreak_cards": cards,
        "dues": tuple(reader.each("dues", read_due)),
    }


def _choices(options: Iterable[Option]) -> dict[str, tuple[str, ...]]:
    return {option.name: tuple(c.word for c in option.choices) for option in options}


def _read_row(text: str) -> tuple[str, ...]:
    slots = text.split()
    for slot in slots:
        if not SLOT_NAME.match(slot):
            raise Misread(slot, f"{slot!r} is no name for a slot: letters and digits", ())
    if not slots:
        raise Misread("", "a row needs at least one slot", ())
    return tuple(slots)


def _too_many(board: tuple[tuple[str, ...], ...], piles: frozenset[str]) -> Misreads:
    """Rows, slots and piles beyond those that a table can hold."""
    slots, found = sum(map(len, board)), []
    if len(board) > MOST_ROWS or slots > MOST_SLOTS:
        reason = f"at most {MOST_ROWS} rows and {MOST_SLOTS} slots, here are {slots}"
        found.append(("board", Misread("", reason, ())))
    if len(piles) > MOST_PILES:
        reason = f"at most {MOST_PILES} piles, here are {len(piles)}"
        found.append(("deal", Misread("", reason, ())))
    return found


def _no_slot_twice(reader: Reader, board: tuple[tuple[str, ...], ...]) -> None:
    seen: set[str] = set()
    for index, row in enumerate(board):
        for slot in row:
            if slot in seen:
                misread = Misread(slot, f"the board has the slot {slot!r} already", ())
                reader.misreads.append((f"board/{index}", misread))
            seen.add(slot)


def _read_line(text: str, names: Names) -> tuple[str, ...]:
    for slot in text.split():
        if slot not in names.slots:
            raise Misread(slot, f"the board has no slot {slot!r}", sorted(names.slots))
    return _read_row(text)


def _piles(deal: Iterable[str]) -> frozenset[str]:
    """The piles that a deal makes: `3 to front`, `set front 3 back 5`."""
    piles = set()
    for text in deal:
        words = text.partition(" when ")[0].split()
        piles |= {pile for to, pile in pairwise(words) if to == "to"}
        if words[:1] == ["set"]:
            piles |= set(words[1::2])
    return frozenset(piles)


def _values(
    tables: Iterable[tuple[frozenset[int], tuple[int, ...], bool]],
) -> dict[int, tuple[int, ...]]:
    values: dict[int, tuple[int, ...]] = {c: PIPS[c // 4] for c in range(NATURAL_CARDS)}
    values |= dict.fromkeys(range(FIRST_JOKER, FIRST_JOKER + 4), (0,))
    minus: frozenset[int] = frozenset()
    for cards, counts, negative in tables:
        if negative:
            minus |= cards
        else:
            values |= dict.fromkeys(cards, counts)
    for card in minus:
        values[card] = tuple(-value for value in values[card])
    return values


def _read_top(text: str) -> tuple[int, ...]:
    words = Words(text)
    return tuple(read_card_list(words))


def _singles(groups: list[tuple[int, ...]]) -> dict[int, int]:
    """Where each card stands when single cards are compared; the groups stand above the rest."""
    singles = {card: card + 1 for card in range(NATURAL_CARDS)}
    singles |= dict.fromkeys(range(FIRST_JOKER, FIRST_JOKER + 4), 0)
    for above, group in enumerate(reversed(groups), start=1):
        singles |= dict.fromkeys(group, NATURAL_CARDS + above)
    return singles


def reader_order(reader: Reader) -> tuple[str, ...]:
    """The order of categories, weakest first, from the strongest-first list of a document.

    The usual categories that are named change places among themselves; a category that is not
    usual (a four-flush) comes right below the one named before it.
    """
    usual = list(reversed(CATEGORIES))
    known = (*usual, FOUR_FLUSH, FOUR_STRAIGHT)
    named: list[str] = []
    for index, text in enumerate(reader.document.get("order", ())):
        for word in text.split():
            if word not in known or word in named:
                misread = Misread(word, f"{word!r} is no category, or named twice", known)
                reader.misreads.append((f"order/{index}", misread))
            else:
                named.append(word)
    moved = iter([word for word in named if word in usual])
    order = [next(moved) if word in named else word for word in usual]
    for place, word in enumerate(named):
        if word in {FOUR_FLUSH, FOUR_STRAIGHT}:
            before = named[place - 1] if place else None
            order.insert(order.index(before) + 1 if before in order else 0, word)
    return tuple(reversed(order))


def _read_ties(text: str, names: Names) -> tuple[str, int, tuple[Alternative, ...]]:
    """`split`, `first`, or `deal 5: high pair-or-better else highest`."""
    head, colon, sentence = text.partition(":")
    words = Words(head)
    how = words.expect("split", "first", "deal")
    if how != "deal":
        words.done()
        return how, 0, ()
    cards = read_number(words, most=5)
    words.done()
    if not colon:
        raise Misread(text, "after 'deal 5' a colon and how the hands compare are needed", (":",))
    rest = Words(sentence)
    alternatives = read_alternatives(rest, names)
    rest.done()
    if not cards or any(alternative.patterns or alternative.line for alternative in alternatives):
        raise Misread(text, "a round is of one to five cards, and all of them are compared", ())
    return how, cards, alternatives

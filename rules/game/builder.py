"""Build a `Game` from the text of a document with its options, and collect all parse errors."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from itertools import chain, pairwise
from typing import Any, TypeVar

from rules.cards import FIRST_JOKER, NATURAL_CARDS
from rules.game.category_order import category_order, read_straights, ways
from rules.game.game import (
    Alternative,
    Betting,
    Game,
    MatchRules,
    Option,
    Pattern,
    Place,
    Range,
    Share,
    Step,
    Term,
    common_rows,
)
from rules.game.grammar import (
    GrammarError,
    Names,
    Row,
    Words,
    in_game,
    read_alternatives,
    read_betting,
    read_card_list,
    read_deck,
    read_due,
    read_hand,
    read_kill,
    read_line,
    read_match_rule,
    read_number,
    read_points,
    read_row,
    read_share,
    read_steps,
    read_wild,
)
from rules.game.grammar.patterns import UNUSED, ZONES
from rules.game.workload import MOST_PILES, MOST_ROWS, MOST_SLOTS

# The number of cards in each zone after the deal.


@dataclass
class Zones:
    """The fewest and the most cards of each zone, updated step by step."""

    least: dict[str, int] = field(default_factory=lambda: {"down": 0, "up": 0})
    most: dict[str, int] = field(default_factory=lambda: {"down": 0, "up": 0})
    piles: dict[str, int] = field(default_factory=dict)
    turned: int | None = None
    extra_cards: frozenset[int] = frozenset()

    @property
    def down(self) -> Range:
        return Range(max(self.least["down"], 0), max(self.most["down"], 0))

    @property
    def up(self) -> Range:
        return Range(max(self.least["up"], 0), max(self.most["up"], 0))

    @property
    def together(self) -> int:
        """Return the maximum number of cards a player may hold at once, without earned cards."""
        if self.turned is not None:
            return self.turned
        dealt = self.most["down"] + self.most["up"] - 2 * len(self.extra_cards)
        return dealt + sum(self.piles.values())

    def add(self, zone: str, least: int, most: int) -> None:
        self.least[zone] += least
        self.most[zone] += most

    def discard(self, step: Step) -> None:
        touched = (
            ("down", "up") if step.zone == "any" and self.most["up"] else (step.zone or "down",)
        )
        if step.place:  # discards all cards whose rank matches a board card; there may be none
            self.least.update((zone, 0) for zone in touched if zone != "any")
            return
        for zone in touched:
            kept_for_other = 0 if len(touched) > 1 else step.least
            self.add("down" if zone == "any" else zone, -step.most, -kept_for_other)

    def lay_piles(self, step: Step) -> None:
        laid = {pile: int(number) for pile, number in map(str.split, step.word.split(", "))}
        self.piles.update(laid)
        number = sum(laid.values())
        if step.zone != "any":
            self.add("down", -number, -number)
            return
        # players decide how many cards from each zone go into the piles
        left = self.most["down"] + self.most["up"] - number
        for zone in ("down", "up"):
            self.least[zone] -= number
            self.most[zone] = min(self.most[zone], left)


def count_zones(steps: Iterable[Step]) -> Zones:
    zones = Zones()
    for step in steps:
        count_step(zones, step)
    return zones


def count_step(zones: Zones, step: Step) -> None:
    match step.verb:
        case "deal" if step.zone.startswith("pile "):
            pile = step.zone.removeprefix("pile ")
            zones.piles[pile] = zones.piles.get(pile, 0) + step.least
        case "deal" | "extra" | "hit" | "take" | "push":
            zones.add(step.zone, step.least, step.most)
        case "bid" if step.place:  # one player or no player gets the cards of an auction
            zones.add(step.zone, 0, len(step.place.slots))
        case "discard":
            zones.discard(step)
        case "draw" | "buy":  # discards are replaced; `plus` or `less` changes the number of cards
            zone = step.zone if step.zone in {"down", "up"} else "down"
            always = step.change if step.least else 0
            zones.add(zone, min(step.change, always), max(step.change, always))
        case "turn":
            zones.add("down", -step.most, -step.least)
            zones.add("up", step.least, step.most)
        case "turn until":  # only one player earns each extra card
            zones.turned = zones.most["down"] - len(zones.extra_cards)
            zones.least["down"] = 0
            zones.most["up"] += zones.turned
        case "earn":  # a card for each turned-up card of a rank; repeated steps count as one rule
            cards = frozenset(c for rank in step.ranks for c in range(4 * rank, 4 * rank + 4))
            more = len(cards - zones.extra_cards)
            zones.extra_cards |= cards
            zones.most["down"] += more
            zones.most["up"] += more
        case "set":
            zones.lay_piles(step)


T = TypeVar("T")
GrammarErrors = list[tuple[str, GrammarError]]

PIPS = {rank: min(rank + 2, 10) for rank in range(12)} | {12: 1}
NO_TIEBREAK: tuple[str, int, tuple[Alternative, ...]] = ("split", 0, ())
# words used in patterns and steps, which can't be names of piles or slots
RESERVED = frozenset(
    (*ZONES, UNUSED, "any", "all", "rest", "or", "to", "of", "on", "when", "not", "and")
)
FULL_DECK = frozenset(range(NATURAL_CARDS))
ANY_FIVE = Pattern((Term("count", (Place("own"), Place("board")), 5, 5),), text="any 5")

WORDS = {
    "direction": ("clockwise", "counter-clockwise"),
    "declare": ("cards-speak", "high-low", "row"),
    "both_ways": ("outright", "unbeaten"),
    "lost_both": ("next-best", "winner-takes-all", "each-keeps", "redeal"),
    "alone": ("wins", "must-qualify"),
    "unwon": ("carry", "split"),
}


def wrong_word(key: str, word: str) -> GrammarError | None:
    """Return the error of a word that is not in the fixed set of a key."""
    if word in WORDS[key]:
        return None
    return GrammarError(word, f"{word!r} is not understood", WORDS[key])


class Reader:
    """Parses the strings of one document, and collects the strings that can't be parsed."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.misreads: GrammarErrors = []

    def one(self, key: str, default: str) -> str:
        """Parse a word from a fixed set."""
        word = str(self.document.get(key, default))
        if misread := wrong_word(key, word):
            self.misreads.append((key, misread))
            return default
        return word

    def text(self, key: str, default: T, read: Callable[[str], T]) -> T:
        if key not in self.document:
            return default
        try:
            return read(self.document[key])
        except GrammarError as misread:
            self.misreads.append((key, misread))
            return default

    def items(self, key: str, read: Callable[[str], T]) -> list[T]:
        items: list[T] = []
        for index, text in enumerate(self.document.get(key, ())):
            try:
                items.append(read(text))
            except GrammarError as misread:
                self.misreads.append((f"{key}/{index}", misread))
        return items


def read_game(
    document: Mapping[str, Any],
    resolved: Mapping[str, Any],
    options: Iterable[Option],
    chosen: Mapping[str, str | int],
) -> tuple[Game | None, GrammarErrors]:
    """Return the game, or None with all parse errors."""
    reader = Reader(resolved)
    options = tuple(options)
    names = Names(
        options=frozenset(chosen),
        chosen=dict(chosen),
        words={option.name: tuple(c.word for c in option.choices) for option in options},
    )
    rows, names, errors = _read_places(reader, names)
    if errors:  # stop here, because every misread word would list all names
        return None, [*reader.misreads, *errors]
    board = tuple(row.slots for row in rows if row.is_there)
    lines = tuple(
        line.slots for line in reader.items("lines", lambda t: read_line(t, names)) if line.is_there
    )
    steps = tuple(chain.from_iterable(reader.items("deal", in_game(read_steps, names))))
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
        lines=lines or common_rows(board, steps),
        options=options,
        chosen=dict(chosen),
        document=document,
        piles=tuple(deal.piles),
        down=deal.down,
        up=deal.up,
        pile_cards=dict(deal.piles),
        turned=deal.turned,
        extra_cards=deal.extra_cards,
        **pieces,
    )
    return game, []


def _read_pieces(reader: Reader, names: Names) -> dict[str, Any]:
    """Parse the fields of a game that do not depend on each other."""
    hand = [pattern for pattern in reader.items("hand", in_game(read_hand, names)) if pattern]
    shares = [share for share in reader.items("shares", in_game(read_share, names)) if share]
    shares = [*map(_after, shares, [None, *shares])]
    straights = reader.text("straights", frozenset[str](), read_straights)
    ties, cards, tiebreak = reader.text("ties", NO_TIEBREAK, lambda t: _read_ties(t, names))
    match_rules = [
        rule
        for rule in reader.items("match", lambda t: read_match_rule(t, names))
        if rule is not None
    ]
    return {
        "deck": reader.text("deck", FULL_DECK, read_deck),
        "direction": reader.one("direction", "clockwise"),
        "betting": reader.text("betting", Betting(), read_betting),
        "hand": tuple(hand) or (ANY_FIVE,),
        "wild": tuple(rule for rule in reader.items("wild", in_game(read_wild, names)) if rule),
        "bug": tuple(rule for rule in reader.items("bug", in_game(read_wild, names)) if rule),
        "kill": tuple(rule for rule in reader.items("kill", in_game(read_kill, names)) if rule),
        **_values(tuple(reader.items("points", read_points))),
        "singles": _singles(tuple(reader.items("top", _read_top))),
        "order": category_order(reader.document.get("order", ()), reader.misreads),
        "ways": ways(straights, reader.document.get("order", ())),
        "shares": tuple(shares),
        "declare": reader.one("declare", "cards-speak"),
        "both_ways": reader.one("both_ways", "outright"),
        "lost_both": reader.one("lost_both", "next-best"),
        "alone": reader.one("alone", "wins"),
        "unwon": reader.one("unwon", "carry"),
        "ties": ties,
        "tiebreak": tiebreak,
        "tiebreak_cards": cards,
        "dues": tuple(due for due in reader.items("dues", in_game(read_due, names)) if due),
        "match": reduce(MatchRules.joined, match_rules) if match_rules else None,
    }


def _after(share: Share, before: Share | None) -> Share:
    """Link a share that is played with unused cards to the previous share.

    The previous share must have only one measure.
    """
    plain = before is not None and len(before.alternatives) == 1
    if before is None or not plain or before.alternatives[0].plays_unused:
        return share
    left_by = replace(before.alternatives[0], bar=None, beating=())
    measured = [replace(a, after=left_by) if a.plays_unused else a for a in share.alternatives]
    return replace(share, alternatives=tuple(measured))


def _read_places(reader: Reader, names: Names) -> tuple[list[Row], Names, GrammarErrors]:
    """Parse the board's rows and the piles that the deal makes: `3 to front`, `set front 3 back 5`.

    Add their names to `names`. Return errors for too many rows, slots and piles, and for reserved
    names.
    """
    rows = reader.items("board", lambda text: read_row(text, names))
    seen: set[str] = set()
    for index, row in enumerate(rows):
        for slot in row.slots if row.is_there else ():
            if slot in seen:
                misread = GrammarError(slot, f"the board has two slots {slot!r}", ())
                reader.misreads.append((f"board/{index}", misread))
            seen.add(slot)
    piles: set[str] = set()
    for text in reader.document.get("deal", ()):
        words = text.partition(" when ")[0].split()
        piles |= {pile for to, pile in pairwise(words) if to == "to"}
        if words[:1] == ["set"]:
            piles |= set(words[1::2]) - {"any"}
    slots = [slot for row in rows for slot in row.slots]
    errors = []
    if len(rows) > MOST_ROWS or len(slots) > MOST_SLOTS:
        reason = (
            f"the board has {len(rows)} rows and {len(slots)} slots; at "
            f"most {MOST_ROWS} and {MOST_SLOTS} are allowed"
        )
        errors.append(("board", GrammarError("", reason, ())))
    for name in sorted(piles & RESERVED):
        reason = f"{name!r} is a reserved word and can't be the name of a pile"
        errors.append(("deal", GrammarError(name, reason, ())))
    for name in sorted({*slots} & RESERVED):
        reason = f"{name!r} is a reserved word and can't be the name of a slot"
        errors.append(("board", GrammarError(name, reason, ())))
    if len(piles) > MOST_PILES:
        reason = f"the game has {len(piles)} piles; at most {MOST_PILES} are allowed"
        errors.append(("deal", GrammarError("", reason, ())))
    return rows, replace(names, slots=frozenset(slots), piles=frozenset(piles)), errors


@lru_cache(maxsize=64)  # cached, so that games with the same values share a table
def _values(
    tables: tuple[tuple[frozenset[int], tuple[int, ...], bool], ...],
) -> dict[str, Any]:
    """Return the values of cards, in half points if some cards count half a point."""
    halves: dict[int, tuple[int, ...]] = {
        card: (2 * PIPS[card // 4],) for card in range(NATURAL_CARDS)
    }
    halves |= dict.fromkeys(range(FIRST_JOKER, FIRST_JOKER + 4), (0,))
    minus: frozenset[int] = frozenset()
    for cards, counts, negative in tables:
        if negative:
            minus |= cards
        else:
            halves |= dict.fromkeys(cards, counts)
    for card in minus:
        halves[card] = tuple(-value for value in halves[card])
    if any(value % 2 for counts in halves.values() for value in counts):
        return {"values": halves, "per_point": 2}
    whole = {card: tuple(value // 2 for value in counts) for card, counts in halves.items()}
    return {"values": whole, "per_point": 1}


def _read_top(text: str) -> tuple[int, ...]:
    words = Words(text)
    return tuple(read_card_list(words))


@lru_cache(maxsize=64)
def _singles(groups: tuple[tuple[int, ...], ...]) -> dict[int, int]:
    """Return the rank of each card when single cards are compared. Groups rank above the others."""
    singles = {card: card + 1 for card in range(NATURAL_CARDS)}
    singles |= dict.fromkeys(range(FIRST_JOKER, FIRST_JOKER + 4), 0)
    for above, group in enumerate(reversed(groups), start=1):
        singles |= dict.fromkeys(group, NATURAL_CARDS + above)
    return singles


def _read_ties(text: str, names: Names) -> tuple[str, int, tuple[Alternative, ...]]:
    """Parse `split`, `first`, `suit`, `natural`, or `deal 5: high pair-or-better else highest`."""
    head, colon, sentence = text.partition(":")
    words = Words(head)
    how = words.expect("split", "first", "suit", "natural", "deal")
    if how != "deal":
        words.done()
        return how, 0, ()
    cards = read_number(words, most=5)
    words.done()
    if not colon:
        raise GrammarError(text, "'deal 5' must be followed by a colon and a measure", (":",))
    rest = Words(sentence)
    alternatives = read_alternatives(rest, names)
    rest.done()
    if not cards or any(alternative.patterns or alternative.line for alternative in alternatives):
        raise GrammarError(text, "a tie-break deals one to five cards and compares all of them", ())
    return how, cards, alternatives

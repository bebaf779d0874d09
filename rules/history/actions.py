"""The notation of an action: actor, verb and arguments (docs/history.md).

It extends the actions of the Poker Hand History format: `p2 cbr 30`, `d db AhKd7c`.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from rules.cards import CARD_KINDS, CARDS, TEXTS, UNSEEN
from rules.game.hand import MOST_CARDS, MOST_CHIPS, MOST_PLAYERS

DEALER = -1
MOST_ACTION = 500  # maximum length of an action in characters
MOST_ACTIONS = 5_000  # maximum number of actions in a hand
TWO = re.compile(r"10[cdhs]|..", re.IGNORECASE)

PLAYER_VERBS = {
    "f": "folds",
    "cc": "checks or calls",
    "cbr": "bets, completes or raises to",
    "pb": "brings it in",
    "ante": "antes",
    "blind": "posts a blind",
    "straddle": "straddles",
    "post": "posts a bet that does not change who opens",
    "dead": "posts dead chips",
    "mid": "puts in a mid",
    "penalty": "pays a penalty into the pot",
    "put": "puts in what the cards require",
    "take": "takes what the cards give",
    "sd": "stands pat or discards",
    "buy": "buys a card",
    "pick": "takes a card from the table",
    "swap": "makes the next player swap hands",
    "keep": "keeps the card that is offered",
    "push": "pushes it on",
    "bid": "bids",
    "pass": "passes cards on",
    "tu": "turns cards over",
    "set": "lays cards into a pile",
    "in": "stays in",
    "out": "drops out",
    "declare": "declares",
    "sm": "shows or mucks",
}
DEALER_VERBS = {
    "dh": "deals a player cards where the game puts them",
    "dd": "deals a player cards face down",
    "du": "deals a player cards face up",
    "db": "deals cards to the board",
    "tb": "turns a card of the board over",
    "rb": "replaces a card of the board",
    "rr": "removes a row of the board",
    "dc": "deals a card that all buyers share",
    "dt": "deals cards to break a tie",
    "burn": "burns a card",
    "shuffle": "shuffles the discards",
    "fact": "states what was rolled or chosen",
}


# not frozen, because parsing a new text would take twice as long with a frozen class
@dataclass(slots=True)
class Action:
    """A parsed action with its seat (DEALER for the dealer), verb and words.

    `amount` and `cards` are the words parsed as chips and as cards, or None if that is not
    possible. For a deal, `to` is the player, and `cards` contains the words after the player.
    `mask` has a bit for each known card, or is NO_MASK if a card occurs twice.
    """

    seat: int
    verb: str
    words: tuple[str, ...] = ()
    comment: str = ""
    amount: int | None = None
    cards: tuple[int, ...] | None = None
    to: int = -1
    mask: int = 0


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The reason why a string is not an action."""

    reason: str


NOTHING = Action(DEALER, "")
BITS = [0 if card == UNSEEN else 1 << card for card in range(CARD_KINDS)]
NO_MASK = -1  # all bits are set, which is not a possible deck
TO_PLAYERS = frozenset(("dh", "dd", "du", "dt"))


SEATS = {f"p{number}": number - 1 for number in range(1, MOST_PLAYERS + 1)}
ACTORS = {"d": (DEALER, DEALER_VERBS), **{name: (at, PLAYER_VERBS) for name, at in SEATS.items()}}


def parse_action(text: str) -> Action | Unreadable:
    """Parse an action. A comment and an empty string are actions without effect."""
    command, comment = text, ""
    if "#" in text:
        command, _, comment = text.partition("#")
        comment = comment.strip()
    words = command.split()
    if not words:
        return Action(DEALER, "", comment=comment) if "#" in text else NOTHING
    if len(words) == 1:
        return Unreadable("an action must be a player or the dealer, followed by a verb")
    actor, verb = words[0], words[1]
    actor_verbs = ACTORS.get(actor)
    if actor_verbs is not None and verb in actor_verbs[1]:  # fast path for the common case
        return _with_meaning(actor_verbs[0], verb, tuple(words[2:]), comment)
    if actor == "d":
        return Unreadable(
            f"{verb!r} is not a verb of the dealer; the verbs are {', '.join(DEALER_VERBS)}"
        )
    number = actor[1:]
    if actor[0] != "p" or not (number.isascii() and number.isdigit() and len(number) <= 3):
        return Unreadable(f"{actor[:20]!r} must be d or a player such as p1")
    if not 1 <= int(number) <= MOST_PLAYERS:
        return Unreadable(f"there is no player {number[:20]}; the first is p1")
    if verb in PLAYER_VERBS:
        return _with_meaning(int(number) - 1, verb, tuple(words[2:]), comment)
    return Unreadable(
        f"{verb[:20]!r} is not a verb of a player; the verbs are {', '.join(PLAYER_VERBS)}"
    )


read_action = lru_cache(maxsize=65536)(parse_action)


def _with_meaning(seat: int, verb: str, words: tuple[str, ...], comment: str) -> Action:
    """Create an action with parsed words. Cached, because hands share many actions."""
    amount, to, cards = None, -1, None
    if verb in TO_PLAYERS:
        to, cards = read_deal(words)
    elif len(words) != 1:
        cards = parse_cards("".join(words))
    elif (amount := read_amount(words[0])) is None:  # a number is never a card
        cards = parse_cards(words[0])
    mask = mask_of(cards) if cards else 0
    return Action(seat, verb, words, comment, amount, cards, to, mask)


def mask_of(cards: Collection[int]) -> int:
    """Return a mask with a bit for each known card, or NO_MASK if a card occurs twice."""
    mask = 0
    for card in cards:
        mask |= BITS[card]
    known = len(cards) - (UNSEEN in cards and [*cards].count(UNSEEN))
    return mask if mask.bit_count() == known else NO_MASK


def parse_cards(text: str) -> tuple[int, ...] | None:
    """Parse cards such as `AhKd??`. `-` means no cards. Return None for any other string."""
    if text == "-":
        return ()
    try:
        if len(text) == 4:  # fast path for a common deal
            return CARDS[text[:2]], CARDS[text[2:]]
        if len(text) == 2:
            return (CARDS[text],)
        return tuple([CARDS[text[at : at + 2]] for at in range(0, len(text), 2)])
    except KeyError:
        parts = TWO.findall(text)
        whole = "".join(parts) == text and len(parts) <= MOST_CARDS
        known = whole and all(part in CARDS for part in parts)
        return tuple(CARDS[part] for part in parts) if known else None


read_cards = lru_cache(maxsize=65536)(parse_cards)


def read_deal(words: tuple[str, ...]) -> tuple[int, tuple[int, ...] | None]:
    """Parse a deal such as `p1 AhKh`. An invalid seat is -1, and invalid cards are None."""
    name = words[0] if words else ""
    cards = None
    if len(words) > 1:
        cards = parse_cards(words[1] if len(words) == 2 else "".join(words[1:]))
    if name in SEATS:
        return SEATS[name], cards
    known = name[:1] == "p" and name[1:].isascii() and name[1:].isdigit() and len(name) < 5
    return (int(name[1:]) - 1 if known else -1), cards


def read_amount(word: str) -> int | None:
    """Parse a whole number of chips. Return None for any other string."""
    if word.isascii() and word.isdigit() and len(word) <= 13:
        amount = int(word)
        return amount if amount <= MOST_CHIPS else None
    return None


def write_cards(cards: tuple[int, ...] | list[int]) -> str:
    return "".join([TEXTS[card] for card in cards])

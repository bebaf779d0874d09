"""Modifiers: small changes of a game, document to document, so that they combine.

Each is a pure function on the words of a document. One that does not fit the game, by itself or
because the changed game could not be played, raises `DoesNotFit` with the reason.
"""

import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from itertools import count
from typing import Any

from rules import documents

Document = dict[str, Any]
Change = Callable[[Document], Document]


class DoesNotFit(Exception):
    """A modifier that the game can't take."""

    def __init__(self, modifier: str, reason: str) -> None:
        super().__init__(f"{modifier} does not fit: {reason}")
        self.modifier = modifier


class Unknown(Exception):
    """A name that no modifier has."""


class _Misfit(Exception):
    """The reason why a change can't be made."""


# --- two rows -----------------------------------------------------------------------------------

FLOP, TURN, RIVER = 3, 1, 1


def fork(document: Document, *, shared: int) -> Document:
    """A second row beside the flop, turn and river; the last `shared` slots lie in both.

    Hands take their board cards from one row, never mixed. With the option `declare` at `row`
    each row is a share of its own.
    """
    row, dealt = _flop_turn_river(document)
    twins = {slot: f"{slot}2" for slot in row[: len(row) - shared]}
    changed = deepcopy(document)
    changed["deal"] = [
        _with_twins(step, twins) if step in dealt else step for step in document["deal"]
    ]
    first = [slot for slot in row if slot in twins]
    floaters = [slot for slot in row if slot not in twins]
    rows = [first, [twins[slot] for slot in first], floaters]
    changed["board"] = [" ".join(slots) for slots in rows if slots]
    changed["lines"] = [" ".join([*slots, *floaters]) for slots in rows[:2]]
    changed["hand"] = [_on_lines(pattern) for pattern in document.get("hand", ["any 5"])]
    changed["shares"] = [_on_lines_of_share(share) for share in document["shares"]]
    return _with_row_shares(changed)


def _flop_turn_river(document: Document) -> tuple[list[str], list[str]]:
    """The slots of the board and the steps that deal them, three, one and one."""
    board = document.get("board", [])
    dealt = [step for step in document.get("deal", []) if step.split()[:1] == ["board"]]
    sizes = [len(step.removesuffix(" down").split()) - 1 for step in dealt]
    if len(board) != 1 or sizes != [FLOP, TURN, RIVER]:
        raise _Misfit("the game has no flop, turn and river")
    return board[0].split(), dealt


def _with_twins(step: str, twins: dict[str, str]) -> str:
    words = step.split()
    return " ".join([*words, *(twins[word] for word in words if word in twins)])


def _on_lines(text: str) -> str:
    """The same words with the board's cards taken from a line."""
    text = re.sub(r"\bany (\d+)\b", r"\1 own or line", text)
    return re.sub(r"\bboard\b", "line", text)


def _on_lines_of_share(share: str) -> str:
    sentence, _, condition = share.partition(" when ")
    return _on_lines(sentence) + (f" when {condition}" if condition else "")


def _with_row_shares(document: Document) -> Document:
    """Shares for each row beside the usual ones, and the choice between them."""
    options = document.setdefault("options", {})
    spoken = str(document.get("declare", "cards-speak"))
    choices = options.get("declare", [spoken]) if spoken == "{declare}" else [spoken]
    options["declare"] = [*choices, *(["row"] if "row" not in choices else [])]
    document["declare"] = "{declare}"
    if "both_ways" not in document:
        document["both_ways"] = "{both_ways}"
        options["both_ways"] = ["outright", "unbeaten"]
    usual = [_and_when(share, "not declare row") for share in document["shares"]]
    rows = [f"row {n}: high on line {n} when declare row" for n in (1, 2)]
    document["shares"] = usual + rows
    return document


def _and_when(sentence: str, condition: str) -> str:
    return f"{sentence} {'and' if ' when ' in sentence else 'when'} {condition}"


# --- other hands --------------------------------------------------------------------------------

EXCHANGE = re.compile(r"(\d+) down \+ (\d+) (board|line)\b")


def either_or(document: Document) -> Document:
    """`n down + m board` beside every `m down + n board` (bada bing)."""
    hand = document.get("hand", [])
    turned = [EXCHANGE.sub(r"\2 down + \1 \3", pattern) for pattern in hand]
    added = [pattern for pattern in turned if pattern not in hand]
    if not added:
        raise _Misfit("no hand of the game takes some cards down and some of the board")
    return {**document, "hand": [*hand, *added]}


def pat_hand(document: Document) -> Document:
    """The five cards down may be played as they are."""
    hand = document.get("hand")
    if hand is None:
        raise _Misfit("any five cards play already")
    if "5 down" in hand:
        raise _Misfit("the five down may be played already")
    return {**document, "hand": [*hand, "5 down"]}


# --- other deals --------------------------------------------------------------------------------


def delayed(document: Document) -> Document:
    """The last down card comes after the flop."""
    steps = list(document.get("deal", []))
    first = next((at for at, step in enumerate(steps) if _dealt_down(step) > 1), None)
    flop = next((at for at, step in enumerate(steps) if step.split()[:1] == ["board"]), None)
    if first is None or flop is None or flop < first:
        raise _Misfit("the game has no cards down before a flop")
    steps[first] = f"{_dealt_down(steps[first]) - 1} down"
    return {**document, "deal": [*steps[: flop + 1], "1 down", *steps[flop + 1 :]]}


def _dealt_down(step: str) -> int:
    found = re.fullmatch(r"(\d+) down", step)
    return int(found[1]) if found else 0


MODIFIERS: dict[str, Change] = {
    "two-row": partial(fork, shared=0),
    "floater": partial(fork, shared=1),
    "miami": partial(fork, shared=2),
    "either-or": either_or,
    "pat-hand": pat_hand,
    "delayed": delayed,
}
NAMES = tuple(MODIFIERS)
IMPLIED = {"floater": "two-row", "miami": "two-row"}  # RULINGS.md 15


def known(name: str) -> bool:
    return name in MODIFIERS


def apply(document: Document, names: Sequence[str]) -> Document:
    """The document with these modifiers, in this order. Raises DoesNotFit and Unknown.

    Naming what another one implies changes nothing.
    """
    for name in names:
        if not known(name):
            raise Unknown(f"no modifier is called {name[:60]!r}")
    implied = {IMPLIED[name] for name in names if name in IMPLIED}
    changed = document
    for place, name in zip(count(), names, strict=False):
        if name in names[:place]:
            raise DoesNotFit(name, "it is named twice")
        if name not in implied:
            changed = _apply(changed, name)
    return changed


def _apply(document: Document, name: str) -> Document:
    try:
        changed = MODIFIERS[name](document)
    except _Misfit as misfit:
        raise DoesNotFit(name, str(misfit)) from None
    faults = documents.check(changed)
    if faults:
        raise DoesNotFit(name, faults[0].text)
    return changed

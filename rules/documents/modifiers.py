"""Modifiers: small changes of a game that combine, each named by a word and perhaps parameters.

`miami`, `pineapple 2 flop turn`, `buy-a-card common`, `pass-the-trash 2 left 1 across`. One that
does not fit the game, by itself or because the changed game could not be played, raises
`DoesNotFit` with the reason. What each of them does stands in `rules.documents.modifier_changes`.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rules.documents import documents
from rules.documents.modifier_changes import (
    STREETS,
    Document,
    Misfit,
    buy_a_card,
    delayed,
    either_or,
    fork,
    oma_draw,
    pass_the_trash,
    pat_hand,
    pineapple,
)
from rules.game.grammar import DIRECTIONS, Misread, Words, is_number, read_number
from rules.game.nearest import nearest

Change = Callable[[Document], Document]
MOST_CARDS = 5  # that a modifier gives, takes or passes at once
MOST_PASSES = 4
USUAL_PLAYERS = (2, 8)  # of a document that does not say
LONGEST_NAME = 60


class DoesNotFit(Exception):
    """A modifier that the game can't take; `place` is where it was named."""

    def __init__(self, modifier: str, reason: str, place: int) -> None:
        super().__init__(f"{modifier} does not fit: {reason}")
        self.modifier = modifier
        self.place = place


class Unknown(Exception):
    """A name that no modifier has, or parameters that it does not take."""


# --- parameters ---------------------------------------------------------------------------------


def _plain(change: Change) -> Callable[[Words], Change]:
    return lambda words: change


def _number(words: Words) -> int:
    """A number of cards, one when it is not said."""
    if not is_number(words.peek()):
        return 1
    if words.peek().strip("0") == "":
        raise words.misread((), "at least one card is meant")
    return read_number(words, most=MOST_CARDS)


def _read_pineapple(words: Words) -> Change:
    number = _number(words)
    streets = []
    while words.peek() in STREETS:
        if words.peek() in streets:
            raise words.misread((), f"{words.peek()} is named twice")
        streets.append(words.take())
    return partial(pineapple, number=number, streets=tuple(streets) or STREETS[:1])


def _read_oma_draw(words: Words) -> Change:
    return partial(oma_draw, number=_number(words), street=words.take_if(*STREETS) or STREETS[0])


def _read_buy_a_card(words: Words) -> Change:
    number, common = _number(words), bool(words.take_if("common"))
    return partial(buy_a_card, number=number, street=words.take_if(*STREETS), common=common)


def _read_pass_the_trash(words: Words) -> Change:
    passes = []
    while words.more:
        passes.append((_number(words), words.expect(*DIRECTIONS)))
    if len(passes) > MOST_PASSES:
        raise words.misread((), f"more than {MOST_PASSES} passes")
    return partial(pass_the_trash, passes=tuple(passes) or ((1, "right"),))


# --- names --------------------------------------------------------------------------------------

MODIFIERS: dict[str, Callable[[Words], Change]] = {
    "two-row": _plain(partial(fork, shared=0)),
    "floater": _plain(partial(fork, shared=1)),
    "miami": _plain(partial(fork, shared=2)),
    "either-or": _plain(either_or),
    "pat-hand": _plain(pat_hand),
    "delayed": _plain(delayed),
    "pineapple": _read_pineapple,
    "oma-draw": _read_oma_draw,
    "buy-a-card": _read_buy_a_card,
    "pass-the-trash": _read_pass_the_trash,
}
NAMES = tuple(MODIFIERS)
PARAMETERS = {
    "pineapple": "[cards] [flop] [turn] [river]",
    "oma-draw": "[cards] [flop|turn|river]",
    "buy-a-card": "[cards] [common] [flop|turn|river]",
    "pass-the-trash": "[cards left|right|across]...",
}
SPOKEN = {"bada-bing": "either-or", "pat-hands": "pat-hand", "two-rows": "two-row"}
IMPLIED = {"floater": "two-row", "miami": "two-row"}  # docs/rulings.md 15


@dataclass(frozen=True)
class Modifier:
    """One as it was named: `said` with its parameters, `name` without."""

    said: str
    name: str
    change: Change


def read(said: str) -> Modifier:
    """The modifier of a name in any case, with hyphens or spaces. Raises Unknown."""
    words = said.lower().split() if len(said) <= LONGEST_NAME else []
    for length in range(len(words), 0, -1):
        spoken = "-".join(words[:length])
        name = SPOKEN.get(spoken, spoken)
        if name in MODIFIERS:
            return _with_parameters(said, name, Words(" ".join(words[length:])))
    near = nearest(said.lower(), (*NAMES, *SPOKEN)) or NAMES
    raise Unknown(f"no modifier is called {said[:LONGEST_NAME]!r}; there are {', '.join(near)}")


def _with_parameters(said: str, name: str, words: Words) -> Modifier:
    try:
        change = MODIFIERS[name](words)
        words.done()
    except Misread as misread:
        takes = f"{name} {PARAMETERS[name]}" if name in PARAMETERS else f"{name} and no more"
        raise Unknown(f"{said!r}: {misread}; it is {takes}") from None
    return Modifier(said, name, change)


def unknown(said: str) -> str:
    """Why no modifier is meant by a text, nothing when one is."""
    try:
        read(said)
    except Unknown as reason:
        return str(reason)
    return ""


def known(said: str) -> bool:
    return not unknown(said)


# --- applying -----------------------------------------------------------------------------------


def apply(document: Document, names: Sequence[str]) -> Document:
    """The document with these modifiers, in this order. Raises DoesNotFit and Unknown.

    Naming what another one implies changes nothing.
    """
    wanted = [read(name) for name in names]
    implied = {IMPLIED[modifier.name] for modifier in wanted if modifier.name in IMPLIED}
    changed = document
    done: set[str] = set()
    for place, modifier in enumerate(wanted):
        if modifier.name in done:
            raise DoesNotFit(modifier.said, "it is named twice", place)
        done.add(modifier.name)
        if modifier.name not in implied:
            try:
                changed = _apply(changed, modifier)
            except Misfit as misfit:
                raise DoesNotFit(modifier.said, str(misfit), place) from None
    return changed


def _apply(document: Document, modifier: Modifier) -> Document:
    changed = modifier.change(document)
    problems = documents.check(changed)
    if problems and all(problem.where == "players" for problem in problems):
        changed = _for_fewer(changed)
        problems = documents.check(changed)
    if problems:
        raise Misfit(problems[0].text)
    return changed


def _for_fewer(document: Document) -> Document:
    """The document for as many as the deck suffices for: more cards for each, fewer who play."""
    least, most = document.get("players", USUAL_PLAYERS)
    numbers = range(least + 1, most)
    too_many = bisect_left(
        numbers,
        True,
        key=lambda number: bool(documents.check({**document, "players": [least, number]})),
    )
    return {**document, "players": [least, least + too_many]}

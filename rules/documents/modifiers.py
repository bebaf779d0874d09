"""Modifiers are small, combinable changes to a game, with names and optional parameters.

Examples are `miami`, `pineapple 2 flop turn`, `buy-a-card common` and `pass-the-trash 2 left 1
across`. A modifier that does not fit the game raises `ModifierFitError` with the reason. This
includes modifiers that would make the game unplayable.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

from rules.documents import documents
from rules.errors import nearest
from rules.game.builder import WORDS
from rules.game.grammar import DIRECTIONS, GrammarError, Words, is_number, read_number

# A change is a pure function from document to document. If the game has nothing to change, it
# raises `ChangeError` with the reason. `apply` then checks that the changed game is playable.


Document = dict[str, Any]

FLOP, TURN, RIVER = 3, 1, 1
FIVE = 5
STREETS = ("flop", "turn", "river")


class ChangeError(Exception):
    """A modifier has nothing to change in the game. The message gives the reason."""


# --- two rows -----------------------------------------------------------------------------------


def fork(document: Document, *, shared: int) -> Document:
    """Add a second row to the flop, turn and river. Both rows share the last `shared` slots.

    A hand takes its board cards from one row only. With the option `declare` set to `row`, each row
    is a share.
    """
    board = document.get("board", [])
    dealt = [step for step in document.get("deal", []) if _is(step, "board")]
    sizes = [len(step.removesuffix(" down").split()) - 1 for step in dealt]
    if len(board) != 1 or sizes != [FLOP, TURN, RIVER]:
        raise ChangeError("the game has no flop, turn and river")
    if any(" when " in text for text in (*board, *document.get("lines", ()))):
        raise ChangeError("the board of the game depends on an option")
    row = board[0].split()
    twins = {slot: f"{slot}2" for slot in row[: len(row) - shared]}
    deal, shares = [], []
    for step in document["deal"]:
        words = step.split()
        added = [twins[word] for word in words if word in twins]
        deal.append(" ".join(words + added) if step in dealt else step)
    for share in document["shares"]:
        name, colon, sentence = share.rpartition(":")
        sentence, _, condition = sentence.partition(" when ")
        end = f" when {condition}" if condition else ""
        shares.append(name + colon + _on_lines(sentence) + end)
    first = [slot for slot in row if slot in twins]
    floaters = [slot for slot in row if slot not in twins]
    rows = [first, [twins[slot] for slot in first], floaters]
    changed = deepcopy(document)
    changed["deal"] = deal
    changed["board"] = [" ".join(slots) for slots in rows if slots]
    changed["lines"] = [" ".join([*slots, *floaters]) for slots in rows[:2]]
    changed["hand"] = [_on_lines(pattern) for pattern in document.get("hand", ["any 5"])]
    changed["shares"] = shares
    # if the whole pot is played with one kind of hand, each row can be a share
    own_hands = any(" of " in share for share in document["shares"])
    return changed if own_hands else _with_row_shares(changed)


ANY_WORDS = re.compile(r"\bany (\d{1,9})\b")
BOARD_WORD = re.compile(r"\bboard\b")


def _on_lines(text: str) -> str:
    """Replace the board cards of each hand with the cards of one line."""
    return BOARD_WORD.sub("line", ANY_WORDS.sub(r"\1 own or line", text))


def _with_row_shares(document: Document) -> Document:
    """Add a share for each row, and an option to choose between them and the usual shares."""
    options = document.setdefault("options", {})
    spoken = str(document.get("declare", "cards-speak"))
    choices = options.get("declare", [spoken]) if spoken == "{declare}" else [spoken]
    options["declare"] = [*choices, *(["row"] if "row" not in choices else [])]
    document["declare"] = "{declare}"
    for key in ("both_ways", "lost_both"):
        if key not in document:
            document[key] = f"{{{key}}}"
            options[key] = list(WORDS[key])
    if not any(_is(step, "declare") for step in document["deal"]):
        document["deal"] = [*document["deal"], "declare when declare row"]
    usual = [
        f"{share} {'and' if ' when ' in share else 'when'} not declare row"
        for share in document["shares"]
    ]
    rows = [f"row {n}: high on line {n} when declare row" for n in (1, 2)]
    document["shares"] = usual + rows
    return document


# --- other hands --------------------------------------------------------------------------------

OMAHA = re.compile(r"\b(\d{1,9}) down \+ (\d{1,9}) (board|line)\b")


def either_or(document: Document) -> Document:
    """Add `n down + m board` to every `m down + n board` (bada bing)."""
    hand = document.get("hand", [])
    turned = [OMAHA.sub(r"\2 down + \1 \3", pattern) for pattern in hand]
    added = [pattern for pattern in turned if pattern not in hand]
    if not added:
        raise ChangeError("no hand of the game plays some cards down and some of the board")
    return {**document, "hand": [*hand, *added]}


def pat_hand(document: Document) -> Document:
    """Allow the five cards down to be played as they are."""
    hand = document.get("hand", ["any 5"])
    numbers = [match[1] for step in _steps(document) for match in DOWN.finditer(step)]
    if sum(int(number) if number.isdigit() else FIVE for number in numbers) < FIVE:
        raise ChangeError("the game deals fewer than five cards down")
    if any(pattern.startswith(("5 down", "5 own", "all down", "any 5")) for pattern in hand):
        raise ChangeError("the five cards down can be played already")
    if not any(" down + " in pattern for pattern in hand):
        raise ChangeError("no hand of the game plays some cards down and some of the board")
    return {**document, "hand": [*hand, "5 down"]}


# --- other deals --------------------------------------------------------------------------------


def delayed(document: Document) -> Document:
    """Deal the last of the first down cards after the flop."""
    steps = _steps(document)
    first, flop = _first_down(steps), _street(steps, "flop")
    number = _whole_number(steps[first])
    if flop < first or number < 2:
        raise ChangeError("the game deals no cards down before a flop")
    steps[first] = _dealing(steps[first], number - 1)
    return {**document, "deal": [*steps[: flop + 1], "1 down", *steps[flop + 1 :]]}


def pineapple(document: Document, number: int, streets: Iterable[str]) -> Document:
    """Deal more cards down for each street. Players discard the same number after its betting."""
    steps = _steps(document)
    streets = tuple(streets)
    first = _first_down(steps)
    places = sorted(_after_street(steps, street) for street in streets)
    if places[0] <= first:
        raise ChangeError("the game deals its cards down after the flop")
    steps[first] = _dealing(steps[first], _whole_number(steps[first]) + number * len(streets))
    for place in reversed(places):
        steps.insert(place, f"discard {number}")
    return {**document, "deal": steps}


def oma_draw(document: Document, number: int, street: str) -> Document:
    """Allow players to draw up to `number` cards after a street."""
    if not any(OMAHA.search(pattern) for pattern in document.get("hand", [])):
        raise ChangeError("no hand of the game plays some cards down and some of the board")
    steps = _steps(document)
    steps.insert(_after_street(steps, street), f"draw 0-{number}")
    return {**document, "deal": steps}


def buy_a_card(document: Document, number: int, street: str, *, common: bool) -> Document:
    """Allow players to exchange up to `number` cards for a fee.

    If `common` is true, all players who buy share the card that is turned up.
    """
    steps = _steps(document)
    place = _after_street(steps, street) if street else _after_first_bet(steps)
    steps.insert(place, f"buy 0-{number}{' common' if common else ''} for fee")
    return {**document, "deal": steps}


def pass_the_trash(document: Document, passes: Iterable[tuple[int, str]]) -> Document:
    """Pass cards to other players after the first betting round."""
    steps = _steps(document)
    place = _after_first_bet(steps)
    steps[place:place] = [f"pass {number} {direction}" for number, direction in passes]
    return {**document, "deal": steps}


# --- steps of a deal ----------------------------------------------------------------------------

DOWN = re.compile(r"(\d{1,9}|\{\w{1,40}\}) down\b")


def _steps(document: Document) -> list[str]:
    return list(document.get("deal", []))


def _is(step: str, verb: str) -> bool:
    return step.split()[:1] == [verb]


def _first_down(steps: list[str]) -> int:
    """Return the index of the first step that deals down cards from which players may choose."""
    first = next((at for at, step in enumerate(steps) if DOWN.match(step)), None)
    if first is None:
        raise ChangeError("the game deals no cards down")
    if any(step.startswith("turn until") for step in steps):
        raise ChangeError("the cards are turned over in the order in which they were dealt")
    return first


def _whole_number(step: str) -> int:
    match = DOWN.match(step)
    return int(match[1]) if match and match[1].isdigit() else 0


def _dealing(step: str, number: int) -> str:
    return DOWN.sub(f"{number} down", step, count=1)


def _streets(steps: list[str]) -> list[int]:
    return [at for at, step in enumerate(steps) if _is(step, "board")]


def _street(steps: list[str], street: str) -> int:
    """Return the index of the step that deals the first, second or third part of the board."""
    dealt = _streets(steps)
    number = STREETS.index(street)
    if number >= len(dealt):
        raise ChangeError(f"the game has no {street}")
    return dealt[number]


def _after_street(steps: list[str], street: str) -> int:
    """Return the index after a street's betting round and before the next street."""
    start = _street(steps, street)
    end = next((at for at in _streets(steps) if at > start), len(steps))
    bets = (at + 1 for at in range(start, end) if _is(steps[at], "bet"))
    return next(bets, start + 1)


def _after_first_bet(steps: list[str]) -> int:
    """Return the index after the betting round that follows the first cards down."""
    first = _first_down(steps)
    bets = (at + 1 for at in range(first, len(steps)) if _is(steps[at], "bet"))
    return next(bets, first + 1)


Change = Callable[[Document], Document]
MOST_CARDS = 5  # maximum number of cards that a modifier can deal, exchange or pass at a time
MOST_PASSES = 4
USUAL_PLAYERS = (2, 8)  # the default value of `players`
LONGEST_NAME = 60


class ModifierFitError(Exception):
    """A modifier does not fit the game. `place` is its index in the list."""

    def __init__(self, modifier: str, reason: str, place: int) -> None:
        super().__init__(f"{modifier} does not fit: {reason}")
        self.modifier = modifier
        self.place = place


class UnknownModifierError(Exception):
    """No modifier has this name, or it does not accept these parameters."""


# --- parameters ---------------------------------------------------------------------------------


def _number(words: Words) -> int:
    """Read a number of cards, 1 by default."""
    if not is_number(words.peek()):
        return 1
    if words.peek().strip("0") == "":
        raise words.misread((), "the number must be at least one")
    return read_number(words, most=MOST_CARDS)


def _read_change(name: str, words: Words) -> Change:
    match name:
        case "pineapple":
            number, streets = _number(words), []
            while words.peek() in STREETS:
                if words.peek() in streets:
                    raise words.misread((), f"{words.peek()} is given twice")
                streets.append(words.take())
            return partial(pineapple, number=number, streets=tuple(streets) or STREETS[:1])
        case "oma-draw":
            number, street = _number(words), words.take_if(*STREETS) or STREETS[0]
            return partial(oma_draw, number=number, street=street)
        case "buy-a-card":
            number, common = _number(words), bool(words.take_if("common"))
            street = words.take_if(*STREETS)
            return partial(buy_a_card, number=number, street=street, common=common)
        case "pass-the-trash":
            passes = []
            while words.more:
                passes.append((_number(words), words.expect(*DIRECTIONS)))
            if len(passes) > MOST_PASSES:
                raise words.misread((), f"there are more than {MOST_PASSES} passes")
            return partial(pass_the_trash, passes=tuple(passes) or ((1, "right"),))
    return PLAIN[name]


# --- names --------------------------------------------------------------------------------------

PLAIN: dict[str, Change] = {  # modifiers without parameters
    "two-row": partial(fork, shared=0),
    "floater": partial(fork, shared=1),
    "miami": partial(fork, shared=2),
    "either-or": either_or,
    "pat-hand": pat_hand,
    "delayed": delayed,
}
PARAMETERS = {
    "pineapple": "[cards] [flop] [turn] [river]",
    "oma-draw": "[cards] [flop|turn|river]",
    "buy-a-card": "[cards] [common] [flop|turn|river]",
    "pass-the-trash": "[cards left|right|across]...",
}
NAMES = (*PLAIN, *PARAMETERS)
SPOKEN = {"bada-bing": "either-or", "pat-hands": "pat-hand", "two-rows": "two-row"}
IMPLIED = {"floater": "two-row", "miami": "two-row"}  # docs/rulings.md 15


@dataclass(frozen=True)
class Modifier:
    """A parsed modifier. `text` is the modifier with its parameters, `name` only its name."""

    text: str
    name: str
    change: Change


def read(text: str) -> Modifier:
    """Parse a modifier in any case, with hyphens or spaces. Raises UnknownModifierError."""
    words = text.lower().split() if len(text) <= LONGEST_NAME else []
    for length in range(len(words), 0, -1):
        spoken = "-".join(words[:length])
        name = SPOKEN.get(spoken, spoken)
        if name not in NAMES:
            continue
        parameters = Words(" ".join(words[length:]))
        try:
            change = _read_change(name, parameters)
            parameters.done()
        except GrammarError as misread:
            usage = f"{name} {PARAMETERS.get(name, 'without parameters')}"
            raise UnknownModifierError(f"{text!r}: {misread}; write {usage}") from None
        return Modifier(text, name, change)
    near = nearest(text.lower(), (*NAMES, *SPOKEN)) or NAMES
    raise UnknownModifierError(
        f"no modifier is called {text[:LONGEST_NAME]!r}; the modifiers are {', '.join(near)}"
    )


def why_unknown(text: str) -> str:
    """Return why a string is not a modifier, or an empty string if it is one."""
    try:
        read(text)
    except UnknownModifierError as reason:
        return str(reason)
    return ""


def is_modifier(text: str) -> bool:
    return not why_unknown(text)


# --- applying -----------------------------------------------------------------------------------


def apply(document: Document, names: Sequence[str]) -> Document:
    """Return the document with these modifiers, applied in this order.

    A modifier that another one implies changes nothing. Raises ModifierFitError and
    UnknownModifierError.
    """
    modifiers = [read(name) for name in names]
    implied = {IMPLIED[modifier.name] for modifier in modifiers if modifier.name in IMPLIED}
    changed = document
    done: set[str] = set()
    for place, modifier in enumerate(modifiers):
        if modifier.name in done:
            raise ModifierFitError(modifier.text, "the modifier is given twice", place)
        done.add(modifier.name)
        if modifier.name in implied:
            continue
        try:
            changed = modifier.change(changed)
        except ChangeError as misfit:
            raise ModifierFitError(modifier.text, str(misfit), place) from None
        problems = documents.check(changed)
        if problems and all(problem.where == "players" for problem in problems):
            least, most = changed.get("players", USUAL_PLAYERS)
            too_many = bisect_left(
                range(least + 1, most),
                True,
                key=lambda number: bool(documents.check({**changed, "players": [least, number]})),
            )
            changed = {**changed, "players": [least, least + too_many]}
            problems = documents.check(changed)
        if problems:
            raise ModifierFitError(modifier.text, problems[0].text, place)
    return changed

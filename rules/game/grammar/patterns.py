"""Parse places, quantities of cards from places, and conditions."""

from typing import Literal, cast

from rules.game.game import CardsAre, Pattern, Place, Term
from rules.game.grammar.words import (
    GrammarError,
    Names,
    Words,
    is_count,
    is_number,
    read_count,
    read_number,
)

ZONES = ("down", "up", "own", "board", "line", "row")
UNUSED = "unused"  # the player's own cards that the previous share's hand does not use


def read_place(words: Words, names: Names) -> Place:
    word = words.peek()
    if word in names.slots:
        slots = [words.take()]
        while words.peek() in names.slots:
            slots.append(words.take())
        return Place("slots", slots=tuple(slots))
    if word in names.piles:
        return Place("pile", pile=words.take())
    if word == "row":
        words.take()
        return Place("row", number=read_number(words))
    if word == "line":
        words.take()
        return Place("line", number=read_number(words) if is_number(words.peek()) else 0)
    if word in {"down", "up", "own", "unused", "board"}:
        return Place(cast("Literal['down', 'up', 'own', 'unused', 'board']", words.take()))
    raise words.misread((*ZONES, UNUSED, *sorted(names.slots), *sorted(names.piles)))


def read_board_place(words: Words, names: Names) -> Place:
    """Parse a place that all players share: the board, a row, or slots."""
    if words.peek() in {"board", "row", *names.slots}:
        return read_place(words, names)
    raise words.misread(("board", "row", *sorted(names.slots)))


def read_term(words: Words, names: Names) -> Term:
    if words.take_if("any"):
        number = read_number(words)
        return Term("count", (Place("own"), Place("board")), number, number)
    quantity: Literal["count", "all", "rest"] = "count"
    least = most = 0
    if words.peek() in {"all", "rest"}:
        quantity = cast("Literal['all', 'rest']", words.take())
    elif is_count(words.peek()):
        least, most = read_count(words)
    else:
        raise words.misread(("any", "all", "rest", "a number"))
    places = [read_place(words, names)]
    while words.take_if("or"):
        places.append(read_place(words, names))
    return Term(quantity, tuple(places), least, most)


def read_pattern(words: Words, names: Names) -> Pattern:
    start = words.at
    terms = [read_term(words, names)]
    while words.take_if("+"):
        terms.append(read_term(words, names))
    return Pattern(tuple(terms), text=" ".join(words.items[start : words.at]))


def read_hand(text: str, names: Names) -> Pattern | None:
    """Parse `2 down + 3 board when ...`. Return None if the options exclude the hand."""
    words = Words(text)
    pattern = read_pattern(words, names)
    tests = read_when(words, names)
    words.done()
    if tests is None:
        return None
    return Pattern(pattern.terms, tests, pattern.text)


def read_when(words: Words, names: Names) -> tuple[CardsAre, ...] | None:
    """Return the conditions on cards after `when`, or None if a condition on options is false."""
    if not words.take_if("when"):
        return ()
    tests: list[CardsAre] = []
    holds = True
    while True:
        negated = bool(words.take_if("not"))
        if words.peek() in names.options:
            option = words.take()
            choices = names.words.get(option, ())
            if choices and words.peek() not in choices:
                raise words.misread(choices)
            holds &= (str(names.chosen[option]) == words.take()) != negated
        else:
            tests.append(_read_cards_are(words, names, negated=negated))
        if not words.take_if("and"):
            return tuple(tests) if holds else None


def read_option_condition(words: Words, names: Names, what: str) -> bool:
    """Return whether the condition on options at the end of the string is true.

    The condition can't depend on cards. `what` names the owner of the condition, such as "a due".
    """
    tests = read_when(words, names)
    words.done()
    if tests:
        raise GrammarError("when", f"{what} can depend only on options", sorted(names.options))
    return tests is not None


def _read_cards_are(words: Words, names: Names, *, negated: bool) -> CardsAre:
    start = words.at
    try:
        place = read_place(words, names)
    except GrammarError as misread:
        could_be = (*misread.could_be, *sorted(names.options))
        raise GrammarError(misread.word, misread.text, could_be) from misread
    group = words.take_if("red", "black", "face")
    could_be = ("a count", "red", "black", "face") if not group else ("a count",)
    if not is_count(words.peek()) or is_count(words.peek(1)):
        prefix = f"{' '.join(words.items[start : words.at + 2])}: "
        raise words.misread(could_be, f"{prefix}a count, red, black or face is required")
    least, most = read_count(words)
    return CardsAre(place, cast("Literal['', 'red', 'black', 'face']", group), least, most, negated)

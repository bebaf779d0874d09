"""Chips that the cards of a row move, and what losers put in."""

from collections.abc import Callable

from rules.game.game import Due
from rules.game.grammar.words import Words, is_number, read_number


def read_due(text: str) -> Due:
    """`put 1 2 3 4 5 row 1`, `take rank row 2`, `bank dealer`, `leftover carry`."""
    words = Words(text)
    verb = words.expect("put", "take", "bank", "leftover", "losers")
    due = DUE_READERS[verb](words, verb)
    words.done()
    return due


def _read_row_due(words: Words, verb: str) -> Due:
    values: list[int] = []
    if not words.take_if("rank"):
        while is_number(words.peek()):
            values.append(read_number(words, most=1_000_000))
        if not values:
            raise words.misread(("rank", "a number of chips for each card of the row"))
    words.expect("row")
    return Due(verb, row=read_number(words), values=tuple(values))


def _read_word_due(*allowed: str) -> Callable[[Words, str], Due]:
    def read(words: Words, verb: str) -> Due:
        return Due(verb, word=words.expect(*allowed))

    return read


def _read_losers(words: Words, verb: str) -> Due:
    words.expect("match")
    words.expect("pot")
    return Due(verb, word="match pot")


DUE_READERS: dict[str, Callable[[Words, str], Due]] = {
    "put": _read_row_due,
    "take": _read_row_due,
    "bank": _read_word_due("dealer"),
    "leftover": _read_word_due("dealer", "carry"),
    "losers": _read_losers,
}

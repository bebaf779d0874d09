"""Chips that the cards of a row move, and what losers put in."""

from collections.abc import Callable

from rules.game.game import Due
from rules.game.grammar.patterns import read_options_hold
from rules.game.grammar.words import Names, Words, is_number, read_number

MOST_CHIPS = 1_000_000  # of one due
MOST_BETS = 10  # that a card may cost


def read_due(text: str, names: Names) -> Due | None:
    """`put 1 2 3 4 5 row 1`, `take rank row 2`, `bank dealer`, `leftover carry`; None where its
    `when` does not hold."""
    words = Words(text)
    verb = words.expect(*DUE_READERS)
    due = DUE_READERS[verb](words, verb)
    return due if read_options_hold(words, names, "dues hang") else None


def _read_row_due(words: Words, verb: str) -> Due:
    values: list[int] = []
    if not words.take_if("rank"):
        while is_number(words.peek()):
            values.append(read_number(words, most=MOST_CHIPS))
        if not values:
            raise words.misread(("rank", "a number of chips for each card of the row"))
    words.expect("row")
    return Due(verb, row=read_number(words), values=tuple(values))


def _read_word_due(*allowed: str) -> Callable[[Words, str], Due]:
    def read(words: Words, verb: str) -> Due:
        return Due(verb, word=words.expect(*allowed))

    return read


def _read_losers(words: Words, verb: str) -> Due:
    """`losers match pot up to 50` for the next hand; `losers pay pot`, `losers pay 5` to the
    winners; `losers under half match pot` if winners of less than half of the pot lose as well."""
    under_half = bool(words.take_if("under"))
    if under_half:
        words.expect("half")
    how = words.expect("match", "pay")
    if how == "pay" and is_number(words.peek()):
        price = read_number(words, most=MOST_CHIPS)
        return Due(verb, values=(price,), word="pay", under_half=under_half)
    words.expect("pot")
    most = 0
    if words.take_if("up"):
        words.expect("to")
        most = read_number(words, most=MOST_CHIPS)
    return Due(verb, word=f"{how} pot", most=most, under_half=under_half)


def _read_against(words: Words, verb: str) -> Due:
    """`against pot between`, `against pot higher of suit`: how a bet against the pot is won."""
    words.expect("pot")
    if words.expect("between", "higher") == "between":
        return Due(verb, word="between")
    words.expect("of")
    words.expect("suit")
    return Due(verb, word="higher")


def _read_post(words: Words, verb: str) -> Due:
    """`post pays 2`, `post pays 2 3`: how many bets it costs to meet one of them, or both."""
    words.expect("pays")
    values = [read_number(words, most=MOST_BETS)]
    if is_number(words.peek()):
        values.append(read_number(words, most=MOST_BETS))
    if 0 in values:
        raise words.misread(("2",), "who loses puts in one bet at least")
    return Due(verb, values=tuple(values))


DUE_READERS: dict[str, Callable[[Words, str], Due]] = {
    "put": _read_row_due,
    "take": _read_row_due,
    "bank": _read_word_due("dealer"),
    "leftover": _read_word_due("dealer", "carry"),
    "losers": _read_losers,
    "against": _read_against,
    "post": _read_post,
    "call": _read_word_due("ace", "pair"),
}

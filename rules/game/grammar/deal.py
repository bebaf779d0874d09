"""The steps of the deal."""

from collections.abc import Callable

from rules.game.grammar.betting import LIMIT_WORDS, is_limit, read_limit
from rules.game.grammar.patterns import read_board_place, read_options_hold
from rules.game.grammar.shares import BAR_END, read_bar
from rules.game.grammar.table_steps import TABLE_STEP_READERS
from rules.game.grammar.words import (
    Names,
    Words,
    is_number,
    read_count,
    read_number,
    read_rank,
)
from rules.game.steps import Step


def read_steps(text: str, names: Names) -> list[Step]:
    """The steps of one string of the deal: `2 down 1 up` is two; by its `when` perhaps none."""
    text, when, condition = text.partition(" when ")
    if when and not _is_dealt(Words(f"when {condition}"), names):
        _read_steps(text, names)  # its words must be right all the same
        return []
    return _read_steps(text, names)


def _is_dealt(words: Words, names: Names) -> bool:
    """Whether the options ask for a step. Cards can't: who is dealt to must not hang on them."""
    return read_options_hold(words, names, "a step of the deal hangs")


def _read_steps(text: str, names: Names) -> list[Step]:
    words = Words(text)
    if is_number(words.peek()):
        return _read_dealt(words, names)
    reader = STEP_READERS.get(words.peek())
    if reader is None:
        raise words.misread((*STEP_READERS, "a number and down or up"))
    step = reader(words, names)
    words.done()
    return [step]


def _read_dealt(words: Words, names: Names) -> list[Step]:
    steps = []
    while words.more:
        number = read_number(words)
        if words.take_if("to"):
            pile = words.take()
            if not pile:
                raise words.misread(("the name of a pile",))
            steps.append(_deal(words.text, f"pile {pile}", number))
        else:
            zone = words.expect("down", "up", "blind", "unseen", "to")
            steps.append(_deal(words.text, zone, number))
    return steps


def _deal(text: str, zone: str, number: int) -> Step:
    lies = {"blind": "up", "unseen": "down"}.get(zone)
    if lies:  # up for all but its holder; down for its holder as well
        return Step("deal", text, zone=lies, least=number, most=number, word=zone)
    return Step("deal", text, zone=zone, least=number, most=number)


def _read_board(words: Words, names: Names) -> Step:
    words.take()
    slots = []
    while words.more and words.peek() != "down":
        if words.peek() not in names.slots:
            raise words.misread(sorted(names.slots))
        slots.append(words.take())
    if not slots:
        raise words.misread(sorted(names.slots))
    return Step("board", words.text, slots=tuple(slots), face_down=bool(words.take_if("down")))


def _read_plain_step(words: Words, names: Names) -> Step:
    return Step(words.take(), words.text)


OPENERS = ("left", "high", "low", "best", "lowest", "last")


def _read_bet(words: Words, names: Names) -> Step:
    """`bet`, `bet pot-limit`, `bet best opens`, `bet 1-5 high must open`."""
    words.take()
    limit = read_limit(words) if is_limit(words.peek()) else None
    if not words.more:
        return Step("bet", words.text, limit=limit)
    opener = words.peek()
    if opener.endswith(BAR_END):
        read_bar(words)
    else:
        words.expect(*OPENERS, "JJ-or-better", *(() if limit else LIMIT_WORDS))
    must = bool(words.take_if("must"))
    words.expect("open" if must else "opens", *(() if must else ("must",)))
    return Step("bet", words.text, word=opener, must=must, limit=limit)


def _read_bring_in(words: Words, names: Names) -> Step:
    """`bring-in low`, aces high as usual; `bring-in high`, aces low; each also the other way."""
    words.take()
    card = words.expect("low", "high")
    aces = words.take_if("ace-high", "ace-low")
    unusual = aces and aces != {"low": "ace-high", "high": "ace-low"}[card]
    return Step("bring-in", words.text, word=f"{card} {aces}" if unusual else card)


def _read_exchange(words: Words, names: Names) -> Step:
    """`discard 0-1`, `discard matching row 2`, `draw 0-3 less 1`, `buy 0-1 common for fee`,
    `draw for 4 up`."""
    verb = words.take()
    if verb == "discard" and words.take_if("matching"):
        place = read_board_place(words, names)
        zone = words.take_if("any", "down", "up")
        return Step(verb, words.text, zone=zone, place=place)
    if verb == "draw" and words.take_if("for"):
        rank = read_rank(words)
        words.expect("up")
        return Step("earn", words.text, ranks=frozenset({rank}))
    least, most = read_count(words)
    sign = {"plus": 1, "less": -1}.get(words.take_if("plus", "less"), 0)
    change = sign * read_number(words) if sign else 0
    zone = words.take_if("any", "down", "up", "common")
    price = words.take() if words.take_if("for") else ""
    return Step(verb, words.text, zone=zone, least=least, most=most, change=change, word=price)


def _read_pass(words: Words, names: Names) -> Step:
    """`pass 3 left`, `pass 2 second left`: so many seats on."""
    words.take()
    number = read_number(words)
    places = {"second": 2, "third": 3}.get(words.take_if("second", "third"), 1)
    to = words.expect(*(DIRECTIONS if places == 1 else DIRECTIONS[:2]))
    return Step("pass", words.text, "down", least=number, most=number, change=places, word=to)


def _read_turn(words: Words, names: Names) -> Step:
    words.take()
    if words.take_if("until"):
        return Step("turn until", words.text, word=words.expect("best"))
    least, most = read_count(words)
    return Step("turn", words.text, zone="up", least=least, most=most)


def _read_set(words: Words, names: Names) -> Step:
    """`set front 3 middle 5`: cards of the hand laid into piles; `any`: those that lie up too."""
    words.take()
    piles = []
    while words.more and words.peek() != "any":
        pile = words.take()
        piles.append(f"{pile} {read_number(words)}")
    if not piles:
        raise words.misread(("a pile and a number",))
    zone = words.take_if("any") or "down"
    return Step("set", words.text, zone, word=", ".join(piles))


def _read_replace(words: Words, names: Names) -> Step:
    words.take()
    words.expect("board")
    number = read_number(words)
    return Step("replace", words.text, zone="board", least=number, most=number)


def _read_remove(words: Words, names: Names) -> Step:
    words.take()
    words.expect("row")
    return Step("remove", words.text, zone="board")


def _read_asking(words: Words, names: Names) -> Step:
    verb = words.take()
    if words.peek() not in names.options:
        raise words.misread(sorted(names.options))
    return Step(verb, words.text, word=words.take())


DIRECTIONS = ("left", "right", "across")
SEATS = ("second", "third")
STEP_READERS: dict[str, Callable[[Words, Names], Step]] = {
    **dict.fromkeys(
        ("ante", "blinds", "button-blind", "bomb", "burn", "declare", "in-or-out", "shuffle"),
        _read_plain_step,
    ),
    "board": _read_board,
    "bring-in": _read_bring_in,
    "bet": _read_bet,
    **dict.fromkeys(("discard", "draw", "buy"), _read_exchange),
    "pass": _read_pass,
    **TABLE_STEP_READERS,
    "turn": _read_turn,
    "set": _read_set,
    "replace": _read_replace,
    "remove": _read_remove,
    **dict.fromkeys(("roll", "choose"), _read_asking),
}

"""Parse the steps of a deal."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from rules.game.game import Betting, Limit, Place, Step
from rules.game.grammar.cards import read_cards
from rules.game.grammar.patterns import read_board_place, read_option_condition
from rules.game.grammar.shares import BAR_END, read_bar
from rules.game.grammar.words import (
    SLOT_NAME,
    GrammarError,
    Names,
    Words,
    is_count,
    is_number,
    read_count,
    read_number,
    read_rank,
)

# Parsers for steps at which players take, pay, push or bid.


MOST_PRICE = 1_000_000
MOST_PUSHES = 5
SIDES = ("left", "right")
SWAP_HAND = "swap hand"


def _read_take(words: Words, names: Names) -> Step:
    """Parse `take 0-1 from row 2 up for 1 2 3`: players take cards from the table in turn."""
    verb = words.take()
    least, most = read_count(words)
    words.expect("from")
    place = _read_row(words, names)
    zone = words.take_if("down", "up") or "down"
    prices = _read_prices(words)
    return Step(verb, words.text, zone, least, most, place=place, prices=prices)


def _read_swap(words: Words, names: Names) -> Step:
    """Parse `swap 0-5 with row 2` (one card put down for each one taken) or `swap hand left`."""
    verb = words.take()
    if words.take_if("hand"):
        side = words.expect(*SIDES)
        if not words.take_if("unless"):
            return Step(SWAP_HAND, words.text, word=side)
        group = read_cards(words)
        return Step(SWAP_HAND, words.text, group.zone, cards=group.cards, word=side)
    least, most = read_count(words)
    words.expect("with")
    place = _read_row(words, names)
    zone = words.take_if("any", "down", "up")
    prices = _read_prices(words)
    return Step(verb, words.text, zone, least, most, place=place, prices=prices)


def _read_row(words: Words, names: Names) -> Place:
    if words.peek() != "row":
        raise words.misread(("row",))
    return read_board_place(words, names)


def _read_prices(words: Words) -> tuple[int, ...]:
    if not words.take_if("for"):
        return ()
    prices = [_read_price(words)]
    while is_number(words.peek()):
        prices.append(_read_price(words))
    return tuple(prices)


def _read_price(words: Words) -> int:
    return read_number(words, most=MOST_PRICE)


def _read_extra(words: Words, names: Names) -> Step:
    """Parse a step at which players get additional cards for a price.

    Examples are `extra 0-1 up for 5` and, with at most one card per round, `hit 0-5 up for 1 frozen
    after 3`.
    """
    verb = words.take()
    least, most = read_count(words)
    zone = words.take_if("down", "up") or "down"
    price = ""
    if words.take_if("for"):
        price = words.take_if("fee") or str(_read_price(words))
    stands = 0
    if verb == "hit" and words.take_if("frozen"):
        words.expect("after")
        stands = read_number(words)
    return Step(verb, words.text, zone, least, most, word=price, stands=stands)


def _read_toll(words: Words, names: Names) -> Step:
    """Parse `match pot for 3 up` or `pay 5 for 4 up`: players dealt such a card pay or fold."""
    matches = words.take() == "match"
    price = words.expect("pot") if matches else str(_read_price(words))
    words.expect("for")
    cards = read_cards(words)
    if cards.zone != "up":
        raise words.misread(("up",), "only a card up is known to all players")
    return Step("toll", words.text, "up", cards=cards.cards, word=price)


def _read_push(words: Words, names: Names) -> Step:
    """Parse `push 1 left` or `push 1 left down for 2`: players may refuse a card and push it on."""
    verb = words.take()
    number = read_number(words, most=MOST_PUSHES)
    side = words.expect(*SIDES)
    zone = words.take_if("down", "up") or "up"
    prices = (_read_price(words),) if words.take_if("for") else ()
    return Step(verb, words.text, zone, number, number, word=side, prices=prices)


def _read_bid(words: Words, names: Names) -> Step:
    """Parse `bid for a up`, `bid for seat` or `bid for weather`."""
    verb = words.take()
    words.expect("for")
    if words.peek() in names.slots:
        place = read_board_place(words, names)
        zone = words.take_if("down", "up") or "down"
        return Step(verb, words.text, zone, place=place)
    return Step(verb, words.text, word=words.expect("seat", *names.slots, *names.options))


TABLE_STEP_READERS: dict[str, Callable[[Words, Names], Step]] = {
    "take": _read_take,
    "swap": _read_swap,
    **dict.fromkeys(("extra", "hit"), _read_extra),
    **dict.fromkeys(("match", "pay"), _read_toll),
    "push": _read_push,
    "bid": _read_bid,
}


# Parsing the betting limits of each round.


LIMITS = ("table", "no-limit", "pot-limit", "half-pot", "small", "big", "mid", "none")
SCHEMES = {
    "shootout": "table",
    "standoff": "none",
    "showdown": "mid",
}  # alternative names of three limits
LIMIT_WORDS = (*LIMITS, *SCHEMES, "a range such as 1-5")


def read_betting(text: str) -> Betting:
    """Parse `no-limit`, `small small big` or `1-2 1-2 1-2 1-5 open-pair out-of-turn 2`."""
    words = Words(text)
    limits = []
    while is_limit(words.peek()):
        limits.append(read_limit(words))
    if not limits:
        raise words.misread(LIMIT_WORDS)
    open_pair = bool(words.take_if("open-pair"))
    out_of_turn = read_number(words) if words.take_if("out-of-turn") else 0
    if words.more:
        raise words.misread((*LIMIT_WORDS, "open-pair", "out-of-turn"))
    return Betting(tuple(limits), open_pair, out_of_turn)


def is_limit(word: str) -> bool:
    return word in LIMITS or word in SCHEMES or (bool(word) and is_count(word))


def read_limit(words: Words) -> Limit:
    if not is_count(words.peek()):
        word = words.take()
        return Limit(SCHEMES.get(word, word))
    least, most = read_count(words)
    return Limit("spread", least, most)


def read_steps(text: str, names: Names) -> list[Step]:
    """Parse one string of the deal. `2 down 1 up` is two steps. A false `when` gives no steps."""
    text, when, condition = text.partition(" when ")
    if when and not read_option_condition(Words(f"when {condition}"), names, "a step of the deal"):
        _read_steps(text, names)  # these words must be valid even if the condition is false
        return []
    return _read_steps(text, names)


def _read_steps(text: str, names: Names) -> list[Step]:
    words = Words(text)
    if is_number(words.peek()):
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
    reader = STEP_READERS.get(words.peek())
    if reader is None:
        raise words.misread((*STEP_READERS, "a number and down or up"))
    step = reader(words, names)
    words.done()
    return [step]


def _deal(text: str, zone: str, number: int) -> Step:
    lies = {"blind": "up", "unseen": "down"}.get(zone)
    # blind cards are face up for everyone but their holder, unseen cards are face down for everyone
    if lies:
        return Step("deal", text, zone=lies, least=number, most=number, word=zone)
    return Step("deal", text, zone=zone, least=number, most=number)


def _read_short_step(words: Words, names: Names) -> Step:
    """Parse a step of one or a few words, such as `ante`, `bring-in low` or `turn until best`."""
    verb = words.take()
    step = Step(verb, words.text)
    match verb:
        case "declare":
            if words.take_if("in"):
                step = replace(step, word=words.expect("turn"))
        case "bring-in":  # for `low` aces are high by default, and for `high` they are low
            card = words.expect("low", "high")
            aces = words.take_if("ace-high", "ace-low")
            unusual = aces and aces != {"low": "ace-high", "high": "ace-low"}[card]
            step = replace(step, word=f"{card} {aces}" if unusual else card)
        case "turn":
            if words.take_if("until"):
                step = replace(step, verb="turn until", word=words.expect("best"))
            else:
                least, most = read_count(words)
                step = replace(step, zone="up", least=least, most=most)
        case "replace":
            words.expect("board")
            number = read_number(words)
            step = replace(step, zone="board", least=number, most=number)
        case "remove":
            words.expect("row")
            step = replace(step, zone="board")
        case "roll" | "choose":
            if words.peek() not in names.options:
                raise words.misread(sorted(names.options))
            step = replace(step, word=words.take())
    return step


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


def _read_pass(words: Words, names: Names) -> Step:
    """Parse `pass 3 left` or `pass 2 second left`: the number of cards and of seats."""
    words.take()
    number = read_number(words)
    places = {"second": 2, "third": 3}.get(words.take_if("second", "third"), 1)
    to = words.expect(*(DIRECTIONS if places == 1 else DIRECTIONS[:2]))
    return Step("pass", words.text, "down", least=number, most=number, change=places, word=to)


OPENERS = ("left", "high", "low", "best", "lowest", "last")


def _read_bet(words: Words, names: Names) -> Step:
    """Parse `bet`, `bet pot-limit`, `bet best opens` or `bet 1-5 high must open`."""
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


def _read_exchange(words: Words, names: Names) -> Step:
    """Parse a step at which players exchange cards.

    Examples are `discard 0-1`, `discard matching row 2`, `draw 0-3 less 1`, `buy 0-1 common for
    fee` and `draw for 4 up`.
    """
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


def _read_set(words: Words, names: Names) -> Step:
    """Parse `set front 3 middle 5`: cards put from the hand into piles.

    `any` includes cards up.
    """
    words.take()
    piles = []
    while words.more and words.peek() != "any":
        pile = words.take()
        piles.append(f"{pile} {read_number(words)}")
    if not piles:
        raise words.misread(("a pile and a number",))
    zone = words.take_if("any") or "down"
    return Step("set", words.text, zone, word=", ".join(piles))


DIRECTIONS = ("left", "right", "across")
SEATS = ("second", "third")
STEP_READERS: dict[str, Callable[[Words, Names], Step]] = {
    **dict.fromkeys(
        ("ante", "blinds", "button-blind", "bomb", "burn", "in-or-out", "shuffle", "declare"),
        _read_short_step,
    ),
    "board": _read_board,
    "bring-in": _read_short_step,
    "bet": _read_bet,
    **dict.fromkeys(("discard", "draw", "buy"), _read_exchange),
    "pass": _read_pass,
    **TABLE_STEP_READERS,
    "turn": _read_short_step,
    "set": _read_set,
    **dict.fromkeys(("replace", "remove", "roll", "choose"), _read_short_step),
}


# The board's rows and the lines across them. Options can exclude any of them.


@dataclass(frozen=True)
class Row:
    """Slots in a row. `is_there` is false if the options exclude the row."""

    slots: tuple[str, ...]
    is_there: bool = True


def read_row(text: str, names: Names) -> Row:
    """Parse `a b c` or `d e when mood happy`."""
    slots, _, condition = text.partition(" when ")
    for slot in slots.split():
        if not SLOT_NAME.match(slot) or slot == "when":
            raise GrammarError(
                slot,
                f"{slot!r} can't be the name of a slot, which consists of letters and digits",
                (),
            )
    if not slots.strip():
        raise GrammarError("", "a row needs at least one slot", ())
    # rows can't depend on cards, because they exist before the cards are dealt
    is_there = not condition or read_option_condition(
        Words(f"when {condition}"), names, "a row of the board"
    )
    return Row(tuple(slots.split()), is_there)


def read_line(text: str, names: Names) -> Row:
    """Parse a line across the board, such as `a b c`. The slots must be on the board."""
    line = read_row(text, names)
    for slot in line.slots:
        if slot not in names.slots:
            raise GrammarError(slot, f"the board has no slot {slot!r}", sorted(names.slots))
    return line

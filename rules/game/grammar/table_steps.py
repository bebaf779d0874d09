"""Steps of the deal at which players take, pay, push on or bid."""

from collections.abc import Callable

from rules.game.grammar.cards import read_cards
from rules.game.grammar.patterns import read_board_place
from rules.game.grammar.words import Names, Words, is_number, read_count, read_number
from rules.game.steps import Place, Step

MOST_PRICE = 1_000_000
MOST_PUSHES = 5
SIDES = ("left", "right")
SWAP_HAND = "swap hand"


def _read_take(words: Words, names: Names) -> Step:
    """`take 0-1 from row 2 up for 1 2 3`: in turn, from the table into the hand."""
    verb = words.take()
    least, most = read_count(words)
    words.expect("from")
    place = _read_row(words, names)
    zone = words.take_if("down", "up") or "down"
    prices = _read_prices(words)
    return Step(verb, words.text, zone, least, most, place=place, prices=prices)


def _read_swap(words: Words, names: Names) -> Step:
    """`swap 0-5 with row 2`: as many as are taken are put there; `swap hand left`."""
    verb = words.take()
    if words.take_if("hand"):
        return _read_swap_of_hands(words)
    least, most = read_count(words)
    words.expect("with")
    place = _read_row(words, names)
    zone = words.take_if("any", "down", "up")
    prices = _read_prices(words)
    return Step(verb, words.text, zone, least, most, place=place, prices=prices)


def _read_swap_of_hands(words: Words) -> Step:
    """`swap hand left unless K`: all cards down for the neighbour's, who may hold one to refuse."""
    side = words.expect(*SIDES)
    if not words.take_if("unless"):
        return Step(SWAP_HAND, words.text, word=side)
    found = read_cards(words)
    return Step(SWAP_HAND, words.text, found.zone, cards=found.cards, word=side)


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
    """`extra 0-1 up for 5`: cards on top, nothing is given for them but the price."""
    verb = words.take()
    least, most = read_count(words)
    zone = words.take_if("down", "up") or "down"
    return Step(verb, words.text, zone, least, most, word=_read_one_price(words))


def _read_hit(words: Words, names: Names) -> Step:
    """`hit 0-5 up for 1 frozen after 3`: one card a round or none, round after round."""
    verb = words.take()
    least, most = read_count(words)
    zone = words.take_if("down", "up") or "down"
    price = _read_one_price(words)
    stands = 0
    if words.take_if("frozen"):
        words.expect("after")
        stands = read_number(words)
    return Step(verb, words.text, zone, least, most, word=price, stands=stands)


def _read_one_price(words: Words) -> str:
    if not words.take_if("for"):
        return ""
    return words.take_if("fee") or str(_read_price(words))


def _read_toll(words: Words, names: Names) -> Step:
    """`match pot for 3 up`, `pay 5 for 4 up`: whoever is dealt such a card pays or folds."""
    matches = words.take() == "match"
    price = words.expect("pot") if matches else str(_read_price(words))
    words.expect("for")
    found = read_cards(words)
    if found.zone != "up":
        raise words.misread(("up",), "only a card that lies up is known to all")
    return Step("toll", words.text, "up", cards=found.cards, word=price)


def _read_push(words: Words, names: Names) -> Step:
    """`push 1 left`, `push 1 left down for 2`: each card may be refused and goes on."""
    verb = words.take()
    number = read_number(words, most=MOST_PUSHES)
    side = words.expect(*SIDES)
    zone = words.take_if("down", "up") or "up"
    prices = (_read_price(words),) if words.take_if("for") else ()
    return Step(verb, words.text, zone, number, number, word=side, prices=prices)


def _read_bid(words: Words, names: Names) -> Step:
    """`bid for a up`, `bid for seat`, `bid for weather`."""
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
    "extra": _read_extra,
    "hit": _read_hit,
    **dict.fromkeys(("match", "pay"), _read_toll),
    "push": _read_push,
    "bid": _read_bid,
}

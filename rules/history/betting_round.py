"""A betting round: the opener, the players who can act, and the limits of a bet.

In some games the cards that are face up determine the opener. `opening_words` is the dealer's
announcement.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from rules.cards import (
    ACE,
    CARD_KINDS,
    NATURAL_CARDS,
    RANK_NAMES,
    RANK_PLURALS,
    SUIT_NAMES,
    TEXTS,
    UNSEEN,
)
from rules.game.game import CardSet, Game, Limit
from rules.history.script import Stage
from rules.history.table import Seat, Table, live_in_turn

# Bet sizes: each limit's minimum and maximum, and the size of a full bet.


NOTHING_TO_SAY = frozenset(("mid", "none"))
FIXED = frozenset(("small", "big"))
Sizes = tuple[int, int]


def _least(table: Table) -> int:
    """Return the current bet plus the last raise or minimum bet, which completes a bring-in."""
    least, above = (0 if table.brought else table.high) + table.size, table.high + 1
    return max(above, least)


def _no_limit(table: Table, seat: Seat, top: int) -> Sizes:
    return _least(table), top


def _pot_limit(table: Table, seat: Seat, top: int) -> Sizes:
    """Return the sizes under pot limit, whose maximum is the size of the pot after the call."""
    return _least(table), 2 * table.high - seat.bet + table.pot


def _half_pot(table: Table, seat: Seat, top: int) -> Sizes:
    after_call = table.pot + table.high - seat.bet
    return _least(table), table.high + after_call // 2


def _fixed(table: Table, seat: Seat, top: int) -> Sizes:
    """Return the sizes under fixed limit.

    A raise after an all-in of less than half a bet only completes that bet.
    """
    bet = table.whole
    short = table.brought or 2 * (table.high - table.full) < bet
    to = (0 if table.brought else table.full if short else table.high) + bet
    return (to, to) if to > table.high else (table.high + 1, table.high + 1)


def _spread(table: Table, seat: Seat, top: int) -> Sizes:
    unit = table.stakes.unit
    high = 0 if table.brought else table.high
    return high + table.limit.least * unit, high + table.limit.most * unit


SIZES: dict[str, Callable[[Table, Seat, int], Sizes]] = {
    "no-limit": _no_limit,
    "table": _no_limit,
    "pot-limit": _pot_limit,
    "half-pot": _half_pot,
    "small": _fixed,
    "big": _fixed,
    "spread": _spread,
}


def fixed_bet(table: Table) -> int:
    """Return the bet of the round under a fixed limit."""
    stakes = table.stakes
    small = stakes.small or stakes.min or 1
    return small if table.limit.kind == "small" else stakes.big or 2 * small


def sizes(table: Table, index: int) -> Sizes | None:
    """Return the minimum and maximum that a seat may bet or raise to, or None if it can't."""
    seats, kind, cap = table.seats, table.limit.kind, table.stakes.cap
    seat = seats[index]
    top = seat.bet + seat.stack
    if kind in NOTHING_TO_SAY or top <= table.high or index in table.closed:
        return None
    if cap and table.raises >= cap:
        return None
    for other in seats:
        if other.stack and other.live and other is not seat:
            break
    else:
        return None  # no opponent has chips left to call with
    least, most = SIZES[kind](table, seat, top)
    if least <= most <= top:  # fast path for the common case
        return least, most
    # even if the pot is small, the minimum bet is allowed
    return min(least, top), min(max(least, most), top)


def limit_of_round(table: Table) -> Limit:
    """Return the betting limit of a round. If the game leaves the limit open, the table decides."""
    limit = table.stage.limit
    betting = table.stakes.betting
    if betting is None and not table.game.betting.open_pair:
        return limit
    if limit.kind == "table" and betting:
        limit = betting.limit(table.stage.round) or limit
    else:
        betting = table.game.betting
    if betting.open_pair and betting.limits:
        for seat in table.seats:
            if seat.live and len({card // 4 for card in seat.up}) < len(seat.up):
                return betting.limits[-1]
    return limit


def is_full(table: Table, raised: int) -> bool:
    """Return whether a bet or raise is full, which reopens the betting."""
    if table.limit.kind in FIXED:
        return table.brought or 2 * (table.high + raised - table.full) >= table.whole
    if table.limit.kind == "spread":
        return raised >= table.limit.least * table.stakes.unit
    return raised >= table.size


def open_round(table: Table, stage: Stage) -> None:
    """Determine which player opens and which players may act in this round."""
    seats, stakes = table.seats, table.stakes
    limit = table.limit = limit_of_round(table)
    if limit.kind in FIXED:
        table.whole = fixed_bet(table)
    table.rounds += 1
    high = table.high = max([seat.bet for seat in seats])
    table.closed.clear()
    table.raises = table.acted = 0
    table.brought = table.opened = table.anyone = False
    table.wrong_opener = None
    table.opener = table.alone = -1
    if limit.kind == "none" or table.left < 2:
        table.waiting = []
        return
    first = _first(table, stage)
    if high and stage.round == 0 and not stakes.short_blind:
        high = table.high = max(high, stakes.largest_blind)
    table.full = high
    size = stakes.min or (0 if limit.kind == "table" else stakes.big)
    table.size = size or max(stakes.blinds, default=0)
    behind = table.order if first == table.order[0] else (first, *table.after[first])
    waiting = table.waiting = [at for at in behind if seats[at].live and seats[at].stack]
    if len(waiting) == 1:
        nobody_left_to_bet(table)
    if table.waiting:
        table.opener = table.waiting[0]
        if table.calls is not None:
            table.calls.append(opening_words(table, table.opener))


def _first(table: Table, stage: Stage) -> int:
    word = stage.word
    if not word:  # the common case; a bring-in always has a word
        if stage.round or not table.high:
            return table.order[0]
        # after the largest blind or straddle, or after the last one if tied
        if table.stakes.blinds and not table.own_blinds:
            return _behind_blinds(table.order, table.stakes.blinds)
        return _behind_largest(table.order, {seat: table.seats[seat].blind for seat in table.order})
    if stage.bring_in or word in KEYS:
        turned = stage.back >= 0 and table.script.stages[stage.back].kind == "roll"
        opener = table.holder if turned else opener_by_cards(table)
        table.anyone = opener is None
        return table.order[0] if opener is None or opener < 0 else opener
    if word == "last" and table.raiser >= 0:
        return table.raiser
    return table.order[0]


@lru_cache(maxsize=4096)
def _behind_blinds(order: tuple[int, ...], blinds: tuple[int, ...]) -> int:
    return _behind_largest(order, by_position(order, blinds))


def _behind_largest(order: tuple[int, ...], nominal: Mapping[int, int]) -> int:
    last = max(range(len(order)), key=lambda place: (nominal.get(order[place], 0), place))
    return order[(last + 1) % len(order)]


def by_position(order: tuple[int, ...], amounts: tuple[int, ...]) -> dict[int, int]:
    """Map chips, listed from the dealer's left, to seats. Heads up the dealer comes first."""
    return dict(zip(order if len(order) != 2 else order[::-1], amounts, strict=False))


def nobody_left_to_bet(table: Table) -> None:
    """End the turn of the last waiting player if no bet is due and no opponent has chips left."""
    if table.limit.kind == "mid" and table.acted:
        return
    own = table.seats[table.waiting[0]]
    for seat in table.seats:
        if (seat.stack or seat.bet > own.bet) and seat.live and seat is not own:
            return
    table.alone = table.waiting[0]
    table.waiting = []


# for bring-ins, suits rank alphabetically with clubs lowest, which differs from the order for
# comparing single cards
BRING_IN_SUITS = (1, 0, 2, 3)  # ranks of diamonds, clubs, hearts and spades
ACES_HIGH = tuple(range(13))
ACES_LOW = tuple((rank + 1) % 13 for rank in range(13))

Groups = tuple[tuple[int, int], ...]
Key = Callable[[Game, Sequence[int]], object]


def _bring_in(ranks: Sequence[int], sign: int) -> Key:
    """Return the sort key for the highest card up, or for the lowest card if `sign` is -1."""
    places = [
        sign * (4 * ranks[card // 4] + BRING_IN_SUITS[card % 4]) for card in range(NATURAL_CARDS)
    ]

    def key(game: Game, up: Sequence[int]) -> object:
        return max([places[card] for card in up])

    return key


def high_card(game: Game, up: Sequence[int]) -> object:
    return max(card // 4 for card in up)


def low_card(game: Game, up: Sequence[int]) -> object:
    return -min(card // 4 for card in up)


def best_hand(game: Game, up: Sequence[int]) -> object:
    """Rank pairs, trips and high cards. Straights and flushes do not count for the opener."""
    if wild_for_all(game).isdisjoint(up):  # the common case
        return _best_of(tuple([card // 4 for card in up]))
    return _apart(groups(game, up))


@lru_cache(maxsize=1 << 15)
def _best_of(ranks: tuple[int, ...]) -> object:
    return _apart(_grouped(ranks))


def lowest_hand(game: Game, up: Sequence[int]) -> object:
    """Rank low hands: aces are low, pairs are bad. Values are negated, so that lower is better."""
    counts = Counter([ACES_LOW[card // 4] for card in up])
    return _apart(sorted([(-count, -rank) for rank, count in counts.items()]))


def _apart(grouped: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Compare counts before ranks, so that two pairs beat one pair of any rank."""
    return tuple(zip(*grouped, strict=True))


def groups(game: Game, up: Sequence[int]) -> Groups:
    """Count the cards of each rank, largest group first. Wild cards join the largest group."""
    wild = wild_for_all(game)
    if wild.isdisjoint(up):
        return _grouped(tuple([card // 4 for card in up]))
    grouped = _grouped(tuple([card // 4 for card in up if card not in wild]))
    joined = len(up) - sum(count for count, _ in grouped)
    count, rank = grouped[0] if grouped else (0, ACE)
    return ((count + joined, rank), *grouped[1:])


@lru_cache(maxsize=1 << 15)
def _grouped(ranks: tuple[int, ...]) -> Groups:
    return tuple(sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True))


@lru_cache(maxsize=1024)
def wild_for_all(game: Game) -> frozenset[int]:
    """Return the cards that are wild when face up, including jokers."""
    sets = [rule for rule in game.wild if isinstance(rule, CardSet) and rule.zone != "down"]
    return frozenset(range(NATURAL_CARDS, CARD_KINDS)).union(*(rule.cards for rule in sets))


KEYS: dict[str, Key] = {
    "high": high_card,
    "low": low_card,
    "best": best_hand,
    "lowest": lowest_hand,
}
BRING_INS: dict[str, Key] = {
    "low": _bring_in(ACES_HIGH, -1),
    "low ace-low": _bring_in(ACES_LOW, -1),
    "high ace-high": _bring_in(ACES_HIGH, 1),
    "high": _bring_in(ACES_LOW, 1),
}


def opener_by_cards(table: Table) -> int | None:
    """Return the seat that opens, or None if a face-up card is unknown."""
    stage, seats, game = table.stage, table.seats, table.game
    key = BRING_INS[stage.word] if stage.bring_in else KEYS[stage.word]
    best: object = None
    opener = None
    for at in table.order:
        up = seats[at].up
        if not (up and seats[at].live):
            continue
        if UNSEEN in up or (stage.bring_in and max(up) >= NATURAL_CARDS):
            return None
        here = key(game, up)
        if opener is None or here > best:  # type: ignore[operator]
            best, opener = here, at
    return opener if opener is not None else live_in_turn(table)[0]


# --- the dealer's announcements -----------------------------------------------------------------

GROUP_NAMES = {2: "a pair of {}", 3: "three {}", 4: "four {}"}


def named(game: Game, up: Sequence[int]) -> str:
    """Name the face-up cards as a dealer announces them: `king high`."""
    grouped = groups(game, up)
    if not grouped:
        return ""
    count, rank = grouped[0]
    if count == 1:
        return f"{RANK_NAMES[rank]} high"
    if count == 2 and len(grouped) > 1 and grouped[1][0] == 2:
        return f"{RANK_PLURALS[rank]} and {RANK_PLURALS[grouped[1][1]]}"
    return GROUP_NAMES.get(count, "many {}").format(RANK_PLURALS[rank])


def possible(table: Table, up: Sequence[int]) -> list[str]:
    """Name possible straights and flushes, beginning with the third face-up card.

    A hand is possible only if the cards face down and still to come could complete it (the stud of
    Red and Black, Put and Take).
    """
    if len(up) < 3 or UNSEEN in up or max(up) >= NATURAL_CARDS:
        return []
    needed = min(len(up), max(3, 5 - table.script.final_down))
    names = []
    ranks = {card // 4 for card in up}
    ranks |= {-1} if ACE in ranks else set()
    windows = (sum(low <= rank <= low + 4 for rank in ranks) for low in range(-1, 9))
    if max(windows) >= needed:
        names.append("possible straight")
    if max(Counter(card % 4 for card in up).values()) >= needed:
        names.append("possible flush")
    return names


def opening_words(table: Table, seat: int) -> str:
    """Return the announcement of the opener with the deciding cards."""
    name = table.seats[seat].name
    up = table.seats[seat].up
    if not (table.stage.bring_in or table.stage.word in KEYS) or not up or UNSEEN in up:
        return f"{name} opens"
    if table.stage.bring_in:
        card = up[-1]
        if card >= NATURAL_CARDS:  # a joker has no rank and no suit
            return f"{name} opens"
        return f"{name} brings it in with the {RANK_NAMES[card // 4]} of {SUIT_NAMES[card % 4]}"
    text = named(table.game, up) or TEXTS[up[-1]]
    must = "must open" if table.stage.must else "opens"
    return f"{name} {must} with {text}"

"""Who opens a round of betting by the cards that lie up, and what the dealer says of them."""

from collections import Counter
from collections.abc import Callable, Sequence
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
from rules.game.game import CardSet, Game
from rules.history.table import Table, live_in_turn

# bring-ins go by suit in the order of the alphabet, clubs the lowest, not as single cards do
BRING_IN_SUITS = (1, 0, 2, 3)  # of diamonds, clubs, hearts, spades
ACES_HIGH = tuple(range(13))
ACES_LOW = tuple((rank + 1) % 13 for rank in range(13))

Groups = tuple[tuple[int, int], ...]
Key = Callable[[Game, Sequence[int]], object]


def _bring_in(ranks: Sequence[int], sign: int) -> Key:
    """Who must open: the highest card, or with its sign turned the lowest."""
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
    """Pairs, triples and high cards; straights and flushes do not count while cards are dealt."""
    if wild_for_all(game).isdisjoint(up):  # the usual case
        return _best_of(tuple([card // 4 for card in up]))
    return _apart(groups(game, up))


@lru_cache(maxsize=1 << 15)
def _best_of(ranks: tuple[int, ...]) -> object:
    return _apart(_grouped(ranks))


def lowest_hand(game: Game, up: Sequence[int]) -> object:
    """The best low: aces low, pairs count against. Smallest first, so the signs are turned."""
    counts = Counter([ACES_LOW[card // 4] for card in up])
    return _apart(sorted([(-count, -rank) for rank, count in counts.items()]))


def _apart(grouped: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """How many of each before of which rank: two pairs go before one, whatever their ranks."""
    return tuple(zip(*grouped, strict=True))


def groups(game: Game, up: Sequence[int]) -> Groups:
    """How many of each rank, the most first; a card that is wild for all joins the largest."""
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
    """The cards that are wild where they lie up, jokers among them."""
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
    """The seat that opens; None when a card that lies up is not known."""
    stage, seats, game = table.stage, table.seats, table.game
    key = BRING_INS[stage.word] if stage.bring_in else KEYS[stage.word]
    best: object = None
    found = None
    for at in table.order:
        up = seats[at].up
        if not (up and seats[at].live):
            continue
        if UNSEEN in up or (stage.bring_in and max(up) >= NATURAL_CARDS):
            return None
        here = key(game, up)
        if found is None or here > best:  # type: ignore[operator]
            best, found = here, at
    return found if found is not None else live_in_turn(table)[0]


# --- what the dealer says -----------------------------------------------------------------------

GROUP_NAMES = {2: "a pair of {}", 3: "three {}", 4: "four {}"}


def named(game: Game, up: Sequence[int]) -> str:
    """`king high`, `a pair of fours`: the cards that lie up, as the dealer points them out."""
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
    """`possible straight`, `possible flush`: from the third card up on, and only where as many
    cards as still lie or come down could complete it (Red and Black, Put and Take: the stud)."""
    if len(up) < 3 or UNSEEN in up or max(up) >= NATURAL_CARDS:
        return []
    needed = min(len(up), max(3, 5 - table.script.final_down))
    said = []
    ranks = {card // 4 for card in up}
    ranks |= {-1} if ACE in ranks else set()
    windows = (sum(low <= rank <= low + 4 for rank in ranks) for low in range(-1, 9))
    if max(windows) >= needed:
        said.append("possible straight")
    if max(Counter(card % 4 for card in up).values()) >= needed:
        said.append("possible flush")
    return said


def opening_words(table: Table, seat: int) -> str:
    """Who opens and on what."""
    name = table.seats[seat].name
    up = table.seats[seat].up
    if not (table.stage.bring_in or table.stage.word in KEYS) or not up or UNSEEN in up:
        return f"{name} opens"
    if table.stage.bring_in:
        card = up[-1]
        if card >= NATURAL_CARDS:  # a joker is of no rank and of no suit
            return f"{name} opens"
        return f"{name} brings it in with the {RANK_NAMES[card // 4]} of {SUIT_NAMES[card % 4]}"
    text = named(table.game, up) or TEXTS[up[-1]]
    must = "must open" if table.stage.must else "opens"
    return f"{name} {must} with {text}"

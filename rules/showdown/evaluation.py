"""Evaluate many hands in each reading of their wild cards, for each measure.

Incomplete hands (the cards turned over so far, or shown to open) use the same tables.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import CARDS, NATURAL_CARDS, TEXTS, UNSEEN
from rules.errors import HandsError, counted, quoted
from rules.game import workload
from rules.game.game import Alternative, CardsAre, Game, Place, Share, Term
from rules.game.grammar.shares import read_bar
from rules.game.grammar.words import Words
from rules.ranking import IMPOSSIBLE
from rules.showdown.best_hands import Best, best_hands
from rules.showdown.game_scales import count_values
from rules.showdown.measures import Strengths
from rules.showdown.rows import (
    Cards,
    Reading,
    decided_rules,
    game_of_share,
    holds,
    lay_out,
    readings,
    share_games,
)
from rules.showdown.selections import Layout, Shape

# maximum number of rows across all readings of wild cards, to limit memory use
ROWS_AT_ONCE = 1 << 16
Measure = tuple[Share, Alternative]


def evaluate(
    game: Game, cards: object, *, share: str | None, measure: int, down: int | None
) -> Strengths:
    """Return the strength of each hand on one measure of a share (see `rules.evaluate`)."""
    names = game.share_names
    if not names or not game.compares_hands:
        raise HandsError(f"{game.name} does not compare hands")
    if share is not None and share not in names:
        raise HandsError(
            f"{game.name} has no share {quoted(share)}; its shares are {', '.join(names)}"
        )
    chosen = game.shares[0 if share is None else names.index(share)]
    if not 0 <= measure < len(chosen.alternatives):
        reason = f"{chosen.name} has no measure {measure}"
        raise HandsError(f"{reason}; it has {len(chosen.alternatives)}, counted from 0")
    share_measure = chosen, chosen.alternatives[measure]
    rows = read_hands(cards)
    strengths = np.empty(len(rows), dtype=np.int64)
    if not len(rows):
        return strengths
    shape = shape_of(game, rows.shape[1], down)
    # checks the maximum for each zone, even though all zones combined may not reach it
    for problem in workload.of_combinations(game, count_values(game, share_measure[1], shape)):
        raise HandsError(f"{game.name}: {problem.text}")
    step = ROWS_AT_ONCE // workload.readings(game)
    for first in range(0, len(rows), step):
        part = check_hands(game, rows[first : first + step], first)
        [strengths[first : first + len(part)]] = measure_rows(game, shape, part, [share_measure])
    return strengths


def measure_rows(
    game: Game, shape: Shape, rows: NDArray[np.int16], measures: Sequence[Measure]
) -> list[Strengths]:
    """Return the strength of each row (rows, cards) on each measure, or -1 if not qualified."""
    if share_games(game):
        measured = []
        # each measure is evaluated in the game as seen by its share
        for share, alternative in measures:
            seen, _ = game_of_share(game, game.share_names.index(share.name))
            measured += measure_rows(seen, shape, rows, [(share, alternative)])
        return measured
    laid, read = rows, list[Reading]()
    owners: NDArray[np.intp] | None = None
    if decided_rules(game):
        # a row is laid out for each reading of its wild cards
        layout = Layout(game, shape)
        several = [readings(game, layout, row) for row in rows.tolist()]
        owners = np.repeat(np.arange(len(rows)), [*map(len, several)])
        laid, read = rows[owners], [*chain.from_iterable(several)]
    cards = lay_out(game, shape, laid, read)
    hands = best_hands(game, [alternative for _, alternative in measures], cards)
    measured = [
        tested(best, share.tests, cards) for (share, _), best in zip(measures, hands, strict=True)
    ]
    if owners is None:
        return measured
    strongest = []
    for strengths in measured:
        best_reading = np.full(len(rows), IMPOSSIBLE, dtype=np.int64)
        np.maximum.at(best_reading, owners, strengths)
        strongest.append(best_reading)
    return strongest


def tested(best: Best, tests: Sequence[CardsAre], cards: Cards) -> Strengths:
    """Return strengths. Hands that fail a condition of the share do not qualify."""
    strengths = best.strengths
    for test in tests:
        strengths = np.where(holds(test, cards), strengths, IMPOSSIBLE)
    return strengths


# --- unchecked hands in an array ----------------------------------------------------------------

Codes = NDArray[np.int16]  # shape: (hands, cards)


def read_hands(cards: object) -> NDArray[Any]:
    """Return card numbers as an array (hands, cards) of the given width. Raises HandsError."""
    if not isinstance(cards, np.ndarray):
        if isinstance(cards, str) or not isinstance(cards, Iterable):
            raise HandsError("hands must be an array or a list of rows with one hand each")
        rows: list[list[object]] = []
        for number, row in enumerate(cards):
            if not isinstance(row, list | tuple | np.ndarray):
                raise HandsError(f"hand {number} is not a row of cards: {quoted(row)}")
            if rows and len(row) != len(rows[0]):
                raise HandsError(
                    f"hand {number} has {counted(len(row), 'card')}, hand 0 has {len(rows[0])}"
                )
            rows.append([*row])
        flat = [card for row in rows for card in row]
        return _numbered(flat, (len(rows), len(rows[0]) if rows else 0))
    if cards.ndim != 2:
        raise HandsError(f"an array of hands must have two dimensions, not {cards.ndim}")
    if cards.dtype.kind == "U":
        return _numbered(cards.ravel().tolist(), cards.shape)
    if cards.dtype.kind not in "iu":
        raise HandsError(f"cards must be whole numbers or texts, not {cards.dtype}")
    return cards


def _numbered(cards: list[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    numbers = []
    for at, card in enumerate(cards):
        number = CARDS.get(card, -1) if isinstance(card, str) else card
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not whole or not 0 <= number < len(TEXTS):
            raise HandsError(f"hand {at // shape[1]}: {quoted(card)} is not a card")
        numbers.append(number)
    return np.array(numbers, dtype=np.int16).reshape(shape)


def dealt_shape(game: Game) -> Shape:
    """Return the cards of a player after the deal. Cards to be turned over are all up."""
    piles = tuple(game.pile_cards.values())
    if game.turned is not None:
        return Shape(0, game.turned, piles)
    # both zones count the extra cards, but they are only earned by chance
    extra = len(game.extra_cards)
    return Shape(game.down.most - extra, game.up.most - extra, piles)


def shape_of(game: Game, width: int, down: int | None) -> Shape:
    """Return how many cards of a row are in each zone of the player. Raises HandsError."""
    dealt = dealt_shape(game)
    board = sum(map(len, game.common_rows))
    face_down = dealt.down if down is None else down
    up = width - board - sum(dealt.piles) - face_down
    if game.down.holds(face_down) and game.up.holds(up):
        return Shape(face_down, up, dealt.piles)
    zones = [("down", game.down.least, game.down.most), ("up", game.up.least, game.up.most)]
    zones += [(f"in pile {name}", count, count) for name, count in game.pile_cards.items()]
    zones += [("on the board", board, board)]
    needed = ", ".join(
        f"{least} {zone}" if least == most else f"{least} to {most} {zone}"
        for zone, least, most in zones
        if most
    )
    raise HandsError(f"{game.name}: a hand has {needed}, which is not {width} cards")


def check_hands(game: Game, cards: NDArray[Any], first: int) -> Codes:
    """Check that hands have distinct cards from the deck. `first` is the first hand's number."""
    lowest, highest = int(cards.min()), int(cards.max())
    whole_deck = game.deck.issuperset(range(NATURAL_CARDS))
    if not (whole_deck and 0 <= lowest <= highest < NATURAL_CARDS):
        strange = np.isin(cards, [*game.deck], invert=True)
        if strange.any():
            raise _refusal(first, cards, strange, "is not a card of the deck")
    columns = np.ascontiguousarray(cards.T, dtype=np.int8)
    for apart in range(1, len(columns)):
        same = columns[apart:] == columns[:-apart]
        if same.any():
            twice = np.zeros(cards.shape, dtype=bool)
            twice[:, apart:] = same.T
            raise _refusal(first, cards, twice, "is there twice")
    return columns.astype(np.int16).T


def _refusal(first: int, cards: NDArray[Any], wrong: NDArray[np.bool_], why: str) -> HandsError:
    row, place = np.argwhere(wrong)[0].tolist()
    number = int(cards[row, place])
    card = TEXTS[number] if 0 <= number < len(TEXTS) else str(number)
    return HandsError(f"hand {first + row}: {card} {why}")


# index of the measure on which the hand qualifies, and its strength
MeasuredStrength = tuple[int, int]
NO_STRENGTH: MeasuredStrength = (-99, 0)
FIVE_UP = Term("count", (Place("up"),), 5, 5)


def measured_strength(strengths: Iterable[int]) -> MeasuredStrength:
    """Rank a hand across the measures of a share. An earlier measure beats any later measure."""
    measured = 0
    for measured, strength in enumerate(strengths, start=1):
        if strength >= 0:
            return 1 - measured, strength
    return -measured, 0


def turned_strength(game: Game, cards: Sequence[int]) -> MeasuredStrength:
    """Rank turned-over cards by the first share of a game."""
    if not cards or UNSEEN in cards:
        return NO_STRENGTH
    return _strength_of(_of_turned_cards(game), tuple(cards))


def meets_qualifier(game: Game, cards: Sequence[int], bar: str) -> bool:
    """Return whether a hand reaches a qualifier, or may reach it if cards are unknown."""
    if UNSEEN in cards or not cards:
        return True
    return _strength_of(_with_bar(game, bar), tuple(cards))[0] == 0


@lru_cache(maxsize=4096)
def _strength_of(game: Game, cards: tuple[int, ...]) -> MeasuredStrength:
    laid = lay_out(game, Shape(0, len(cards)), [list(cards)], [()])
    measured = best_hands(game, game.shares[0].alternatives, laid)
    return measured_strength(int(best.strengths[0]) for best in measured)


@lru_cache(maxsize=64)
def _of_turned_cards(game: Game) -> Game:
    """Return the game in which only turned cards count, without the board."""
    game, _ = game_of_share(game, 0)
    pattern = game.hand[0]
    terms = tuple(replace(term, places=(Place("up"),)) for term in pattern.terms)
    return replace(game, hand=(replace(pattern, terms=terms),), board=(), lines=(), piles=())


@lru_cache(maxsize=64)
def _with_bar(game: Game, bar: str) -> Game:
    plain = _of_turned_cards(game)
    share = plain.shares[0]
    first = replace(share.alternatives[0], bar=read_bar(Words(bar)))
    shares = (replace(share, alternatives=(first,)),)
    return replace(plain, shares=shares, hand=(replace(plain.hand[0], terms=(FIVE_UP,)),))

"""The expected results of a hand whose betting ended before the last card.

The board is dealt in every possible way, and the rules settle each board. The mean is what trackers
call the all-in adjusted result (docs/decisions/0056-stories.md). No board is drawn at random, so a
hand with too many boards has no result. Slots that no rule of the game distinguishes are filled
together. If only the strengths decide the game (`rules.settlement.contest`), boards on which the
players rank the same are settled only once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import UNSEEN, UNSEEN_TEXT, format_cards
from rules.game import workload
from rules.game.game import Alternative, CardsAre, CardSet, Game, Pattern
from rules.game.hand import Hand
from rules.game.workload import MOST_BOARDS, MOST_LOOKED_AT, MOST_WAYS_TO_STAND
from rules.history import replay, setup
from rules.history.actions import DEALER, Action, read_action
from rules.history.betting_counts import BETTING
from rules.history.replay import record_at_end
from rules.history.table import Table
from rules.showdown.best_hands import count_lookups
from rules.showdown.evaluation import ROWS_AT_ONCE, measure_rows
from rules.showdown.measures import Strengths
from rules.showdown.selections import Layout, Shape
from rules.showdown.showdown import compared_as

Codes = NDArray[np.int16]  # shape: (slots or cards, boards)
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Boards:
    """All boards that a deck can complete.

    `known` contains the card of each dealt slot and None for the others. `alike` contains the
    positions of the missing cards, grouped by those that are interchangeable.
    """

    known: Sequence[int | None]
    alike: Sequence[Sequence[int]]
    deck: Sequence[int]

    @cached_property
    def missing(self) -> int:
        return sum(map(len, self.alike))

    @cached_property
    def count(self) -> int:
        """Return the number of boards, or 0 if the deck has too few cards."""
        count, left = 1, len(self.deck)
        for places in self.alike:
            count *= comb(left, len(places))
            left = max(0, left - len(places))
        return count

    def parts(self, size: int) -> Iterator[Codes]:
        """Yield all boards as arrays (slots, boards) of up to `size` boards."""
        for first in range(0, self.count, size):
            yield self._numbered(np.arange(first, min(first + size, self.count)))

    def _numbered(self, numbers: Numbers) -> Codes:
        """Return the boards with these numbers.

        Combinations of positions are numbered in colexicographic order: combinations with a lower
        last position come first. The last position is therefore the highest position whose first
        combination does not have a larger number.
        """
        deck = np.array(self.deck, dtype=np.int16)
        boards = np.empty((len(self.known), len(numbers)), dtype=np.int16)
        for place, card in enumerate(self.known):
            if card is not None:
                boards[place] = card
        taken: list[NDArray[Any]] = []
        for places in self.alike:
            left = len(deck) - len(taken)
            numbers, own = np.divmod(numbers, comb(left, len(places)))
            picked: list[NDArray[Any]] = []
            for count in range(len(places), 0, -1):
                line = _highest(left, count)[own]
                own = own - _below(left, count)[line]
                for other in taken:  # from the remaining cards to positions in the whole deck
                    line = line + (line >= other)
                picked.append(line)
            lines = [*taken, *picked]
            taken = [*np.sort(np.stack(lines), axis=0)] if len(lines) > 1 else [*lines]
            for place, line in zip(places, picked, strict=True):
                boards[place] = deck[line]
        return boards


@lru_cache(maxsize=256)
def _below(left: int, size: int) -> Numbers:
    """Return how many combinations of `size` positions are below each position."""
    return np.array([comb(place, size) for place in range(left)], dtype=np.int64)


@lru_cache(maxsize=16)  # a result usually takes up less than two megabytes
def _highest(left: int, size: int) -> NDArray[np.int8]:
    """Return the last position of every combination, in the order of the combinations."""
    places = np.arange(left, dtype=np.int8)
    return np.repeat(places, [comb(place, size - 1) for place in range(left)])


def equivalent_slots(game: Game, slots: Iterable[str]) -> list[list[str]]:
    """Group slots that the rules of the game do not distinguish."""
    groups = _groups(game)
    slots_by_groups: dict[object, list[str]] = {}
    for slot in slots:
        membership = slot if groups is None else tuple([slot in group for group in groups])
        slots_by_groups.setdefault(membership, []).append(slot)
    return [*slots_by_groups.values()]


@lru_cache(maxsize=1024)
def _groups(game: Game) -> tuple[frozenset[str], ...] | None:
    """Return the slots of each place that a hand or a condition of the game refers to.

    Return None if single slots may matter.
    """
    named = all(isinstance(rule, CardSet) for rule in (*game.wild, *game.bug, *game.kill))
    if not named or game.for_taking or game.loses_cards or game.turned is not None or game.bank:
        return None
    measures = [alternative for share in game.shares for alternative in share.alternatives]
    patterns = [*game.hand, *chain.from_iterable(map(_patterns, measures))]
    tests: list[CardsAre] = [test for pattern in patterns for test in pattern.tests]
    tests += [test for share in game.shares for test in share.tests]
    places = [place for pattern in patterns for term in pattern.terms for place in term.places]
    places += [test.place for test in tests]
    layout = Layout(game, Shape(0, 0, (0,) * len(game.piles)))
    names = [*layout.slots]
    groups = (
        frozenset(names[position] for position in layout.positions(place, line))
        for place in places
        for line in range(1, len(game.lines) + 1)
    )
    return tuple(dict.fromkeys(groups))


def _patterns(measure: Alternative) -> tuple[Pattern, ...]:
    before = () if measure.after is None else _patterns(measure.after)
    return (*measure.patterns, *measure.beating, *before)


MOST_NUMBERS = 1 << 62  # maximum number of distinguishable rankings
FEW_NUMBERS = 1 << 16  # maximum number of rankings that fit into a table of counts
ROW = 8  # fixed cost of a row of cards, in evaluated combinations
COMPARED = 8  # number of strength comparisons that take as long as evaluating one combination
# shape: (measures and players, boards); 0 does not qualify, 1 is the weakest hand
Lines = NDArray[np.int8]


def strengths_decide(game: Game) -> bool:
    """Return whether the relative strength of hands alone decides where the chips go.

    The result is false if cards kill, are taken, discarded or turned over, break ties or decide odd
    chips, or if the record states a fact that might differ with another board. Wild cards must not
    depend on the deal, so that all rows can be evaluated together.
    """
    by_cards = game.ties != "split" or game.table_options[0] != "seat"
    rare = game.bank or game.against_pot or game.kill or game.extra_cards
    loses = game.for_taking or game.loses_cards or any(option.asked for option in game.options)
    named = all(isinstance(rule, CardSet) for rule in (*game.wild, *game.bug))
    return game.hands_decide and named and not (by_cards or rare or loses)


@dataclass(frozen=True)
class _Held:
    """The cards of a player that can be part of a hand."""

    shape: Shape
    cards: Sequence[int]


def _held(hand: Hand) -> list[_Held]:
    game, held_cards = hand.game, []
    for player in (hand.players[seat] for seat in hand.live):
        piles = [card for pile in game.piles for card in player.piles[pile]]
        shape = Shape(len(player.held_down), len(player.up), tuple(game.pile_cards.values()))
        held_cards.append(_Held(shape, [*player.held_down, *player.up, *piles]))
    return held_cards


def work(hand: Hand, boards: Boards) -> int:
    """Estimate the work needed to count all boards of a hand, in evaluated card combinations."""
    game, players = hand.game, len(hand.live)
    measures = workload.measures(game)
    rows = sum(
        ROW + sum(count_lookups(game, measure, held.shape) for measure in measures)
        for held in _held(hand)
    )
    return boards.count * (rows + players * players * len(measures) // COMPARED)


def standings(hand: Hand, boards: Boards, *, most: int) -> list[tuple[list[int], int]] | None:
    """Return one board for each ranking of the players, with the number of boards that lead to it.

    Return None if there are more than `most` rankings.
    """
    game = compared_as(hand.game)
    held = _held(hand)
    ranked_boards: dict[bytes, tuple[list[int], int]] = {}
    for part in boards.parts(ROWS_AT_ONCE):
        lines = _lines(game, held, part)
        for at, count in _lines_counted(lines, len(held) + 1):
            ranking = lines[:, at].tobytes()
            board, before = ranked_boards.get(ranking) or (part[:, at].tolist(), 0)
            ranked_boards[ranking] = board, before + count
        if len(ranked_boards) > most:
            return None
    return [*ranked_boards.values()]


def _lines(game: Game, held_cards: Sequence[_Held], boards: Codes) -> Lines:
    """Return the rank of each player on each measure, for each board.

    The rank is 0 for a hand that doesn't qualify, otherwise 1 plus the number of weaker hands.
    """
    measures = [(share, one) for share in game.shares for one in share.alternatives]
    strengths: list[list[Strengths]] = []
    for held in held_cards:
        own_cards = np.array(held.cards, dtype=np.int16).reshape(-1, 1)
        cards = np.concatenate([np.repeat(own_cards, boards.shape[1], axis=1), boards])
        strengths.append(measure_rows(game, held.shape, cards.T, measures))
    lines = []
    for by_player in zip(*strengths, strict=True):
        qualified = [np.maximum(line, -1) for line in by_player]
        ranks = np.array([own >= 0 for own in qualified], dtype=np.int8)
        for number, own in enumerate(qualified):
            for other in qualified:
                ranks[number] += own > other
        lines.append(ranks)
    return np.concatenate(lines)


def _lines_counted(lines: Lines, places: int) -> Iterator[tuple[int, int]]:
    """Yield the index of each distinct column, and the number of its copies."""
    numbers, bound = np.zeros(lines.shape[1], dtype=np.int64), 1
    for line in lines:
        if bound > MOST_NUMBERS // places:
            numbers, bound = _renumbered(numbers)
        numbers, bound = numbers * places + line, bound * places
    if bound > FEW_NUMBERS:
        numbers, bound = _renumbered(numbers)
    counts = np.bincount(numbers, minlength=bound)
    columns = np.zeros(bound, dtype=np.intp)
    columns[numbers] = np.arange(len(numbers))  # a column's last copy represents all of its copies
    there = np.flatnonzero(counts)
    yield from zip(columns[there].tolist(), counts[there].tolist(), strict=True)


def _renumbered(numbers: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Renumber without gaps. Return the new numbers and how many distinct numbers there are."""
    there, renumbered = np.unique(numbers, return_inverse=True)
    return renumbered, len(there)


# Actions that may follow the last bet: dealing the board, and actions that do not change any hand.
BY_CHANCE = frozenset(("", "db", "burn", "shuffle", "sm"))

Record = Mapping[str, Any]
Settle = Callable[[Iterable[Record]], Sequence[Record]]
# pairs of a board and the number of boards it represents
Counted = Sequence[tuple[Sequence[int], int]]


@dataclass(frozen=True, slots=True)
class AllIn:
    """The result of an all-in. `expected` contains thousandths of a chip, keyed by name.

    `expected` is None if the board could be completed in too many ways.
    """

    expected: Mapping[str, int] | None


def all_in(record: Mapping[str, Any], settle: Settle) -> AllIn | None:
    """Calculate the all-in result of a hand whose betting ended before its last card.

    Return None for any other hand, if players still had choices after the betting, or if a player's
    cards are unknown.
    """
    table, _ = setup.begin(record) if "actions" in record else (None, [])
    if table is None:
        return None
    board = _board_at_last_bet(table, record["actions"])
    end = record_at_end(table, record)[0]
    if board is None or end is None:
        return None
    left = [seat for seat in table.seats if seat.live]
    known = all(UNSEEN not in (*seat.down, *seat.up) and seat.shown is not False for seat in left)
    if len(left) < 2 or not known or table.tiebreaks:
        return None
    # if runs deal the rest of the board, it is missing on the table
    rows = table.game.board
    slots = [slot for row in rows for slot in row if "runs" in record or slot in table.board]
    missing = equivalent_slots(table.game, [slot for slot in slots if slot not in board])
    held = set(board.values())
    for seat in table.seats:
        held.update(seat.down, seat.up, seat.out, *seat.piles.values())
    held.update(card for card, _ in table.shared)
    boards = Boards(
        [board.get(slot) for slot in slots],
        [[slots.index(slot) for slot in run_slots] for run_slots in missing],
        sorted(table.game.deck - held),
    )
    if not boards.missing:
        return None
    hand, _ = replay.final_hand(table, record)
    if hand is None:
        return None
    if "runs" in record:  # each run has the expected result of a single deal
        end = end | {"board": [[UNSEEN_TEXT] * length for length in hand.game.row_lengths]}
    return _expected(end, hand, boards, settle)


def _board_at_last_bet(table: Table, actions: Sequence[str]) -> dict[str, int] | None:
    """Play the actions. Return the board at the last bet if only random cards follow."""
    board: dict[str, int] | None = None
    for text in actions:
        action = read_action(text)
        replay.act(table, text)
        if not isinstance(action, Action):
            return None
        if action.verb in BETTING and action.seat != DEALER:
            left = [seat for seat in table.seats if seat.live]
            ended = len(left) > 1 and sum(seat.stack > 0 for seat in left) < 2
            board = dict(table.board) if ended else None
        elif action.verb not in BY_CHANCE:
            board = None
    return board


def _expected(end: Record, hand: Hand, boards: Boards, settle: Settle) -> AllIn | None:
    """Return the mean result of all boards, of which as few as possible are settled."""
    counted: Counted | None = None
    if len(boards.known) == sum(hand.game.row_lengths) and strengths_decide(hand.game):
        if boards.count and work(hand, boards) <= MOST_LOOKED_AT:
            counted = standings(hand, boards, most=MOST_WAYS_TO_STAND)
    elif 0 < boards.count <= MOST_BOARDS:
        counted = [(board, 1) for part in boards.parts(MOST_BOARDS) for board in part.T.tolist()]
    if counted is None:
        return AllIn(None)
    record = {key: value for key, value in end.items() if key not in ("took", "runs")}
    lengths = [*map(len, end["board"])]
    sums = dict.fromkeys([player["name"] for player in end["players"]], 0)
    # in batches, to limit how many answers are in memory
    for first in range(0, len(counted), MOST_BOARDS):
        part = counted[first : first + MOST_BOARDS]
        rows = []
        for board, _ in part:
            cards = iter(format_cards(board))
            rows.append([[next(cards) for _ in range(length)] for length in lengths])
        answers = settle(record | {"board": board_rows} for board_rows in rows)
        if any("errors" in each for each in answers):
            return None
        for answer, (_, count) in zip(answers, part, strict=True):
            for name in sums:
                sums[name] += count * answer["won"][name]
    whole = sum(count for _, count in counted)
    # the mean in thousandths, rounded to the nearest integer with integer arithmetic
    return AllIn({name: (2000 * won + whole) // (2 * whole) for name, won in sums.items()})

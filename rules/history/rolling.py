"""Cards turned over one by one until the hand to beat is beaten, round and round.

What the rolled cards are worth is measured by the same tables as at the end.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from rules.cards import UNSEEN
from rules.checks import killers
from rules.game import Game, Place, Term
from rules.grammar.shares import read_bar
from rules.grammar.words import Words
from rules.hands import best_hands
from rules.history.stages import owe_earned
from rules.history.table import Table, end, live_in_turn, wrong
from rules.record import Player
from rules.selections import Shape
from rules.wilds import lay_out

NOTHING = (-99, 0)


def worth(game: Game, cards: Sequence[int]) -> tuple[int, int]:
    """How strong turned cards are: an earlier measure of the share beats any later one."""
    if not cards or UNSEEN in cards:
        return NOTHING
    return _worth(_of_cards(game), tuple(cards))


@lru_cache(maxsize=4096)
def _worth(game: Game, cards: tuple[int, ...]) -> tuple[int, int]:
    laid = lay_out(game, Shape(0, len(cards)), [list(cards)], [()])
    measured = best_hands(game, game.shares[0].alternatives, laid)
    for index, best in enumerate(measured):
        if best.strengths[0] >= 0:
            return -index, int(best.strengths[0])
    return -len(measured), 0


@lru_cache(maxsize=64)
def _of_cards(game: Game) -> Game:
    """The game on turned cards alone, with no board beside them."""
    pattern = game.hand[0]
    terms = tuple(_up_only(term) for term in pattern.terms)
    return replace(game, hand=(replace(pattern, terms=terms),), board=(), lines=(), piles=())


def _up_only(term: Term) -> Term:
    return replace(term, places=(Place("up"),))


# --- whose turn it is ---------------------------------------------------------------------------


def next_to_turn(table: Table) -> None:
    """The first behind the holder of the best hand who has cards to turn."""
    if table.to_beat is None:
        table.to_beat = worth(table.game, list(table.board.values()))
    order = table.after[table.holder] if table.holder >= 0 else table.order
    table.waiting = [i for i in order if table.seats[i].live and table.seats[i].down][:1]


def goes_on(table: Table) -> bool:
    """Whether somebody is left who can still beat the best hand."""
    if table.left < 2:
        return False
    return any(i != table.holder and table.seats[i].down for i in live_in_turn(table))


def turned_one(table: Table, index: int, card: int) -> None:
    """One card is turned: it may kill, it may earn one more, it may beat the best hand."""
    seat = table.seats[index]
    if index not in table.waiting:
        wrong(table, "not-in-turn", f"{seat.name} has no card to turn now")
        return
    if card in seat.down:
        seat.down.remove(card)
    elif UNSEEN in seat.down:
        seat.down.remove(UNSEEN)
    else:
        wrong(table, "no-such-card", f"{seat.name} has no such card to turn")
        return
    seat.up.append(card)
    table.acted = 0
    player = Player(seat.name, down=seat.down, up=seat.up)
    if any(killers(player, rule) for rule in table.game.kill):
        _kill(table, index)
        return
    owe_earned(table, seat, table.stage.ranks)
    here = worth(table.game, seat.up)
    if here > (table.to_beat or NOTHING):
        table.to_beat, table.holder = here, index
        table.waiting = []
    elif not seat.down and not seat.owed:
        table.waiting = []  # beaten for good: it is the next one's turn


def _kill(table: Table, index: int) -> None:
    """A killer turned up folds the hand; the record's cards say so, not the player."""
    seat = table.seats[index]
    seat.live = False
    seat.killed = True
    table.left -= 1
    table.owed -= len(seat.owed)
    seat.owed = ()
    table.waiting = []
    if table.left < 2:
        end(table)


# --- openers ------------------------------------------------------------------------------------


def holds_bar(game: Game, cards: Sequence[int], bar: str) -> bool:
    """Whether a hand is at least so good; one that is not known may be."""
    if UNSEEN in cards or not cards:
        return True
    return _worth(_with_bar(game, bar), tuple(cards))[0] == 0


@lru_cache(maxsize=64)
def _with_bar(game: Game, bar: str) -> Game:
    plain = _of_cards(game)
    share = plain.shares[0]
    first = replace(share.alternatives[0], bar=read_bar(Words(bar)))
    shares = (replace(share, alternatives=(first,)),)
    hand = (replace(plain.hand[0], terms=(Term("count", (Place("up"),), 5, 5),)),)
    return replace(plain, shares=shares, hand=hand)

"""Cards turned over one by one until the hand to beat is beaten: what a final record can tell.

The turning goes round until one hand is left, so at the end a hand that is still in and is not
the best should have no card left to turn, and the best must beat the card on the board
(RULINGS.md 10).
"""

from dataclasses import replace
from functools import lru_cache

from rules.game import Game, Place
from rules.hands import best_hands
from rules.record import Hand
from rules.selections import Shape
from rules.showing import Showing
from rules.wilds import lay_out


def seats_not_beating(hand: Hand, showing: Showing) -> list[int]:
    """Seats whose turned cards do not beat what they had to."""
    measures = showing.strengths[0]
    to_beat = _hand_to_beat(hand) if hand.board else NOTHING_TO_BEAT
    live = hand.live
    best = max((_place(measures, seat) for seat in live), default=(0, 0))
    return [
        seat
        for seat in live
        if hand.players[seat].up
        and (
            _place(measures, seat) <= to_beat
            if _place(measures, seat) == best
            else bool(hand.players[seat].down)
        )
    ]


def _place(measures: list[dict[int, int]], seat: int) -> tuple[int, int]:
    """A hand's standing across the alternatives: an earlier one beats any later one."""
    for index, strengths in enumerate(measures):
        if strengths.get(seat, -1) >= 0:
            return -index, strengths[seat]
    return -len(measures), 0


def _hand_to_beat(hand: Hand) -> tuple[int, int]:
    """The card on the board, measured as a hand of one card."""
    row = hand.board[0]
    game = _one_card(hand.game)
    cards = lay_out(game, Shape(0, len(row)), [row], [()])
    found = best_hands(game, game.shares[0].alternatives, cards)
    return _place([{0: int(best.strengths[0])} for best in found], 0)


NOTHING_TO_BEAT = (-99, 0)


@lru_cache(maxsize=64)
def _one_card(game: Game) -> Game:
    pattern = game.hand[0]
    term = replace(pattern.terms[0], quantity="all", places=(Place("up"),))
    return replace(game, hand=(replace(pattern, terms=(term,)),), board=(), lines=(), piles=())

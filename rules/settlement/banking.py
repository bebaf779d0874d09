"""Games against the dealer, who is the bank: cards of a row make players put or take chips.

The dealer holds no hand and pays in only to cover (docs/rulings.md, "Put and Take").
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.cards import ACE
from rules.game.game import Due
from rules.game.hand import Hand


@dataclass(frozen=True)
class Banking:
    """What the cards made each seat put and take, and how the bank came out."""

    put: dict[int, int]
    take: dict[int, int]
    paid: dict[int, int]
    won: dict[int, int]
    carry: int


def bank(hand: Hand) -> Banking:
    """Puts make the pot, takes come out of it, the dealer covers what is missing."""
    seats = [
        seat
        for seat, player in enumerate(hand.players)
        if seat != hand.button and not player.folded and not player.mucked
    ]
    put = {seat: _due(hand, "put", seat) for seat in seats}
    take = {seat: _due(hand, "take", seat) for seat in seats}
    carried = sum(some.amount for some in hand.carried)
    left = sum(put.values()) + carried - sum(take.values())
    stays = any(due.verb == "leftover" and due.word == "carry" for due in hand.game.dues)
    paid = dict.fromkeys(range(len(hand.players)), 0) | put
    won = dict.fromkeys(range(len(hand.players)), 0) | take
    paid[hand.button] = max(-left, 0)
    won[hand.button] = 0 if stays else max(left, 0)
    return Banking(put, take, paid, won, max(left, 0) if stays else 0)


def _due(hand: Hand, verb: str, seat: int) -> int:
    """The chips that the rows of this kind ask of a player's cards."""
    held = [card // 4 for card in (*hand.players[seat].held_down, *hand.players[seat].up)]
    return hand.unit * sum(
        _row_due(due, hand.board[due.row - 1], held) for due in hand.game.dues if due.verb == verb
    )


def _row_due(due: Due, row: Sequence[int], held: Sequence[int]) -> int:
    return sum(
        (due.values[place] if due.values else _rank_value(card // 4)) * held.count(card // 4)
        for place, card in enumerate(row)
    )


def _rank_value(rank: int) -> int:
    """Ace 1, jack 11, queen 12, king 13, the others their number."""
    return 1 if rank == ACE else rank + 2

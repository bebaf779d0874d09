"""What the cards of a hand against the bank asked of each player, and of the bank."""

from collections.abc import Iterator

from rules.game.hand import Hand
from rules.settlement.banking import Banking
from rules.settlement.story.facts import Reason


def explain_bank(hand: Hand, found: Banking) -> list[Reason]:
    return [*_moved(hand, found), *_left(hand, found)] or [{"code": "nothing-matched"}]


def _moved(hand: Hand, found: Banking) -> Iterator[Reason]:
    for seat in found.put:
        if found.put[seat] or found.take[seat]:
            chips = {"put": found.put[seat], "take": found.take[seat]}
            yield {"code": "puts-and-takes", "player": hand.players[seat].name, **chips}


def _left(hand: Hand, found: Banking) -> Iterator[Reason]:
    bank = hand.players[hand.button].name
    if short := found.paid[hand.button]:
        pot = sum(found.put.values()) + sum(some.amount for some in hand.carried)
        taken = {"held": pot, "take": sum(found.take.values())}
        yield {"code": "bank-pays", "player": bank, "amount": short, **taken}
    elif found.carry:
        yield {"code": "left-in-pot", "amount": found.carry}
    elif left := found.won[hand.button]:
        yield {"code": "left-to-bank", "player": bank, "amount": left}

"""What players bring to the pots of a hand: their stakes, and what they declared."""

from collections.abc import Sequence

from rules.game.hand import Hand
from rules.settlement.chips import pots
from rules.settlement.chips.contest import BOTH, Entry
from rules.settlement.chips.pots import Pot


def pots_of(hand: Hand) -> tuple[list[Pot], dict[int, int]]:
    """The pots of a hand, and the chips that go back to the seat whose stake nobody called."""
    players = hand.players
    stakes = [player.paid - player.dead for player in players]
    seat, extra = pots.uncalled(stakes)
    stakes[seat] -= extra
    dead = sum([player.dead for player in players])
    late = [seat for seat, player in enumerate(players) if player.late]
    live: Sequence[int] = hand.live if hand.ended is None else hand.ended.seats
    if not hand.carried:
        made = pots.split(stakes, live, dead, late)
    else:
        dead += sum([some.amount for some in hand.carried if some.seats is None])
        made = pots.split(stakes, live, dead, late)
        made = pots.join_carried(made, hand.carried, live, late)
    return made, {seat: extra} if extra else {}


CARDS_SPEAK = Entry()


def entry_of(hand: Hand) -> Entry:
    """What those still in declared."""
    if not hand.game.declares:
        return CARDS_SPEAK
    names = hand.game.share_names
    every = frozenset(range(len(names)))
    one = {name: frozenset({index}) for index, name in enumerate(names)} | {BOTH: every}
    said = {seat: hand.players[seat].declared or "" for seat in hand.live}
    return Entry(
        {seat: one.get(word, frozenset()) for seat, word in said.items()},
        frozenset(seat for seat, word in said.items() if word == BOTH),
    )

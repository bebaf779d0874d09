"""What players bring to the pots of a hand: their stakes, and what they declared."""

from collections.abc import Sequence

from rules.game.game import Game
from rules.game.hand import Carried, Hand
from rules.settlement.chips import pots
from rules.settlement.chips.contest import BOTH, Entry
from rules.settlement.chips.pots import Pot


def pots_of(hand: Hand) -> tuple[list[Pot], dict[int, int]]:
    """The pots of a hand, and the chips that go back to the seat whose stake nobody called."""
    players = hand.players
    stakes = [player.paid - player.dead for player in players]
    dead = sum([player.dead for player in players])
    late = [seat for seat, player in enumerate(players) if player.late]
    live: Sequence[int] = hand.live if hand.ended is None else hand.ended.seats
    return made_of(stakes, dead, live, late, hand.carried)


def made_of(
    stakes: list[int],
    dead: int,
    live: Sequence[int],
    late: Sequence[int],
    carried: Sequence[Carried],
) -> tuple[list[Pot], dict[int, int]]:
    """The pots that stakes make, which are changed, and the chips that go back by seat."""
    seat, extra = pots.uncalled(stakes)
    stakes[seat] -= extra
    if not carried:
        made = pots.split(stakes, live, dead, late)
    else:
        dead += sum([some.amount for some in carried if some.seats is None])
        made = pots.split(stakes, live, dead, late)
        made = pots.join_carried(made, carried, live, late)
    return made, {seat: extra} if extra else {}


CARDS_SPEAK = Entry()


def entry_of(hand: Hand) -> Entry:
    """What those still in declared."""
    game = hand.game
    if not game.declares:
        return CARDS_SPEAK
    said = {seat: hand.players[seat].declared or "" for seat in hand.live}
    return Entry(
        {seat: contested(game, word) for seat, word in said.items()},
        frozenset(seat for seat, word in said.items() if word == BOTH),
    )


def contested(game: Game, word: str) -> frozenset[int]:
    """The shares that a declaration contests."""
    names = game.share_names
    if word == BOTH:
        return frozenset(range(len(names)))
    return frozenset({names.index(word)}) if word in names else frozenset()

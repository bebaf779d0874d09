"""Side games, computed from the model's hands as in docs/rulings.md 17 and 18."""

from collections.abc import Iterator

from tests.simulation.model import Bet, Model, Night

BOUNTY, STAND_UP = "bounty", "stand-up"
LEAST_PLAYERS = 3


class Round:
    """A round of the stand-up game: the players who have won, and those still standing."""

    def __init__(self, players: set[str]) -> None:
        self.sitting: set[str] = set()
        self.standing = set(players)

    def play(self, winners: set[str], gone: set[str]) -> None:
        self.sitting |= self.standing & winners
        self.standing -= winners | gone
        self.sitting -= gone


def rounds(night: Night) -> Iterator[tuple[str, Round]]:
    """Yield the last hand and the state of each round. Only the last one may be running."""
    running, last = None, ""
    for key, hand in night.hands.items():
        players = set(hand.deal.net)
        if hand.voided or (running is None and len(players) < LEAST_PLAYERS):
            continue
        running, last = running or Round(players), key
        left = {name: seat.left for name, seat in night.seats.items() if seat.left}
        gone = {name for name, at in left.items() if at <= hand.dealt} - players
        running.play(set(hand.deal.winners), gone)
        if len(running.standing) < 2:
            yield last, running
            running = None
    if running:
        yield last, running


def still_standing(night: Night) -> set[str]:
    """Return the seated players still standing. Between rounds, all seated players are."""
    here = {name for name, seat in night.seats.items() if seat.left is None}
    last = [each for _, each in rounds(night)][-1:]
    return here & last[0].standing if last and len(last[0].standing) > 1 else here


def bomb_pot_is_next(night: Night, every: int) -> bool:
    hands = 0
    for hand in night.played:
        hands = 0 if hand.deal.is_bomb_pot else hands + 1
    return bool(every) and (hands + 1) % every == 0


def waiting_bets(model: Model, key: str) -> set[Bet]:
    """Return the side bets of a night that are decided and not charged, or no longer charged."""
    paid = {
        (each.kind, each.hand)
        for charge, each in model.bets.items()
        if each.night == key and charge not in model.undone
    }
    bets = {*_bounties(model, key), *_stand_ups(model, key)}
    return {each for each in bets if (each.kind, each.hand) not in paid}


def _bounties(model: Model, key: str) -> Iterator[Bet]:
    chips = model.settings["seven_deuce"]
    for hand, each in model.nights[key].hands.items():
        winner, others = each.deal.seven_deuce, set(each.deal.net) - {each.deal.seven_deuce}
        if winner and not each.voided:
            nets = dict.fromkeys(others, -chips) | {winner: chips * len(others)}
            yield Bet(BOUNTY, key, hand, each.revisions, tuple(sorted(nets.items())))


def _stand_ups(model: Model, key: str) -> Iterator[Bet]:
    night, chips = model.nights[key], model.settings["stand_up"]
    for hand, each in rounds(night):
        if len(each.standing) == 1 and each.sitting:
            [loser] = each.standing
            nets = dict.fromkeys(each.sitting, chips) | {loser: -chips * len(each.sitting)}
            shares, revisions = tuple(sorted(nets.items())), night.hands[hand].revisions
            yield Bet(STAND_UP, key, hand, revisions, shares)

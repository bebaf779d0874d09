"""What a deal does to its match: legs earned, lives lost, a pot that stays or is won with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.game.hand import Hand
from rules.game.match import FIRST_DEAL, MatchRules
from rules.settlement.chips import contest
from rules.settlement.chips.contest import Strengths
from rules.showdown.partial_hands import standing

Seats = tuple[int, ...]


@dataclass(frozen=True)
class MatchDeal:
    """One deal of a match that is played for legs or lives; counts are those after it, by seat.

    `best` won the first share of the deal. `champions` won the match with this deal: mostly one,
    those who lost their last lives together where nobody has any left.
    """

    best: Seats
    earned: Seats
    lost: Seats
    legs: Mapping[int, int]
    lives: Mapping[int, int]
    champions: Seats

    @property
    def left(self) -> Seats:
        """Who plays the next deal."""
        return tuple(seat for seat, lives in self.lives.items() if lives) or tuple(self.legs)


def play(hand: Hand, rules: MatchRules, best: Seats, winners: Seats, shown: Strengths) -> MatchDeal:
    """What becomes of a match by a deal that these won."""
    found = hand.match or FIRST_DEAL
    seats = tuple(range(len(hand.players)))
    earned = _earned(hand, rules, best)
    lost = _lost(hand, rules, winners, shown)
    legs = {seat: found.legs.get(seat, 0) + (seat in earned) for seat in seats}
    lives = {seat: found.lives.get(seat, rules.lives) - (seat in lost) for seat in seats}
    if rules.legs:
        champions = tuple(seat for seat in seats if legs[seat] >= rules.legs)
        return MatchDeal(best, earned, (), legs, {}, champions)
    left = tuple(seat for seat in seats if lives[seat])
    champions = lost if not left else left if len(left) == 1 else ()
    return MatchDeal(best, (), lost, {}, lives, champions)


def _earned(hand: Hand, rules: MatchRules, best: Seats) -> Seats:
    """Who earns a leg: nobody by a tie."""
    how = "alone" if len(hand.live) == 1 else "best"
    return best if len(best) == 1 and how in rules.leg_for else ()


def _lost(hand: Hand, rules: MatchRules, winners: Seats, shown: Strengths) -> Seats:
    """Who loses a life: nobody in a deal that nobody lost."""
    if len(hand.live) < 2:
        return ()
    if rules.life_from == "losers":
        return tuple(seat for seat in hand.live if winners and seat not in winners)
    return worst(hand.live, shown) if rules.life_from == "worst" else ()


def worst(seats: Sequence[int], shown: Strengths) -> Seats:
    """The seats with the worst hand by the first share; who does not qualify is below who does."""
    standings = {seat: standing(strengths[seat] for strengths in shown[0]) for seat in seats}
    lowest = min(standings.values())
    return tuple(seat for seat in seats if standings[seat] == lowest)


def won_by(hand: Hand, deal: MatchDeal, amount: int) -> dict[int, int]:
    """The pot of a match to those who won it."""
    return contest.pay(amount, deal.champions, hand.from_dealers_left)


def next_dealer(hand: Hand, rules: MatchRules, left: Sequence[int]) -> int:
    """Who deals next: the next one in turn who is still in the match, or the same again."""
    if rules.same_dealer and hand.button in left:
        return hand.button
    return min(left, key=hand.from_dealers_left)

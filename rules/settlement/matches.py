"""The effect of a deal on a match: players earn legs or lose lives, and the pot stays or is won."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.game.game import FIRST_DEAL, MatchRules, MatchState
from rules.game.hand import Hand
from rules.settlement.contest import Strengths
from rules.showdown.evaluation import measured_strength

Answer = dict[str, Any]
Seats = tuple[int, ...]


@dataclass(frozen=True)
class MatchDeal:
    """One deal of a match for legs or lives. `legs` and `lives` are the counts afterwards.

    `best` won the first share of the deal. `champions` won the match with this deal. There are
    several only if the last players lost their last lives together.
    """

    best: Seats
    earned: Seats
    lost: Seats
    legs: Mapping[int, int]
    lives: Mapping[int, int]
    champions: Seats

    @property
    def left(self) -> Seats:
        """Return the players of the next deal."""
        return tuple(seat for seat, lives in self.lives.items() if lives) or tuple(self.legs)


def play(hand: Hand, rules: MatchRules, best: Seats, winners: Seats, shown: Strengths) -> MatchDeal:
    """Return the effect of a deal with these winners on its match."""
    before = hand.match or FIRST_DEAL
    seats = range(len(hand.players))
    how = "alone" if len(hand.live) == 1 else "best"
    # a tie earns no leg, and if no player lost the deal, no life is lost
    earned = best if len(best) == 1 and how in rules.leg_for else ()
    lost: Seats = ()
    if len(hand.live) > 1 and rules.life_from == "losers":
        lost = tuple(seat for seat in hand.live if winners and seat not in winners)
    elif len(hand.live) > 1 and rules.life_from == "worst":
        standings = {
            seat: measured_strength(strengths[seat] for strengths in shown[0]) for seat in hand.live
        }
        lost = tuple(seat for seat in hand.live if standings[seat] == min(standings.values()))
    legs = {seat: before.legs.get(seat, 0) + (seat in earned) for seat in seats}
    lives = {seat: before.lives.get(seat, rules.lives) - (seat in lost) for seat in seats}
    if rules.legs:
        champions = tuple(seat for seat in seats if legs[seat] >= rules.legs)
        return MatchDeal(best, earned, (), legs, {}, champions)
    left = tuple(seat for seat in seats if lives[seat])
    champions = lost if not left else left if len(left) == 1 else ()
    return MatchDeal(best, (), lost, {}, lives, champions)


def of_match(
    hand: Hand, answer: Answer, deal: MatchDeal | None = None, *, redealt: bool = False
) -> Answer:
    """Add `match` to the answer if the game is a match. `next` contains the next record's values.

    `deal` is None if the deal does not change legs and lives, because the match is about its pot or
    the hand was recorded without cards. If `redealt`, the same dealer deals the same game again.
    """
    rules = hand.game.match
    if rules is None:
        return answer
    state = hand.match or FIRST_DEAL
    names = [player.name for player in hand.players]
    if deal is None:
        seats = range(len(names))
        legs = {seat: state.legs.get(seat, 0) for seat in seats if rules.legs}
        lives = {seat: state.lives.get(seat, rules.lives) for seat in seats if rules.lives}
        deal = MatchDeal((), (), (), legs, lives, ())
    match: Answer = {"id": state.id, "deal": state.deal}
    if rules.legs:
        match |= {"legs": _by_name(deal.legs, names), "earned": _named(deal.earned, names)}
    if rules.lives:
        match |= {"lives": _by_name(deal.lives, names), "lost": _named(deal.lost, names)}
    over = bool(deal.champions) if rules.keeps_pot else not answer["carry"]
    match |= {"over": over, "winners": _named(deal.champions, names)}
    if not over:
        carries = answer["carries"]
        for_all = all(carry["for"] == names for carry in carries)
        carried = answer["carry"] if for_all else carries
        match["next"] = _next(hand, rules, deal, state, redealt=redealt) | {"carried": carried}
    return answer | {"match": match}


def _next(
    hand: Hand, rules: MatchRules, deal: MatchDeal, state: MatchState, *, redealt: bool
) -> Answer:
    names = [player.name for player in hand.players]
    left = deal.left or tuple(range(len(names)))
    match: Answer = {"id": state.id} if state.id is not None else {}
    match["deal"] = state.deal + 1
    if rules.legs:
        match["legs"] = _by_name(deal.legs, names)
    if rules.lives:
        match["lives"] = _by_name(deal.lives, names)
    options = {**hand.game.own_choices}
    for option in hand.game.options:
        # the option advances to its next choice, and from the last to the first
        if option.name == rules.turning and not redealt:
            words = [choice.word for choice in option.choices]
            at = words.index(str(hand.game.chosen[option.name]))
            options[option.name] = words[(at + 1) % len(words)]
            break
    stays = (rules.same_dealer or redealt) and hand.button in left
    button = hand.button if stays else min(left, key=hand.from_dealers_left)
    return {"button": button, "options": options, "match": match}


def _by_name(counts: Any, names: list[str]) -> dict[str, int]:
    return {names[seat]: count for seat, count in counts.items()}


def _named(seats: Seats, names: list[str]) -> list[str]:
    return [names[seat] for seat in seats]

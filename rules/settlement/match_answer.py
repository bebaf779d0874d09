"""What a deal leaves to its match: the counts, whether it is over, and the next deal."""

from typing import Any

from rules.game.hand import Hand
from rules.game.match import FIRST_DEAL, Found, MatchRules
from rules.settlement.chips.match_deals import MatchDeal, Seats, next_dealer

Answer = dict[str, Any]


def of_match(hand: Hand, rules: MatchRules, deal: MatchDeal | None, answer: Answer) -> Answer:
    """The `match` of an answer. `next` is what the record of the next deal takes over.

    `deal` is None where the deal itself moves no legs and lives: the match is about its pot, or
    the hand was told without cards.
    """
    found = hand.match or FIRST_DEAL
    names = [player.name for player in hand.players]
    deal = deal or _unmoved(hand, rules, found)
    told: Answer = {"id": found.id, "deal": found.deal}
    if rules.legs:
        told |= {"legs": _by_name(deal.legs, names), "earned": _named(deal.earned, names)}
    if rules.lives:
        told |= {"lives": _by_name(deal.lives, names), "lost": _named(deal.lost, names)}
    over = bool(deal.champions) if rules.keeps_pot else not answer["carry"]
    told |= {"over": over, "winners": _named(deal.champions, names)}
    if not over:
        told["next"] = _next(hand, rules, deal, found) | {"carried": _carried(answer, names)}
    return told


def _unmoved(hand: Hand, rules: MatchRules, found: Found) -> MatchDeal:
    seats = range(len(hand.players))
    legs = {seat: found.legs.get(seat, 0) for seat in seats if rules.legs}
    lives = {seat: found.lives.get(seat, rules.lives) for seat in seats if rules.lives}
    return MatchDeal((), (), (), legs, lives, ())


def _next(hand: Hand, rules: MatchRules, deal: MatchDeal, found: Found) -> Answer:
    names = [player.name for player in hand.players]
    left = deal.left or tuple(range(len(names)))
    match: Answer = {"id": found.id} if found.id is not None else {}
    match["deal"] = found.deal + 1
    if rules.legs:
        match["legs"] = _by_name(deal.legs, names)
    if rules.lives:
        match["lives"] = _by_name(deal.lives, names)
    options = {**hand.game.own_choices} | _turned(hand, rules)
    return {"button": next_dealer(hand, rules, left), "options": options, "match": match}


def _turned(hand: Hand, rules: MatchRules) -> dict[str, str]:
    """The option that takes turns, at its next choice; after the last comes the first."""
    for option in hand.game.options:
        if option.name == rules.turning:
            words = [choice.word for choice in option.choices]
            at = words.index(str(hand.game.chosen[option.name]))
            return {option.name: words[(at + 1) % len(words)]}
    return {}


def _carried(answer: Answer, names: list[str]) -> object:
    """The pot that the next deal finds, as its record says it."""
    carries = answer["carries"]
    if all(carry["for"] == names for carry in carries):
        return answer["carry"]
    return carries


def _by_name(counts: Any, names: list[str]) -> dict[str, int]:
    return {names[seat]: count for seat, count in counts.items()}


def _named(seats: Seats, names: list[str]) -> list[str]:
    return [names[seat] for seat in seats]

"""Chips that those who stay in and lose put in beside their stakes."""

from rules.game.game import Due
from rules.game.hand import Hand
from rules.settlement.chips import contest
from rules.settlement.chips.awards import Awards


def match_pot(hand: Hand, awards: Awards) -> dict[int, int]:
    """What those who stayed in and won nothing put in for the next hand, where losers match."""
    over = awards.deal is not None and awards.deal.champions  # nobody is left to play for it
    due = next((due for due in hand.game.dues if due.word == "match pot"), None)
    if over or due is None:
        return {}
    return _of_each(hand, awards, _price(hand, awards, due))


def pay_winners(hand: Hand, awards: Awards) -> tuple[dict[int, int], dict[int, int]]:
    """What those who stayed in and won nothing pay to those who won, and what these get of it."""
    due = next((due for due in hand.game.dues if due.word.startswith("pay")), None)
    if due is None:
        return {}, {}
    paid = _of_each(hand, awards, _price(hand, awards, due))
    if not awards.winners or not paid:
        return {}, {}
    return paid, contest.pay(sum(paid.values()), awards.winners, hand.from_dealers_left)


def _price(hand: Hand, awards: Awards, due: Due) -> int:
    """What a loser owes: a price, or as much as the pot held, perhaps up to a limit."""
    if due.values:
        return hand.unit * due.values[0]
    whole = pot_of(awards)
    return min(whole, hand.unit * due.most) if due.most else whole


def _of_each(hand: Hand, awards: Awards, price: int) -> dict[int, int]:
    """The price of every loser; who is all in has nothing left to pay it with."""
    some = losers(hand, awards) if price else []
    return {seat: price for seat in some if not hand.players[seat].all_in}


def losers(hand: Hand, awards: Awards) -> list[int]:
    """Those who stayed in and won nothing, of a deal that somebody won, or the table."""
    winners = awards.winners
    if not winners and not hand.game.has_table_hand:
        return []
    return [seat for seat in hand.live if seat not in winners]


def pot_of(awards: Awards) -> int:
    """All chips that the deal was about."""
    return sum(one.pot.amount for one in awards.pots)

"""Chips that those who stay in and lose put in beside their stakes."""

from fractions import Fraction

from rules.game.game import Due
from rules.game.hand import Hand
from rules.settlement.chips import contest
from rules.settlement.chips.awards import Award, Awards


def match_pot(hand: Hand, awards: Awards) -> dict[int, int]:
    """What the losers of a deal put in for the next hand, where losers match."""
    over = awards.deal is not None and awards.deal.champions  # nobody is left to play for it
    due = next((due for due in hand.game.dues if due.word == "match pot"), None)
    if over or due is None:
        return {}
    return _of_each(hand, awards, due)


def pay_winners(hand: Hand, awards: Awards) -> tuple[dict[int, int], dict[int, int]]:
    """What the losers of a deal pay to the winners, and what these get of it."""
    due = next((due for due in hand.game.dues if due.word.startswith("pay")), None)
    if due is None:
        return {}, {}
    paid = _of_each(hand, awards, due)
    lost = losers(hand, awards, due)
    winners = [seat for seat in awards.winners if seat not in lost]
    if not winners or not paid:
        return {}, {}
    return paid, contest.pay(sum(paid.values()), winners, hand.from_dealers_left)


def _of_each(hand: Hand, awards: Awards, due: Due) -> dict[int, int]:
    """The price of every loser; who is all in has nothing left to pay it with."""
    price = _price(hand, awards, due)
    some = losers(hand, awards, due) if price else []
    return {seat: price for seat in some if not hand.players[seat].all_in}


def _price(hand: Hand, awards: Awards, due: Due) -> int:
    """What a loser owes: a price, or as much as the pot held, perhaps up to a limit."""
    if due.values:
        return hand.unit * due.values[0]
    whole = pot_of(awards)
    return min(whole, hand.unit * due.most) if due.most else whole


def losers(hand: Hand, awards: Awards, due: Due) -> list[int]:
    """Those who stayed in and won nothing, of a deal that somebody won, or the table; `under half`
    also those who won less than half, whoever won the rest."""
    if due.under_half:
        ended = hand.ended is not None
        return [] if ended else [seat for seat in hand.live if not _wins_half(awards, seat)]
    winners = awards.winners
    if not winners and not hand.game.has_table_hand:
        return []
    return [seat for seat in hand.live if seat not in winners]


def _wins_half(awards: Awards, seat: int) -> bool:
    """Whether a player wins half of the pots that the player can win. An odd chip does not count:
    of two who win a share each, both win half."""
    played = [awards.decided] if awards.decided is not None else awards.pots
    pots = [one for one in played if seat in one.pot.seats]
    return 2 * sum(_part(one, seat) for one in pots) >= sum(one.pot.amount for one in pots)


def _part(one: Award, seat: int) -> Fraction:
    """What a player wins of a pot, before odd chips."""
    if not one.shares:
        return Fraction(one.pot.amount, len(one.chips)) if seat in one.chips else Fraction(0)
    won = [share.winners for share in one.shares if share.winners]
    parts = (Fraction(1, len(winners)) for winners in won if seat in winners)
    return Fraction(one.pot.amount, len(won)) * sum(parts)


def pot_of(awards: Awards) -> int:
    """All chips that the deal was about."""
    return sum(one.pot.amount for one in awards.pots)

"""Payments by the losers of a deal, into the next pot or to the winners."""

from fractions import Fraction

from rules.game.game import Due
from rules.game.hand import Hand
from rules.settlement import contest
from rules.settlement.awards import Awards


def match_pot(hand: Hand, awards: Awards) -> dict[int, int]:
    """Return the chips that losers pay into the next pot, keyed by seat.

    The result is empty unless losers match the pot.
    """
    # the match is over, so there is no next pot
    over = awards.deal is not None and awards.deal.champions
    due = next((due for due in hand.game.dues if due.word == "match pot"), None)
    return {} if over or due is None else _price_of_losing(hand, awards, due)


def pay_winners(hand: Hand, awards: Awards) -> tuple[dict[int, int], dict[int, int]]:
    """Return the chips that losers pay to winners, and the winners' chips, keyed by seat."""
    due = next((due for due in hand.game.dues if due.word.startswith("pay")), None)
    if due is None:
        return {}, {}
    paid = _price_of_losing(hand, awards, due)
    lost = losers(hand, awards, due)
    winners = [seat for seat in awards.winners if seat not in lost]
    if not winners or not paid:
        return {}, {}
    return paid, contest.pay(sum(paid.values()), winners, hand.from_dealers_left)


def _price_of_losing(hand: Hand, awards: Awards, due: Due) -> dict[int, int]:
    """Return the chips that each loser owes: a fixed price, or the size of the pot up to a limit.

    A player who is all in owes nothing.
    """
    if due.values:
        price = hand.unit * due.values[0]
    else:
        price = sum(one.pot.amount for one in awards.pots)
        price = min(price, hand.unit * due.most) if due.most else price
    lost = losers(hand, awards, due) if price else []
    return {seat: price for seat in lost if not hand.players[seat].all_in}


def losers(hand: Hand, awards: Awards, due: Due) -> list[int]:
    """Return the players who stayed in and won nothing.

    If no player and no hand on the table wins, no player loses. With `under_half`, players who won
    less than half of the chips in the pots that they can win lose as well. Odd chips do not count,
    so if two players win one share each, both of them win half.
    """
    if not due.under_half:
        winners = awards.winners
        if not winners and not hand.game.has_table_hand:
            return []
        return [seat for seat in hand.live if seat not in winners]
    if hand.ended is not None:
        return []
    lost = []
    for seat in hand.live:
        whole, part = 0, Fraction(0)
        for award in [awards.decided] if awards.decided is not None else awards.pots:
            if seat in award.pot.seats:
                whole += award.pot.amount
                won = [share.winners for share in award.shares if share.winners] or [award.chips]
                of_each = Fraction(award.pot.amount, len(won))
                part += sum(of_each / len(winners) for winners in won if seat in winners)
        if 2 * part < whole:
            lost.append(seat)
    return lost

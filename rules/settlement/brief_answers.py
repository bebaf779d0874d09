"""Brief answers to usual hands, at once: each pot is won, no tie or odd chip goes by the cards.

Pots, winners and odd chips come from the same rules as ever; only the account of them is left out
that stories are told from (`rules.settlement.chips.awards`). A law holds that both ways say the
same (tests/laws/test_quick_ways.py).
"""

from typing import Any

from rules.game.hand import Hand
from rules.settlement import findings
from rules.settlement.chips import contest
from rules.settlement.chips.brief_shares import shares_of
from rules.settlement.chips.entries import entry_of, pots_of
from rules.settlement.chips.pots import Pot
from rules.showdown.showdown import Showdown


def brief_answer(hand: Hand, showdown: Showdown) -> dict[str, Any] | None:
    """The brief answer to a usual hand, None for any other."""
    game = hand.game
    if not game.hands_decide or (game.must_show and len(hand.live) < 2):
        return None
    if hand.ended is not None:
        return None
    paid = {player.name: player.paid for player in hand.players}
    names = [*paid]
    won = dict.fromkeys(names, 0)
    returned = won.copy()
    entry = entry_of(hand)
    pots, back = pots_of(hand)
    for seat, chips in back.items():
        returned[names[seat]] = chips
    told = []
    for pot in pots:
        shares = _shares(hand, pot, showdown, entry, names)
        if not shares:
            return None
        for share in shares:
            for name, chips in share["winners"].items():
                won[name] += chips
        seated = [names[seat] for seat in pot.seats]
        told.append({"amount": pot.amount, "for": seated, "shares": shares})
    return {
        "variant": hand.variant,
        "paid": paid,
        "returned": returned,
        "won": won,
        "net": {name: won[name] + returned[name] - chips for name, chips in paid.items()},
        "carry": 0,
        "carries": [],
        "pots": told,
        "findings": findings.of_table(hand, won),
    }


def _shares(
    hand: Hand, pot: Pot, showdown: Showdown, entry: contest.Entry, names: list[str]
) -> list[dict[str, Any]]:
    """How a pot was won, as an answer tells it; nothing where that takes a closer look."""
    seats, amount, ways = pot.seats, pot.amount, hand.game.share_names
    if len(seats) == 1:
        return [{"way": ways[0], "amount": amount, "winners": {names[seats[0]]: amount}}]
    outright = hand.game.both_ways == "outright"
    winners = contest.winners(seats, showdown.strengths, entry, outright=outright)
    return [
        {
            "way": ways[way],
            "amount": part,
            "winners": {names[seat]: chips for seat, chips in paid.items()},
        }
        for way, part, paid in shares_of(hand.game, amount, winners, hand.from_dealers_left) or ()
    ]

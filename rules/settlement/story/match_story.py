"""What a deal did to its match, and what its losers pay."""

from collections.abc import Iterator

from rules.game.hand import Hand
from rules.settlement.chips.awards import Awards
from rules.settlement.chips.losers import match_pot, pay_winners
from rules.settlement.story.facts import Hands, Reason, made_hand
from rules.settlement.story.pots import ToldPot
from rules.settlement.story.rivals import ahead_of


def matched(hand: Hand, awards: Awards) -> Iterator[Reason]:
    for seat, chips in match_pot(hand, awards).items():
        name = hand.players[seat].name
        yield {"code": "matches-pot", "player": name, "amount": chips, **_won_little(awards, seat)}


def paid_over(hand: Hand, awards: Awards) -> Iterator[Reason]:
    given, taken = pay_winners(hand, awards)
    winners = {hand.players[seat].name: chips for seat, chips in taken.items()}
    for seat, chips in given.items():
        player = hand.players[seat].name
        facts = {"player": player, "amount": chips, "winners": {**winners}}
        yield {"code": "pays", **facts, **_won_little(awards, seat)}


def _won_little(awards: Awards, seat: int) -> Reason:
    """Why somebody who won a part of the pot loses as well."""
    return {"why": "under-half"} if seat in awards.winners else {}


def decided(hand: Hand, awards: Awards, hands: Hands) -> Iterator[Reason]:
    """Who has the best hand of a deal whose pot stays."""
    one = awards.decided
    if one is None:
        return
    if one.why == "alone":
        yield {"code": "stayed-alone", "player": hand.players[one.pot.seats[0]].name}
    pot = ToldPot(one, {}, (one,))
    for share in one.shares:
        if share.winners:
            best = next(iter(share.winners))
            players = [hand.players[seat].name for seat in share.winners]
            reason: Reason = {"code": "best-hand", "players": players}
            if len(hand.game.shares) > 1:
                reason["share"] = hand.game.share_names[share.share]
            measure = share.outcome.alternative
            if made := made_hand(hand, hands, best, share.share, measure, wins=True):
                reason["hand"] = made
                if len(players) == 1:
                    reason |= ahead_of(hand, pot, share, hands, made)
            yield reason


def moved(hand: Hand, awards: Awards) -> Iterator[Reason]:
    """The legs and lives that a deal moved."""
    deal, rules = awards.deal, hand.game.match
    if deal is None or rules is None:
        return
    for seat in deal.earned:
        legs = {"legs": deal.legs[seat], "needed_legs": rules.legs}
        yield {"code": "earns-leg", "player": hand.players[seat].name, **legs}
    for seat in deal.lost:
        player = hand.players[seat].name
        yield {"code": "loses-life", "player": player, "lives": deal.lives[seat]}

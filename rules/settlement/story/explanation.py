"""Why a hand was settled as it was: reasons, each with the facts that its sentence is made of.

Every reason is plain JSON (docs/record.md, "Reasons"), so that whoever reads an answer can say
it in words of their own.
"""

from collections.abc import Iterator, Mapping
from itertools import chain

from rules.cards import TEXTS
from rules.game.hand import Hand
from rules.settlement.checks import killers, lying_at
from rules.settlement.chips.awards import Awards
from rules.settlement.story import match_story
from rules.settlement.story.facts import Hands, Reason
from rules.settlement.story.pots import told_pots
from rules.settlement.story.shares import pot_reasons


def explain(hand: Hand, awards: Awards, hands: Hands) -> list[Reason]:
    """Why a settled hand went as it did, uncalled chips first, then pot by pot."""
    reasons = [*_returned(hand, awards)]
    if hand.game.kill:
        reasons += _killed(hand)
    if awards.deal is not None or awards.decided is not None:
        reasons += match_story.decided(hand, awards, hands)
        reasons += match_story.moved(hand, awards)
    reasons += pot_reasons(hand, awards, told_pots(awards), hands)
    if hand.game.dues:
        reasons += chain(match_story.matched(hand, awards), match_story.paid_over(hand, awards))
    return reasons


def explain_result(won: Mapping[str, int]) -> list[Reason]:
    """A hand told without cards: the table's word."""
    winners = {name: chips for name, chips in won.items() if chips}
    return [{"code": "table-says", "winners": winners}]


def _returned(hand: Hand, awards: Awards) -> Iterator[Reason]:
    for seat, chips in awards.returned.items():
        yield {"code": "returned", "player": hand.players[seat].name, "amount": chips}


def _killed(hand: Hand) -> Iterator[Reason]:
    if hand.ended is not None:
        name = hand.players[hand.ended.seat].name
        yield {"code": "ends-deal", "player": name, "card": TEXTS[hand.ended.card]}
        return
    for player in hand.players:
        if player.killed and not player.folded:
            found = (killers(player, rule, lying_at(hand)) for rule in hand.game.kill)
            killer = next(card for cards in found for card in cards)
            yield {
                "code": "killed",
                "player": player.name,
                "card": TEXTS[killer],
                "turned": killer in player.up,
            }

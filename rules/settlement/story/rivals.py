"""Whom the winner of a share beat, who counts too much, and why nobody wins it."""

from collections.abc import Iterator, Sequence

from rules.game.game import Alternative, Game
from rules.game.hand import Hand
from rules.settlement.chips.awards import ShareAward
from rules.settlement.chips.contest import BOTH
from rules.settlement.story.facts import (
    Facts,
    Hands,
    decided_by,
    made_hand,
    points_over,
    table_hand,
)
from rules.settlement.story.pots import ToldPot


def nobody_facts(hand: Hand, pot: ToldPot, share: int, hands: Hands) -> Facts:
    """Why nobody wins a share: the hand on the table that nobody beats, or the best of each hand
    of several that one and the same must have."""
    found: Facts = {}
    measures = hand.game.shares[share].alternatives
    seats = contesting(hand, pot, hand.game.share_names[share])
    if measures and measures[-1].beating and (table := table_hand(hand, share, -1)):
        found["table"] = table
    if hand.game.shares[share].joint > 1:
        best = [*_best_of_each(hand, hands, share, seats)]
        found |= {"best": best, "together": hand.game.shares[share].joint} if best else {}
    return found


def _best_of_each(hand: Hand, hands: Hands, share: int, seats: Sequence[int]) -> Iterator[Facts]:
    """Who is the best by each measure of a share that the same player must win."""
    for index in range(hand.game.shares[share].joint):
        strengths = hands.showdown.strengths[share][index]
        best = max((strengths[seat] for seat in seats), default=-1)
        if best >= 0:
            some = [seat for seat in seats if strengths[seat] == best]
            made = made_hand(hand, hands, some[0], share, index)
            cards = hand.game.shares[share].alternatives[index].cards
            named = {"named": cards.text.split()[0]} if cards and cards.text else {}
            names = [hand.players[seat].name for seat in some]
            yield {"players": names, "hand": made, **named}


def ahead_of(hand: Hand, pot: ToldPot, share: ShareAward, hands: Hands, made: Facts) -> Facts:
    """The best hand that lost this share, and the card that decides between hands of one kind;
    where there is none, why the winner had nobody to beat."""
    name, index = hand.game.share_names[share.share], share.outcome.alternative
    if index is None:
        return {}
    measures = hand.game.shares[share.share].alternatives
    strengths = hands.showdown.strengths[share.share]
    others = [seat for seat in contesting(hand, pot, name) if seat not in share.winners]
    found = {**_beaten_table(hand, share.share, index), **_busts(hand, share, others, hands)}
    if not others:
        alone = hand.game.declares and len(pot.award.pot.seats) > 1
        return found | ({"only": "declared"} if alone else {})
    joint = hand.game.shares[share.share].joint
    if joint > 1 and index == 0:  # the same player has the best of each; others may tie for one
        winner = next(iter(share.winners))
        also = (made_hand(hand, hands, winner, share.share, at) for at in range(1, joint))
        return found | {"also": [made for made in also if made]}
    for at in range(index, len(measures)):
        best = max(others, key=lambda seat: strengths[at][seat])
        if strengths[at][best] >= 0:
            theirs = made_hand(hand, hands, best, share.share, at)
            found["ahead_of"] = {"player": hand.players[best].name, "hand": theirs}
            if theirs and at == index:
                decides = decided_by(hand.game, measures[at], made, theirs)
                found |= {"decided_by": decides} if decides else {}
            return found
    return found | _only(hand.game, measures[index])


def _beaten_table(hand: Hand, share: int, index: int) -> Facts:
    """The hand on the table that the winner had to beat."""
    if not hand.game.shares[share].alternatives[index].beating:
        return {}
    table = table_hand(hand, share, index)
    return {"table": table} if table else {}


def _busts(hand: Hand, share: ShareAward, others: Sequence[int], hands: Hands) -> Facts:
    """Who counts more than the number that hands may not pass, and how much."""
    at, index = share.share, share.outcome.alternative
    if index is None or hand.game.shares[at].alternatives[index].scale != "closest":
        return {}
    strengths = hands.showdown.strengths[at][index]
    over = [seat for seat in others if strengths[seat] < 0]
    said = points_over(hand, over, at, index)
    number = hand.game.shares[at].alternatives[index].number
    return {"over": said, "number": number} if said else {}


def _only(game: Game, alternative: Alternative) -> Facts:
    """Why nobody else's hand counted."""
    asks = all(pattern.tests for pattern in alternative.patterns or game.hand)
    if alternative.bar is not None or alternative.cards or asks:  # for so good a hand, or for cards
        return {"only": "qualified"}
    return {"only": "not-over"} if alternative.scale == "closest" else {}


def contesting(hand: Hand, pot: ToldPot, share_name: str) -> Sequence[int]:
    """The seats of a pot that go for a share and are not out."""
    one = pot.award
    if not hand.game.declares:
        return one.pot.seats
    out = {failure.seat for failure in one.failures}
    left = [seat for seat in one.pot.seats if seat not in out]
    return [seat for seat in left if hand.players[seat].declared in (share_name, BOTH)]

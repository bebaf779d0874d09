"""What came of bets against the pot, turn by turn."""

from collections.abc import Iterator

from rules.cards import TEXTS
from rules.game.hand import Hand
from rules.settlement.chips.pot_turns import (
    LOW_ACE,
    POSTS,
    PotTurns,
    Turn,
    is_pair,
    post_ranks,
    winning_cards,
)
from rules.settlement.story.facts import Reason


def explain_turns(hand: Hand, found: PotTurns) -> list[Reason]:
    told = [*_put_in(hand, found), *_turns(hand, found), *_left(found)]
    return told or [{"code": "no-bets", "returned": _returned(hand, found)}]


def _returned(hand: Hand, found: PotTurns) -> dict[str, int]:
    """Bets against an empty pot, which go back."""
    return {hand.players[seat].name: chips for seat, chips in found.returned.items() if chips}


def _put_in(hand: Hand, found: PotTurns) -> Iterator[Reason]:
    """Antes and other chips beside the turns; those who put in as much are told together."""
    for amount in dict.fromkeys(found.put_in.values()):
        some = [seat for seat, chips in found.put_in.items() if chips == amount]
        players = [hand.players[seat].name for seat in some]
        yield {"code": "puts-in-pot", "players": players, "amount": amount}


def _turns(hand: Hand, found: PotTurns) -> Iterator[Reason]:
    for turn in found.turns:
        if not turn.bet:
            continue
        code = "beats-pot" if turn.won else "loses-to-pot"
        reason: Reason = {"code": code, "player": hand.players[turn.seat].name}
        reason |= {"amount": turn.bet if turn.won else turn.put, **_cards(hand, turn)}
        yield reason | {"pot_left": turn.left}


def _cards(hand: Hand, turn: Turn) -> Reason:
    """The card that decided, and what it was measured by."""
    player = hand.players[turn.seat]
    told: Reason = {"card": TEXTS[player.up[-1]]}
    if hand.game.against_pot == "higher":
        best = max(winning_cards(player), default=None)
        return told if best is None else told | {"shown": TEXTS[best]}
    told["posts"] = [TEXTS[card] for card in player.up[:POSTS]]
    if is_pair(hand.game, player) and "pair" in hand.game.calls:
        told["called"] = player.declared
    elif post_ranks(hand.game, player)[0] == LOW_ACE:
        told["ace"] = "low"
    return told


def _left(found: PotTurns) -> Iterator[Reason]:
    if found.carry:
        yield {"code": "left-in-pot", "amount": found.carry}

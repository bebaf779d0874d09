"""How equal hands were told apart: who stood first, suits, wild cards, hands dealt for it."""

from rules.cards import CARDS, format_cards
from rules.game.hand import Hand
from rules.settlement.chips.awards import Awards, ShareAward
from rules.settlement.story.facts import Facts, decided_by, measured


def broken_tie(hand: Hand, awards: Awards, share: ShareAward) -> Facts | None:
    """How a tie was broken, and between whom; None where there was none."""
    outcome = share.outcome
    if hand.game.ties == "deal":
        if outcome.alternative is not None and len(outcome.tied) < 2:
            return None
        return _dealt(hand, awards, share)
    if len(outcome.tied) <= len(outcome.winners):
        return None
    return {"by": hand.game.ties, "players": _names(hand, outcome.tied)}


def _names(hand: Hand, seats: tuple[int, ...]) -> list[str]:
    return [hand.players[seat].name for seat in seats]


def _dealt(hand: Hand, awards: Awards, share: ShareAward) -> Facts | None:
    """The hand of the round that decided, and the best that it beat."""
    tied = share.outcome.tied
    facts: Facts = {"by": "deal", "players": _names(hand, tied)}
    if share.share in awards.unbroken:
        return {"by": "nothing", "players": facts["players"]}
    winner = next(iter(share.winners))
    left = tied
    for index, rounds in sorted(awards.rounds.items()):
        reached = (max(some[seat] for seat in left) >= 0 for some in rounds)
        at = next((at for at, good in enumerate(reached) if good), None)
        if at is None or len(left) < 2:
            break
        best = max(rounds[at][seat] for seat in left)
        beaten = [seat for seat in left if rounds[at][seat] < best]
        left = tuple(seat for seat in left if rounds[at][seat] == best)
        if beaten:
            facts |= _of_round(hand, index, at, winner, beaten, rounds)
    return facts


def _of_round(
    hand: Hand, index: int, at: int, winner: int, beaten: list[int], rounds: list[dict[int, int]]
) -> Facts:
    ours = _made(hand, index, winner, rounds)
    rival = max(beaten, key=lambda seat: _standing(seat, rounds))
    theirs = _made(hand, index, rival, rounds)
    facts: Facts = {"hand": ours, "ahead_of": {"player": hand.players[rival].name, "hand": theirs}}
    if ours and theirs and rounds[at][rival] >= 0:
        decides = decided_by(hand.game, hand.game.tiebreak[at], ours, theirs)
        facts |= {"decided_by": decides} if decides else {}
    return facts


def _standing(seat: int, rounds: list[dict[int, int]]) -> tuple[int, ...]:
    return tuple(some[seat] for some in rounds)


def _made(hand: Hand, index: int, seat: int, rounds: list[dict[int, int]]) -> Facts | None:
    cards = format_cards(hand.tiebreaks[index][hand.players[seat].name])
    for alternative, strengths in zip(hand.game.tiebreak, rounds, strict=True):
        if strengths[seat] >= 0:
            named = alternative.cards
            counted = [card for card in cards if named is None or CARDS[card] in named.cards]
            return measured(hand.game, alternative, strengths[seat], cards, {}, counted)
    return None

"""How equal hands were told apart: who stood first, suits, wild cards, hands dealt for it."""

from collections.abc import Sequence
from itertools import zip_longest

from rules.cards import CARDS, TEXTS, format_cards
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
    facts: Facts = {"by": hand.game.ties, "players": _names(hand, outcome.tied)}
    if outcome.alternative is not None:
        measure = outcome.share, outcome.alternative
        if hand.game.ties == "suit":
            decides = higher_card(hand, awards, measure, outcome.winners, outcome.tied)
            facts |= {"decided_by": decides} if decides else {}
        if hand.game.ties == "natural":
            wild = {seat: awards.wild[*measure, seat] for seat in outcome.tied}
            facts["wild"] = {hand.players[seat].name: number for seat, number in wild.items()}
    return facts


def higher_seats(
    hand: Hand, awards: Awards, measure: tuple[int, int], some: Sequence[int], tied: Sequence[int]
) -> list[int]:
    """Those of some equal hands whose cards are higher than those of all others."""

    def standing(seat: int) -> list[int]:
        return [hand.game.singles.get(card, 0) for card in awards.highest[*measure, seat]]

    best = max((standing(seat) for seat in tied if seat not in some), default=[])
    return [seat for seat in some if standing(seat) > best]


def higher_card(
    hand: Hand,
    awards: Awards,
    measure: tuple[int, int],
    winners: Sequence[int],
    tied: Sequence[int],
) -> Facts | None:
    """The card by which each of the winners stands above all others of these equal hands, and the
    card of the best of them that it is above; None where none does."""
    singles = hand.game.singles
    cards = {seat: awards.highest[*measure, seat] for seat in tied}
    standing = {seat: [singles.get(card, 0) for card in some] for seat, some in cards.items()}
    ours = min(winners, key=lambda seat: standing[seat])
    others = [seat for seat in tied if seat not in winners]
    theirs = max(others, key=lambda seat: standing[seat], default=None)
    if theirs is None or standing[ours] <= standing[theirs]:
        return None
    compared = zip_longest(cards[ours], cards[theirs])
    places = zip_longest(standing[ours], standing[theirs])
    by, over = next(
        some for some, (one, other) in zip(compared, places, strict=True) if one != other
    )
    return {"by": TEXTS[by], "over": None if over is None else TEXTS[over]}


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

"""Why each share went where it did, in sentences that settle an argument at a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from rules.game.game import Game
from rules.game.hand import Hand
from rules.settlement.banking import Banking
from rules.settlement.checks import killers
from rules.settlement.chips.awards import Award, Awards, ShareAward, match_pot
from rules.settlement.chips.contest import BOTH, Failure
from rules.showdown.naming import card_name, difference
from rules.showdown.showdown import Showdown

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
# Hands that one has one of: `a flush`, but `three aces` and `ace high`.
COUNTED: tuple[str, ...] = ("pair", "straight", "flush", "full house", "royal flush")
COUNTED += ("four-card", "4-card", "3-card")


@dataclass(frozen=True)
class Hands:
    """What was shown: by player and share as the answer has it, and the strengths behind it."""

    named: Mapping[str, Mapping[str, Any]]
    showdown: Showdown


def explain(hand: Hand, awards: Awards, hands: Hands) -> list[str]:
    """Why a settled hand went as it did, uncalled chips first, then pot by pot."""
    pots = (_pot(hand, awards, index, hands) for index in range(len(awards.pots)))
    sentences = chain(_returned(hand, awards), _killed(hand), *pots, _matched(hand, awards))
    return list(dict.fromkeys(sentences))  # who is out of one pot is often out of the next


def explain_result(won: Mapping[str, int]) -> list[str]:
    winners = [f"{name} {chips:,}" for name, chips in won.items() if chips]
    return [f"The table says: {listed(winners)}. No cards were recorded, so it was not checked."]


def explain_bank(hand: Hand, found: Banking) -> list[str]:
    """What the cards of a hand against the bank asked."""
    names = [player.name for player in hand.players]
    dealer = names[hand.button]
    sentences = [
        f"{names[seat]} puts in {found.put[seat]:,} and takes {found.take[seat]:,}."
        for seat in found.put
        if found.put[seat] or found.take[seat]
    ]
    pot = sum(found.put.values()) + sum(some.amount for some in hand.carried)
    takes = sum(found.take.values())
    if found.paid[hand.button]:
        short = found.paid[hand.button]
        sentences.append(
            f"The pot held {pot:,} and {takes:,} were taken: {dealer} pays in {short:,}."
        )
    elif found.carry:
        sentences.append(f"{found.carry:,} are left over and stay in the pot.")
    elif found.won[hand.button]:
        sentences.append(f"{found.won[hand.button]:,} are left over and go to {dealer}, the bank.")
    return sentences or ["No card matched, so no chips moved."]


# --- words --------------------------------------------------------------------------------------


def listed(words: Sequence[str]) -> str:
    """`ann`, `ann and bob`, `ann, bob and cat`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _names(hand: Hand, seats: Sequence[int]) -> str:
    return listed([hand.players[seat].name for seat in seats])


def _pot_name(awards: Awards, index: int) -> str:
    """`the pot`, or which of several it is."""
    pots = [one for one in awards.pots if one.pot.kept_for is None]
    if awards.pots[index].pot.kept_for is not None:
        return "the pot kept from an earlier hand"
    if len(pots) == 1:
        return "the pot"
    if index == 0:
        return "the main pot"
    return "the side pot" if len(pots) == 2 else f"side pot {index}"


def _called(hands: Hands, player: str, share_name: str) -> str:
    """What a player's hand is called, and what its wild cards stand for."""
    shown = hands.named.get(player, {}).get(share_name)
    if not shown:
        return ""
    stands = [
        f"{_sign(wild)} as {_sign(card)}"
        for wild, card in shown["plays_as"].items()
        if wild != card
    ]
    name: str = shown["name"]
    return name + (f" ({', '.join(stands)})" if stands else "")


def _sign(card: str) -> str:
    """`9♦` for 9d; a joker as it is."""
    return card[:-1] + SIGNS[card[-1]] if card[-1] in SIGNS else card


def _with(called: str) -> str:
    """` with a flush, ace high`, ` with three aces`; nothing for a hand without a name."""
    article = "a " if called.startswith(COUNTED) else ""
    return f" with {article}{called}" if called else ""


def _returned(hand: Hand, awards: Awards) -> Iterator[str]:
    for seat, chips in awards.returned.items():
        name = hand.players[seat].name
        was, goes = ("was", "goes") if chips == 1 else ("were", "go")
        yield f"{chips:,} of {name}'s chips {was} never called and {goes} back."


def _matched(hand: Hand, awards: Awards) -> Iterator[str]:
    for seat, chips in match_pot(hand, awards).items():
        name = hand.players[seat].name
        yield f"{name} stayed in and lost, and puts {chips:,} in for the next hand."


def _killed(hand: Hand) -> Iterator[str]:
    for player in hand.players:
        if player.killed and not player.folded:
            killer = next(card for rule in hand.game.kill for card in killers(player, rule))
            verb = "turned" if killer in player.up else "held"
            yield f"{player.name} {verb} the {card_name(killer)}, which kills the hand."


def _pot(hand: Hand, awards: Awards, index: int, hands: Hands) -> Iterator[str]:
    one = awards.pots[index]
    pot = _pot_name(awards, index)
    if one.why == "alone":
        yield _alone(hand, one, pot, awards)
    elif one.why == "split":
        yield f"Nobody won a share of {pot} ({one.pot.amount:,}), so those in it split it."
    elif one.why == "carried":
        yield from _carried(hand, one, pot, hands)
    else:
        yield from _contested(hand, one, pot, hands)


def _alone(hand: Hand, one: Award, pot: str, awards: Awards) -> str:
    name = hand.players[one.pot.seats[0]].name
    if len(hand.live) == 1:
        return f"{name} is the only one left and takes {pot} of {one.pot.amount:,}."
    return f"{name} alone can win {pot} of {one.pot.amount:,} and takes it."


def _carried(hand: Hand, one: Award, pot: str, hands: Hands) -> Iterator[str]:
    if one.contest is not None:
        yield from _failures(hand, one.failures, hands)
        needed = [_needed(hand.game, share) for share in range(len(hand.game.shares))]
        reason = f"Nobody won a share of {pot}: it takes {listed(needed)}"
        if not any(needed):
            reason = f"Nobody won a share of {pot}"
    else:
        reason = f"Nobody who could win {pot} is left"
    whom = _names(hand, one.carried_for)
    yield f"{reason}, so {one.pot.amount:,} stay for the next hand, to be won by {whom}."


def _needed(game: Game, share: int) -> str:
    bar = game.shares[share].alternatives[-1].bar
    if bar is None:
        return f"a {game.shares[share].name} that is declared and not beaten"
    return f"{bar.text.replace('-', ' ')} for {game.shares[share].name}"


def _contested(hand: Hand, one: Award, pot: str, hands: Hands) -> Iterator[str]:
    yield from _failures(hand, one.failures, hands)
    won = [share for share in one.shares if share.winners]
    single = len(hand.game.shares) == 1
    for share in one.shares:
        if share.winners:
            yield _won(hand, one, share, pot, hands, single=single)
        else:
            others = listed([_the(hand.game.shares[s.share].name) for s in won])
            yield _nobody(hand, one, share, others, pot)


def _failures(hand: Hand, failures: Sequence[Failure], hands: Hands) -> Iterator[str]:
    """One sentence for each player who went all ways and did not win them all."""
    told: set[int] = set()
    for failure in failures:
        if failure.seat not in told:
            told.add(failure.seat)
            yield _failure(hand, failure, hands)


def _failure(hand: Hand, failure: Failure, hands: Hands) -> str:
    name = hand.players[failure.seat].name
    share_name = hand.game.share_names[failure.share]
    out = f"so {name} is out of both"
    if failure.why == "not-qualified":
        return f"{name} declared both ways and has no {share_name} that qualifies, {out}."
    rival = hand.players[failure.by[0]].name
    called = _called(hands, rival, share_name)
    theirs = f"{rival}'s {called}" if called else rival
    if failure.why == "tied":
        return f"{name} declared both ways and only tied {_the(share_name)} with {theirs}, {out}."
    return f"{name} declared both ways and lost {_the(share_name)} to {theirs}, {out}."


def _nobody(hand: Hand, one: Award, share: ShareAward, others: str, pot: str) -> str:
    share_name = hand.game.share_names[share.share]
    bar = hand.game.shares[share.share].alternatives[-1].bar
    if hand.game.declares and not _contesting(hand, one, share_name):
        what = f"is left who declared {share_name}"
    elif bar:
        what = f"has a {share_name} of {bar.text.replace('-', ' ')}"
    else:
        what = f"can win {_the(share_name)}"
    return f"Nobody in {pot} {what}, so {others} takes all of it."


def _contesting(hand: Hand, one: Award, share_name: str) -> list[int]:
    """The seats of a pot that go for a share and are not out."""
    out = {failure.seat for failure in one.failures}
    left = [seat for seat in one.pot.seats if seat not in out]
    if not hand.game.declares:
        return left
    return [seat for seat in left if hand.players[seat].declared in (share_name, BOTH)]


def _the(share_name: str) -> str:
    """`the high`, `row 1`."""
    return share_name if share_name.startswith("row ") else f"the {share_name}"


def _won(hand: Hand, one: Award, share: ShareAward, pot: str, hands: Hands, *, single: bool) -> str:
    share_name = hand.game.share_names[share.share]
    seats = list(share.winners)
    first = hand.players[seats[0]].name
    called = _called(hands, first, share_name)
    what = pot if single else f"{_the(share_name)} of {pot}"
    hold = _with(called)
    dealt_for = len(share.outcome.tied) > len(seats) or (
        hand.game.ties == "deal" and share.outcome.alternative is None
    )
    extra = _tie_words(hand, share) if dealt_for else _ahead_of(hand, one, share, hands)
    if len(seats) == 1:
        return f"{first} wins {what} ({share.amount:,}){hold}{extra}."
    chips = [f"{hand.players[seat].name} {chips:,}" for seat, chips in share.winners.items()]
    odd = _odd_words(hand, share)
    return f"{_names(hand, seats)} tie for {what} ({share.amount:,}){hold}: {listed(chips)}{odd}."


def _tie_words(hand: Hand, share: ShareAward) -> str:
    tied = share.outcome.tied
    if hand.game.ties == "first":
        return ", the first of equal hands to stand"
    if share.outcome.alternative is None:
        return ", by the hand dealt to break the tie: nobody had qualified"
    return f", by the hand dealt to break the tie between {_names(hand, tied)}"


def _ahead_of(hand: Hand, one: Award, share: ShareAward, hands: Hands) -> str:
    """The best hand that lost this share, and the card that decides where the names are equal."""
    share_name, index = hand.game.share_names[share.share], share.outcome.alternative
    if index is None:
        return ""
    strengths = hands.showdown.strengths[share.share][index]
    rivals = [seat for seat in _contesting(hand, one, share_name) if seat not in share.winners]
    rivals = [seat for seat in rivals if strengths[seat] >= 0]
    if not rivals:
        return ""
    best = max(rivals, key=lambda seat: strengths[seat])
    winner = next(iter(share.winners))
    ours, theirs = (_called(hands, hand.players[s].name, share_name) for s in (winner, best))
    alternative = hand.game.shares[share.share].alternatives[index]
    why = difference(hand.game, alternative, strengths[winner], strengths[best])
    decides = f": {why}" if why and ours.partition(" (")[0] == theirs.partition(" (")[0] else ""
    return f", ahead of {hand.players[best].name}'s {theirs}{decides}"


def _odd_words(hand: Hand, share: ShareAward) -> str:
    chips = list(share.winners.values())
    if len(set(chips)) == 1:
        return ""
    lucky = [hand.players[seat].name for seat, won in share.winners.items() if won == max(chips)]
    if hand.odd_chip == "high card":
        return f", the odd chip to {listed(lucky)} by the highest card"
    side = "left" if hand.game.clockwise else "right"
    return f", the odd chip to {listed(lucky)}, first {side} of the dealer"

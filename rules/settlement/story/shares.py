"""Why each pot and each share of it went where it did."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from rules.cards import TEXTS
from rules.game.game import Game
from rules.game.hand import Hand
from rules.settlement.chips.awards import Awards, ShareAward
from rules.settlement.chips.contest import Failure
from rules.settlement.story.broken_ties import broken_tie, higher_card, higher_seats
from rules.settlement.story.facts import (
    Facts,
    Hands,
    Reason,
    bar_of,
    made_hand,
    points_over,
)
from rules.settlement.story.hand_words import LOW_SCALES
from rules.settlement.story.pots import ToldPot, entitled
from rules.settlement.story.rivals import ahead_of, contesting, nobody_facts

# how many of a hand's ranks its name says, of hands that cards beside them tell apart
NAMED_BY = {"two-pair": 2} | dict.fromkeys(
    ("high-card", "pair", "trips", "quads", "flush", "four-flush"), 1
)


def pot_reasons(
    hand: Hand, awards: Awards, told: Sequence[ToldPot], hands: Hands
) -> Iterator[Reason]:
    """Pot by pot; who is out of one pot is often out of the next, and is named once."""
    out: dict[object, Reason] = {}
    for number, pot in enumerate(told):
        for failure in _first_failures(pot.award.failures):
            key = (failure.seat, failure.share, failure.why, failure.by[:1])
            if key in out:
                out[key]["pots"] += pot.of_pot["pots"]
            else:
                out[key] = _out(hand, pot, failure, hands)
                yield out[key]
        yield from _pot(hand, awards, pot, hands, first=not number)


def _pot(
    hand: Hand, awards: Awards, pot: ToldPot, hands: Hands, *, first: bool
) -> Iterator[Reason]:
    one = pot.award
    if one.contest is not None and (limits := _limits(hand.game)):
        yield from _over(hand, pot, limits)
    if one.why == "contest":
        yield from _contested(hand, awards, pot, hands)
    elif one.why == "alone":
        yield _alone(hand, pot, first=first)
    elif one.why == "carried":
        yield _carried(hand, pot, hands)
    elif one.why == "kept":
        yield {"code": "stays-in-match", **pot.of_pot, "amount": pot.amount}
    else:  # split, match
        code = "split-unwon" if one.why == "split" else "match-won"
        yield {"code": code, **pot.of_pot, "amount": pot.amount, "winners": _names(hand, one.chips)}


def _names(hand: Hand, chips: Mapping[int, int]) -> dict[str, int]:
    return {hand.players[seat].name: won for seat, won in chips.items()}


def _alone(hand: Hand, pot: ToldPot, *, first: bool) -> Reason:
    player = hand.players[pot.award.pot.seats[0]]
    facts = {**pot.of_pot, "player": player.name, "amount": pot.amount}
    if len(hand.live) > 1 or not first:
        return {"code": "only-player", **facts}
    out = [
        {
            "player": each.name,
            "why": "folded" if each.folded else "killed" if each.killed else "mucked",
        }
        for each in hand.players
        if each is not player
    ]
    return {"code": "last-left", **facts, "out": out}


def _carried(hand: Hand, pot: ToldPot, hands: Hands) -> Reason:
    """What stays for the next hand, why, and for whom."""
    stays = [
        {"amount": amount, "for": [hand.players[seat].name for seat in seats]}
        for seats, amount in entitled(pot)
    ]
    reason: Reason = {"code": "carried", **pot.of_pot, "amount": pot.amount, "stays": stays}
    reason["everybody"] = all(len(seats) == len(hand.players) for seats, _ in entitled(pot))
    if pot.award.contest is None:
        return reason | {"why": "nobody-left" if hand.ended is None else "deal-ended"}
    shares = (share for share in hand.game.shares if share.alternatives)
    bars = [bar_of(share.name, share.alternatives[-1]) for share in shares]
    reason |= {"why": "nobody-qualifies", "needed": [bar for bar in bars if bar]}
    if len(hand.game.shares) > 1 or reason["needed"]:
        return reason
    return reason | nobody_facts(hand, pot, 0, hands)


# --- shares -------------------------------------------------------------------------------------


def _contested(hand: Hand, awards: Awards, pot: ToldPot, hands: Hands) -> Iterator[Reason]:
    one = pot.award
    names = hand.game.share_names
    for share in one.shares:
        if share.winners and hand.game.shares[share.share].neighbour:
            yield _beside(hand, pot, share)
        elif share.winners:
            yield _won(hand, awards, pot, share, hands)
        else:
            others = [names[some.share] for some in one.shares if some.winners]
            yield _unwon(hand, pot, names[share.share], share.share, others, hands)


def _unwon(
    hand: Hand, pot: ToldPot, name: str, share: int, others: list[str], hands: Hands
) -> Reason:
    reason = {"code": "share-unwon", **pot.of_pot, "share": name, "others": others}
    measures = hand.game.shares[share].alternatives
    bar = bar_of(name, measures[-1]) if measures else None
    if hand.game.declares and not contesting(hand, pot, name):
        out = dict.fromkeys(failure.seat for failure in pot.award.failures)
        return reason | {"why": "nobody-declared", "players": [hand.players[s].name for s in out]}
    if bar:
        return reason | {"why": "nobody-qualifies", "needed": [bar]}
    return reason | {"why": "nobody"} | nobody_facts(hand, pot, share, hands)


def _won(hand: Hand, awards: Awards, pot: ToldPot, share: ShareAward, hands: Hands) -> Reason:
    single = len(hand.game.shares) == 1
    seats = list(share.winners)
    reason: Reason = {
        "code": "wins" if len(seats) == 1 else "ties",
        **pot.of_pot,
        **({} if single else {"share": hand.game.share_names[share.share]}),
        "amount": share.amount,
        "winners": _names(hand, share.winners),
    }
    index = share.outcome.alternative
    made = (
        None if index is None else made_hand(hand, hands, seats[0], share.share, index, wins=True)
    )
    if made is not None:
        reason["hand"] = made
    if broken := broken_tie(hand, awards, share):
        reason["broken"] = broken
    elif len(seats) == 1 and made is not None:
        reason |= ahead_of(hand, pot, share, hands, made)
    elif made is not None and index is not None:
        reason |= _kickers(hand, hands, share, index, made)
    if len(seats) > 1 and len(set(share.winners.values())) > 1:
        reason["odd"] = _odd(hand, awards, share)
    return reason


def _kickers(hand: Hand, hands: Hands, share: ShareAward, index: int, made: Facts) -> Facts:
    """The cards of hands that tie beside those that name them: whether a kicker plays is what a
    table asks."""
    named = NAMED_BY.get(made.get("category", ""))
    if named is None or made["scale"] in LOW_SCALES or not made["ranks"][named:]:
        return {}
    ranks = made["ranks"][named:]
    common = {TEXTS[card] for row in hand.common_rows for card in row}
    of_each = (made_hand(hand, hands, seat, share.share, index) for seat in share.winners)
    cards = (
        card
        for one in of_each
        for card in (one["cards"] if one else ())
        if one and one.get("plays_as", {}).get(card, card)[0] in ranks
    )
    return {"kickers": {"ranks": ranks, "on_board": bool(common) and common.issuperset(cards)}}


def _beside(hand: Hand, pot: ToldPot, share: ShareAward) -> Reason:
    """The share of who sits beside the winners of the first one."""
    return {
        "code": "beside",
        **pot.of_pot,
        "share": hand.game.share_names[share.share],
        "amount": share.amount,
        "winners": _names(hand, share.winners),
        "side": hand.game.shares[share.share].neighbour,
        "players": [hand.players[seat].name for seat in pot.award.shares[0].winners],
    }


def _odd(hand: Hand, awards: Awards, share: ShareAward) -> Facts:
    """Who gets odd chips and why: by a card that is higher than those of the others, else by
    seat."""
    most = max(share.winners.values())
    lucky = [seat for seat, won in share.winners.items() if won == most]
    facts: Facts = {"players": [hand.players[seat].name for seat in lucky]}
    by_seat = {"by": "seat", "side": "left" if hand.game.clockwise else "right"}
    outcome = share.outcome
    if hand.odd_chip != "high card" or outcome.alternative is None:
        return facts | by_seat
    measure = outcome.share, outcome.alternative
    higher = higher_seats(hand, awards, measure, lucky, [*share.winners])
    decides = higher_card(hand, awards, measure, higher, [*share.winners]) if higher else None
    if decides is None:
        return facts | by_seat
    facts |= {"by": "high-card", "decided_by": decides}
    if rest := [hand.players[seat].name for seat in lucky if seat not in higher]:
        facts["then"] = {"players": rest, **by_seat}
    return facts


@lru_cache(maxsize=1024)
def _limits(game: Game) -> tuple[tuple[int, int, int], ...]:
    """The numbers that hands may not pass: the share, the place of the measure, the number."""
    return tuple(
        (at, index, alternative.number)
        for at, share in enumerate(game.shares)
        for index, alternative in enumerate(share.alternatives)
        if alternative.scale == "closest"
    )


def _over(hand: Hand, pot: ToldPot, limits: Sequence[tuple[int, int, int]]) -> Iterator[Reason]:
    """Everybody is past the number that a hand may count up to."""
    decided = {share.share: share.outcome.alternative for share in pot.award.shares}
    for at, index, number in limits:
        measure = decided.get(at)
        seats = contesting(hand, pot, hand.game.share_names[at])
        if (measure is None or measure > index) and seats:
            names = [hand.players[seat].name for seat in seats]
            points = points_over(hand, seats, at, index)
            over = {"over": points} if len(points) == len(seats) else {}
            yield {"code": "all-over", **pot.of_pot, "players": names, "number": number, **over}


# --- both ways ----------------------------------------------------------------------------------


def _first_failures(failures: Sequence[Failure]) -> Iterator[Failure]:
    """One for each player who went all ways and did not win them all."""
    told: set[int] = set()
    for failure in failures:
        if failure.seat not in told:
            told.add(failure.seat)
            yield failure


def _out(hand: Hand, pot: ToldPot, failure: Failure, hands: Hands) -> Reason:
    reason = {
        "code": "out",
        "pots": [*pot.of_pot["pots"]],
        "player": hand.players[failure.seat].name,
        "share": hand.game.share_names[failure.share],
        "why": failure.why,
    }
    if failure.why == "not-qualified":
        return reason
    rival = failure.by[0]
    held = made_hand(hand, hands, rival, failure.share)
    return reason | {"rival": {"player": hand.players[rival].name, "hand": held}}

"""The reasons for the settlement of a hand, with the facts for their sentences.

Every reason is plain JSON (docs/record.md, "Reasons"), so that programs can write their own
sentences.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules.cards import TEXTS
from rules.game.game import Game
from rules.game.hand import Hand
from rules.settlement.awards import Award, Awards, ShareAward, is_redealt, match_pot, pay_winners
from rules.settlement.checks import board_by_slot, killers
from rules.settlement.contest import Failure
from rules.settlement.house import (
    LOW_ACE,
    POSTS,
    Banking,
    PotTurns,
    is_pair,
    post_ranks,
    winning_cards,
)
from rules.settlement.story.facts import (
    Facts,
    Hands,
    Reason,
    ahead_of,
    bar_of,
    broken_tie,
    busts,
    contesting,
    dealt_again,
    higher_card,
    higher_seats,
    kept_shares,
    kickers_of,
    made_hand,
    nobody_facts,
    points_over,
)
from rules.showdown.showdown import lowest_wins


def explain(hand: Hand, awards: Awards, hands: Hands) -> list[Reason]:
    """Return the reasons of a settled hand: uncalled chips first, then each pot."""
    names = [player.name for player in hand.players]
    reasons: list[Reason] = [
        {"code": "returned", "player": names[seat], "amount": chips}
        for seat, chips in awards.returned.items()
    ]
    if hand.game.kill:
        reasons += _killed(hand)
    if awards.decided is not None:
        reasons += _decided(hand, awards.decided, hands)
    deal, rules = awards.deal, hand.game.match
    if deal is not None and rules is not None:
        for seat in deal.earned:
            legs = {"legs": deal.legs[seat], "needed_legs": rules.legs}
            reasons.append({"code": "earns-leg", "player": names[seat], **legs})
        for seat in deal.lost:
            lives = {"lives": deal.lives[seat]}
            reasons.append({"code": "loses-life", "player": names[seat], **lives})
    reasons += _pot_reasons(hand, awards, hands)
    if hand.game.dues:
        # a player who won part of the pot can lose as well
        under_half = {seat: {"why": "under-half"} for seat in awards.winners}
        for seat, chips in match_pot(hand, awards).items():
            facts = {"player": names[seat], "amount": chips, **under_half.get(seat, {})}
            reasons.append({"code": "matches-pot", **facts})
        given, taken = pay_winners(hand, awards)
        for seat, chips in given.items():
            winners = {names[winner]: won for winner, won in taken.items()}
            facts = {"player": names[seat], "amount": chips, "winners": winners}
            reasons.append({"code": "pays", **facts, **under_half.get(seat, {})})
    return reasons


def explain_result(won: Mapping[str, int]) -> list[Reason]:
    """Return the reason for a hand recorded without cards."""
    winners = {name: chips for name, chips in won.items() if chips}
    return [{"code": "table-says", "winners": winners}]


def _killed(hand: Hand) -> Iterator[Reason]:
    if hand.ended is not None:
        name = hand.players[hand.ended.seat].name
        yield {"code": "ends-deal", "player": name, "card": TEXTS[hand.ended.card]}
        return
    for player in hand.players:
        if player.killed and not player.folded:
            killing = (killers(player, rule, board_by_slot(hand)) for rule in hand.game.kill)
            killer = next(card for cards in killing for card in cards)
            yield {
                "code": "killed",
                "player": player.name,
                "card": TEXTS[killer],
                "turned": killer in player.up,
            }


@dataclass(frozen=True, slots=True)
class PotGroup:
    """One pot, or several pots with the same result combined into the first one.

    `of_pot` is included in every reason. It contains the indexes in the answer's `pots` and the
    number of the pot.
    """

    award: Award
    of_pot: Facts
    alike: tuple[Award, ...]

    @property
    def amount(self) -> int:
        return self.award.pot.amount


def _pot_groups(awards: Awards) -> list[PotGroup]:
    """Return the pots of a hand. Carried pots with the same result form one group."""
    pots = awards.pots
    made = sum([award.pot.kept_for is None for award in pots])
    groups = []
    for index, award in enumerate(pots[:made]):
        name: Facts = {"kind": "only" if made == 1 else "side" if index else "main"}
        if index and made > 2:
            name["number"] = index
        groups.append(PotGroup(award, {"pots": [index], "pot": name}, (award,)))
    alike: dict[Any, list[int]] = {}
    for index in range(made, len(pots)):
        award = pots[index]
        # the eligible players may differ, provided that the same players win
        outcomes = tuple(share.outcome for share in award.shares)
        key = (
            award.why,
            award.contest is None,
            award.failures,
            tuple(award.chips),
            outcomes,
            award.lost,
        )
        alike.setdefault(key, []).append(index)
    for numbers in alike.values():
        group = [pots[index] for index in numbers]
        name = {"kind": "carried"} | ({"count": len(group)} if len(group) > 1 else {})
        groups.append(PotGroup(_combine(group), {"pots": numbers, "pot": name}, tuple(group)))
    return groups


def _combine(awards: list[Award]) -> Award:
    """Combine pots with the same result: their chips, and all players who could win any of them."""
    first = awards[0]
    if len(awards) == 1:
        return first
    seats = tuple(sorted({seat for one in awards for seat in one.pot.seats}))
    amount = sum(one.pot.amount for one in awards)
    shares = []
    for same in zip(*[one.shares for one in awards], strict=True):
        winners = {seat: sum(share.winners[seat] for share in same) for seat in same[0].winners}
        share_amount = sum(share.amount for share in same)
        shares.append(same[0]._replace(amount=share_amount, winners=winners))
    return first._replace(
        pot=first.pot._replace(amount=amount, seats=seats),
        chips={seat: sum(one.chips[seat] for one in awards) for seat in first.chips},
        shares=tuple(shares),
    )


# --- pots ---------------------------------------------------------------------------------------


def _pot_reasons(hand: Hand, awards: Awards, hands: Hands) -> Iterator[Reason]:
    """Yield the reasons pot by pot. A player who fails in several pots is named once."""
    out: dict[object, Reason] = {}
    for number, pot in enumerate(_pot_groups(awards)):
        failures: dict[int, Failure] = {}  # the first reason why each seat fails
        for failure in pot.award.failures:
            failures.setdefault(failure.seat, failure)
        for seat, failure in failures.items():
            keeps = kept_shares(hand.game, pot.award, seat)
            key = (seat, failure.share, failure.why, failure.by[:1], *keeps)
            if key in out:
                out[key]["pots"] += pot.of_pot["pots"]
                continue
            out[key] = {
                "code": "out",
                "pots": [*pot.of_pot["pots"]],
                "player": hand.players[seat].name,
                "share": hand.game.share_names[failure.share],
                "why": failure.why,
            }
            if failure.why != "not-qualified":
                rival = failure.by[0]
                held = made_hand(hand, hands, rival, failure.share)
                out[key]["rival"] = {"player": hand.players[rival].name, "hand": held}
            if keeps:
                out[key]["keeps"] = keeps
            yield out[key]
        yield from _pot(hand, awards, pot, hands, first=not number)


def _pot(
    hand: Hand, awards: Awards, pot: PotGroup, hands: Hands, *, first: bool
) -> Iterator[Reason]:
    award = pot.award
    decided = {share.share: share.outcome.alternative for share in award.shares}
    for at, index, number in _limits(hand.game) if award.contest is not None else ():
        # the hands of all players may exceed the limit of a measure
        measure = decided.get(at)
        seats = contesting(hand, award, hand.game.share_names[at])
        if (measure is None or measure > index) and seats:
            names = [hand.players[seat].name for seat in seats]
            points = points_over(hand, seats, at, index)
            over = {"over": points} if len(points) == len(seats) else {}
            yield {"code": "all-over", **pot.of_pot, "players": names, "number": number, **over}
    if award.why == "contest":
        yield from _contested(hand, awards, pot, hands)
    elif award.why == "alone":
        player = hand.players[award.pot.seats[0]]
        facts = {**pot.of_pot, "player": player.name, "amount": pot.amount}
        if len(hand.live) > 1 or not first:
            yield {"code": "only-player", **facts}
            return
        out = [
            {
                "player": other.name,
                "why": "folded" if other.folded else "killed" if other.killed else "mucked",
            }
            for other in hand.players
            if other is not player
        ]
        yield {"code": "last-left", **facts, "out": out}
    elif award.why == "carried":
        yield _carried(hand, pot, hands)
    elif award.why == "kept":
        redealt = awards.decided is not None and is_redealt(hand.game, awards.decided)
        again = dealt_again(hand) if redealt else {}
        yield {"code": "stays-in-match", **pot.of_pot, "amount": pot.amount, **again}
    else:  # "split" or "match"
        code = "split-unwon" if award.why == "split" else "match-won"
        winners = _names(hand, award.chips)
        yield {"code": code, **pot.of_pot, "amount": pot.amount, "winners": winners}


def _names(hand: Hand, chips: Mapping[int, int]) -> dict[str, int]:
    return {hand.players[seat].name: won for seat, won in chips.items()}


def _carried(hand: Hand, pot: PotGroup, hands: Hands) -> Reason:
    """Return the reason for a carried pot, with its chips and the players who may win them."""
    entitled: dict[tuple[int, ...], int] = {}
    for one in pot.alike:
        entitled[one.carried_for] = entitled.get(one.carried_for, 0) + one.pot.amount
    stays = [
        {"amount": amount, "for": [hand.players[seat].name for seat in seats]}
        for seats, amount in entitled.items()
    ]
    reason: Reason = {"code": "carried", **pot.of_pot, "amount": pot.amount, "stays": stays}
    reason["everybody"] = all(len(seats) == len(hand.players) for seats in entitled)
    if is_redealt(hand.game, pot.award):
        reason |= dealt_again(hand)
    if lost := pot.award.lost:
        return reason | {"why": "lost-both", "players": [hand.players[s].name for s in lost]}
    if pot.award.contest is None:
        return reason | {"why": "nobody-left" if hand.ended is None else "deal-ended"}
    shares = (share for share in hand.game.shares if share.alternatives)
    bars = [bar_of(share.name, share.alternatives[-1]) for share in shares]
    reason |= {"why": "nobody-qualifies", "needed": [bar for bar in bars if bar]}
    if len(hand.game.shares) > 1 or reason["needed"]:
        return reason
    return reason | nobody_facts(hand, pot.award, 0, hands)


# --- shares -------------------------------------------------------------------------------------


def _contested(hand: Hand, awards: Awards, pot: PotGroup, hands: Hands) -> Iterator[Reason]:
    shares, names = pot.award.shares, hand.game.share_names
    for share in shares:
        side = hand.game.shares[share.share].neighbour
        if share.winners and side:
            # the share goes to the neighbours of the first share's winners
            yield {
                "code": "beside",
                **pot.of_pot,
                "share": names[share.share],
                "amount": share.amount,
                "winners": _names(hand, share.winners),
                "side": side,
                "players": [hand.players[seat].name for seat in shares[0].winners],
            }
        elif share.winners:
            yield _won(hand, awards, pot, share, hands)
        else:
            others = [names[other.share] for other in shares if other.winners]
            yield _unwon(hand, pot, share, others, hands)


def _unwon(hand: Hand, pot: PotGroup, unwon: ShareAward, others: list[str], hands: Hands) -> Reason:
    share = unwon.share
    name, measures = hand.game.share_names[share], hand.game.shares[share].alternatives
    reason = {"code": "share-unwon", **pot.of_pot, "share": name, "others": others}
    bar = bar_of(name, measures[-1]) if measures else None
    if hand.game.declares and not contesting(hand, pot.award, name):
        out = dict.fromkeys(failure.seat for failure in pot.award.failures)
        return reason | {"why": "nobody-declared", "players": [hand.players[s].name for s in out]}
    if lost := unwon.outcome.lost:
        return reason | {"why": "lost-both", "players": [hand.players[s].name for s in lost]}
    if bar:
        return reason | {"why": "nobody-qualifies", "needed": [bar]}
    return reason | {"why": "nobody"} | nobody_facts(hand, pot.award, share, hands)


def _won(hand: Hand, awards: Awards, pot: PotGroup, share: ShareAward, hands: Hands) -> Reason:
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
        reason |= ahead_of(hand, pot.award, share, hands, made)
    elif made is not None and index is not None:
        reason |= kickers_of(hand, hands, share, index, made)
    if made is not None:
        reason |= busts(hand, pot.award, share, hands)
    if len(seats) > 1 and len(set(share.winners.values())) > 1:
        reason["odd"] = _odd(hand, awards, share)
    return reason


def _odd(hand: Hand, awards: Awards, share: ShareAward) -> Facts:
    """Return which players get the odd chips, and whether a card or the seat decides."""
    most = max(share.winners.values())
    lucky = [seat for seat, won in share.winners.items() if won == most]
    facts: Facts = {"players": [hand.players[seat].name for seat in lucky]}
    by_seat = {"by": "seat", "side": "left" if hand.game.clockwise else "right"}
    outcome = share.outcome
    if hand.odd_chip == "seat" or outcome.alternative is None:
        return facts | by_seat
    measure = outcome.share, outcome.alternative
    tied = {seat: awards.odd[*measure, seat] for seat in share.winners}
    higher = higher_seats(tied, lucky)
    decides = higher_card(tied, higher) if higher else None
    if decides is None:
        return facts | by_seat
    low = hand.odd_chip == "by suit" and lowest_wins(hand.game, measure)[0]
    facts |= {"by": "low-card" if low else "high-card", "decided_by": decides}
    if rest := [hand.players[seat].name for seat in lucky if seat not in higher]:
        facts["then"] = {"players": rest, **by_seat}
    return facts


@lru_cache(maxsize=1024)
def _limits(game: Game) -> tuple[tuple[int, int, int], ...]:
    """Return the numbers that hands may not exceed, as (share, index of the measure, number)."""
    return tuple(
        (at, index, alternative.number)
        for at, share in enumerate(game.shares)
        for index, alternative in enumerate(share.alternatives)
        if alternative.scale == "closest"
    )


def _decided(hand: Hand, award: Award, hands: Hands) -> Iterator[Reason]:
    """Return which player has the best hand of a deal whose pot stays."""
    if award.why == "alone":
        yield {"code": "stayed-alone", "player": hand.players[award.pot.seats[0]].name}
    for share in award.shares:
        if share.winners:
            best = next(iter(share.winners))
            players = [hand.players[seat].name for seat in share.winners]
            reason: Reason = {"code": "best-hand", "players": players}
            if len(hand.game.shares) > 1:
                reason["share"] = hand.game.share_names[share.share]
            measure = share.outcome.alternative
            if made := made_hand(hand, hands, best, share.share, measure, wins=True):
                reason |= {"hand": made, **busts(hand, award, share, hands)}
                if len(players) == 1:
                    reason |= ahead_of(hand, award, share, hands, made)
            yield reason


# --- the house ----------------------------------------------------------------------------------


def explain_bank(hand: Hand, banking: Banking) -> list[Reason]:
    """Return the payments of each player and of the bank in a hand against the bank."""
    reasons: list[Reason] = [
        {
            "code": "puts-and-takes",
            "player": hand.players[seat].name,
            "put": put,
            "take": banking.take[seat],
        }
        for seat, put in banking.put.items()
        if put or banking.take[seat]
    ]
    bank = hand.players[hand.button].name
    if short := banking.paid[hand.button]:
        held = sum(banking.put.values()) + sum(carried.amount for carried in hand.carried)
        chips = {"amount": short, "held": held, "take": sum(banking.take.values())}
        reasons.append({"code": "bank-pays", "player": bank, **chips})
    elif banking.carry:
        reasons.append({"code": "left-in-pot", "amount": banking.carry})
    elif left := banking.won[hand.button]:
        reasons.append({"code": "left-to-bank", "player": bank, "amount": left})
    return reasons or [{"code": "nothing-matched"}]


def explain_turns(hand: Hand, played: PotTurns) -> list[Reason]:
    """Return the results of bets against the pot, turn by turn."""
    names = [player.name for player in hand.players]
    reasons: list[Reason] = []
    # antes and other chips put in outside of turns; players who put in the same amount share one
    # reason
    for amount in dict.fromkeys(played.put_in.values()):
        players = [names[seat] for seat, chips in played.put_in.items() if chips == amount]
        reasons.append({"code": "puts-in-pot", "players": players, "amount": amount})
    for turn in played.turns:
        if not turn.bet:
            continue
        player = hand.players[turn.seat]
        reason: Reason = {
            "code": "beats-pot" if turn.won else "loses-to-pot",
            "player": player.name,
            "amount": turn.bet if turn.won else turn.put,
            "card": TEXTS[player.up[-1]],
        }
        # the cards that the deciding card had to beat
        if hand.game.against_pot == "higher":
            if winning := winning_cards(player):
                reason["shown"] = TEXTS[max(winning)]
        else:
            reason["posts"] = [TEXTS[card] for card in player.up[:POSTS]]
            if is_pair(hand.game, player) and "pair" in hand.game.calls:
                reason["called"] = player.declared
            elif post_ranks(hand.game, player)[0] == LOW_ACE:
                reason["ace"] = "low"
        reasons.append(reason | {"pot_left": turn.left})
    if played.carry:
        reasons.append({"code": "left-in-pot", "amount": played.carry})
    if reasons:
        return reasons
    # bets made against an empty pot are returned
    returned = {names[seat]: chips for seat, chips in played.returned.items() if chips}
    return [{"code": "no-bets", "returned": returned}]

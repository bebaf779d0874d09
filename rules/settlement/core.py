"""From hands to answers: read it from top to bottom.

hand -> showdown (best hands) -> awards (pots, contest) -> answer. Hands of the same game are
looked at together.
"""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from typing import Any

from rules.cards import format_cards
from rules.errors import Problem
from rules.game.game import Game
from rules.game.hand import RESULT, Hand
from rules.settlement import banking, checks, findings
from rules.settlement.brief_answers import brief_answer
from rules.settlement.chips.awards import Award, Awards, ShareAward, award
from rules.settlement.chips.contest import BOTH, Outcome
from rules.settlement.chips.losers import match_pot, pay_winners
from rules.settlement.chips.match_deals import MatchDeal
from rules.settlement.chips.pot_turns import play_turns
from rules.settlement.match_answer import of_match
from rules.settlement.story.bank_story import explain_bank
from rules.settlement.story.explanation import explain, explain_result
from rules.settlement.story.facts import Hands, Reason
from rules.settlement.story.sentences import sentence
from rules.settlement.story.turn_story import explain_turns
from rules.showdown.naming import name_of, plays_as
from rules.showdown.showdown import Showdown, compare_hands, compared_as

Answer = dict[str, Any]
Chips = dict[str, int]  # by name
STAYS = ("carried", "kept")  # why no chips of a pot are won
NO_SHOWDOWN = Showdown([])
SLICE = 8192  # records that are looked at together: enough for the arrays of rare games


@contextmanager
def collector_paused() -> Iterator[None]:
    """Without the collector of cycles: a batch makes none, and the search costs a third more."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def settle_hands(hands: Sequence[Hand], *, brief: bool) -> Iterator[Answer]:
    """The answers to hands that were read and found good, in their order, as they are asked for."""
    for start in range(0, len(hands), SLICE):
        some = hands[start : start + SLICE]
        yield from map(_answer, some, showdowns(some, brief=brief), repeat(brief))


def award_problems(hand: Hand) -> list[Problem]:
    """What only shows when a hand is settled: a tie whose rounds lack a player."""
    return award(hand, *showdowns([hand], brief=True)).problems


def refusal(problems: Iterable[Problem]) -> Answer:
    """The answer to what can't be settled."""
    return {"errors": [problem.as_dict() for problem in problems]}


def showdowns(hands: Sequence[Hand], *, brief: bool) -> list[Showdown]:
    """What was shown in each hand; those of games that compare alike are looked at together."""
    shown = [NO_SHOWDOWN] * len(hands)
    waiting: dict[Game, list[int]] = {}
    for index, hand in enumerate(hands):
        game = hand.game
        if game.compares_hands and hand.depth != RESULT and checks.needs_showdown(hand):
            waiting.setdefault(compared_as(game), []).append(index)
    for game, some in waiting.items():
        found = compare_hands(game, [hands[index] for index in some], with_cards=not brief)
        for index, one in zip(some, found, strict=True):
            shown[index] = one
    return shown


# --- answers ------------------------------------------------------------------------------------


def _answer(hand: Hand, showdown: Showdown, brief: bool) -> Answer:
    if hand.depth == RESULT:
        return _result_answer(hand, brief=brief)
    if hand.game.bank:
        return _bank_answer(hand, brief=brief)
    if hand.game.against_pot:
        return _turns_answer(hand, brief=brief)
    if brief and (found := brief_answer(hand, showdown)):
        return found
    return _showdown_answer(hand, showdown, brief=brief)


def _showdown_answer(hand: Hand, showdown: Showdown, *, brief: bool) -> Answer:
    awards = award(hand, showdown)
    if awards.problems:
        return refusal(awards.problems)
    paid = {player.name: player.paid for player in hand.players}
    names = [*paid]
    returned, won = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for seat, chips in awards.returned.items():
        returned[names[seat]] = chips
    for one in awards.pots:
        for seat, chips in one.chips.items():
            won[names[seat]] += chips
    carries = [_carry(one, names) for one in awards.pots if one.why in STAYS]
    if hand.game.dues:
        _move_dues(hand, awards, paid, won, carries)
    answer: Answer = {
        "variant": hand.variant,
        "paid": paid,
        "returned": returned,
        "won": won,
        "net": {name: won[name] + returned[name] - paid[name] for name in names},
        "carry": sum([carry["amount"] for carry in carries]),
        "carries": carries,
        "pots": [_pot(one, names, hand.game.share_names) for one in awards.pots],
    }
    if not brief:
        answer["hands"] = _hands(hand, showdown)
        _tell(answer, explain(hand, awards, Hands(answer["hands"], showdown)))
    answer["findings"] = findings.of_hand(hand, won, awards, showdown)
    return _with_match(hand, answer, awards.deal)


def _tell(answer: Answer, reasons: list[Reason]) -> None:
    """Why the hand went as it did: as facts, and in a sentence for each."""
    answer["story"] = [sentence(reason) for reason in reasons]
    answer["reasons"] = reasons


def _with_match(hand: Hand, answer: Answer, deal: MatchDeal | None = None) -> Answer:
    rules = hand.game.match
    return answer if rules is None else answer | {"match": of_match(hand, rules, deal, answer)}


def _move_dues(
    hand: Hand, awards: Awards, paid: Chips, won: Chips, carries: list[dict[str, Any]]
) -> None:
    """What losers put in for the next hand, and what they pay to who won."""
    names = [*paid]
    if matched := match_pot(hand, awards):
        for seat, chips in matched.items():
            paid[names[seat]] += chips
        carries.append({"amount": sum(matched.values()), "for": names})
    given, taken = pay_winners(hand, awards)
    for seat, chips in given.items():
        paid[names[seat]] += chips
    for seat, chips in taken.items():
        won[names[seat]] += chips


def _carry(one: Award, names: list[str]) -> dict[str, Any]:
    return {"amount": one.pot.amount, "for": [names[seat] for seat in one.carried_for]}


def _pot(one: Award, names: list[str], share_names: tuple[str, ...]) -> dict[str, Any]:
    shares = one.shares or _whole(one)
    return {
        "amount": one.pot.amount,
        "for": [names[seat] for seat in one.pot.seats],
        "shares": [
            {
                "way": share_names[share.share],
                "amount": share.amount,
                "winners": {names[seat]: chips for seat, chips in share.winners.items()},
            }
            for share in shares
        ],
    }


def _whole(one: Award) -> tuple[ShareAward, ...]:
    """A pot that was not contested counts as the first share."""
    if not one.chips:
        return ()
    outcome = Outcome(0, tuple(one.chips))
    return (ShareAward(0, one.pot.amount, one.chips, outcome),)


def _hands(hand: Hand, showdown: Showdown) -> dict[str, Any]:
    """The best hand of each player who showed, each way that was contested."""
    game = hand.game
    found: dict[str, Any] = {}
    for seat in hand.live if showdown.strengths else ():
        player = hand.players[seat]
        shown_by_share = {}
        for index, share in enumerate(game.shares):
            contested = not game.declares or player.declared in (share.name, BOTH)
            shown = _shown(game, showdown, index, seat) if contested else None
            if shown is not None:
                shown_by_share[share.name] = shown
        found[player.name] = shown_by_share
    return found


def _shown(game: Game, showdown: Showdown, share: int, seat: int) -> dict[str, Any] | None:
    """A player's hand on the first measure of a share that it qualifies for."""
    for index, alternative in enumerate(game.shares[share].alternatives):
        strength = showdown.strengths[share][index][seat]
        if strength >= 0:
            played = showdown.played[share, index, seat]
            return {
                "cards": format_cards(played.cards),
                "plays_as": plays_as(game, alternative, played),
                "name": name_of(game, alternative, strength, played),
            }
    return None


def _result_answer(hand: Hand, *, brief: bool) -> Answer:
    """A hand told without cards: the table's word is taken."""
    took = hand.took or {}
    paid = {player.name: player.paid for player in hand.players}
    won = {name: took.get(name, 0) for name in paid}
    answer: Answer = {
        "variant": hand.variant,
        "paid": paid,
        "returned": dict.fromkeys(paid, 0),
        "won": won,
        "net": {name: won[name] - paid[name] for name in paid},
        "carry": 0,
        "carries": [],
        "pots": [],
    }
    if not brief:
        answer["hands"] = {}
        _tell(answer, explain_result(won))
    return _with_match(hand, answer | {"findings": []})


def _bank_answer(hand: Hand, *, brief: bool) -> Answer:
    found = banking.bank(hand)
    names = [player.name for player in hand.players]
    paid = {names[seat]: chips for seat, chips in found.paid.items()}
    won = {names[seat]: chips for seat, chips in found.won.items()}
    carries = [{"amount": found.carry, "for": names}] if found.carry else []
    answer: Answer = {
        "variant": hand.variant,
        "paid": paid,
        "returned": dict.fromkeys(names, 0),
        "won": won,
        "net": {name: won[name] - paid[name] for name in names},
        "carry": found.carry,
        "carries": carries,
        "pots": [],
    }
    if not brief:
        answer["hands"] = {
            names[seat]: {"put": found.put[seat], "take": found.take[seat]} for seat in found.put
        }
        _tell(answer, explain_bank(hand, found))
    return _with_match(hand, answer | {"findings": findings.of_banking(hand, found)})


def _turns_answer(hand: Hand, *, brief: bool) -> Answer:
    """Bets against the pot: there are no pots to be won, but what each took or put in."""
    found = play_turns(hand)
    names = [player.name for player in hand.players]
    chips = {"paid": found.paid, "returned": found.returned, "won": found.won}
    told: Answer = {
        key: {names[seat]: amount for seat, amount in some.items()} for key, some in chips.items()
    }
    answer: Answer = {
        "variant": hand.variant,
        **told,
        "net": {n: told["won"][n] + told["returned"][n] - told["paid"][n] for n in names},
        "carry": found.carry,
        "carries": [{"amount": found.carry, "for": names}] if found.carry else [],
        "pots": [],
    }
    if not brief:
        answer["hands"] = {}
        _tell(answer, explain_turns(hand, found))
    return _with_match(hand, answer | {"findings": findings.of_turns(hand, told["won"], found)})

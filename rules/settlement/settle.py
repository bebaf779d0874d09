"""Settle hands.

The steps are hand -> showdown (best hands) -> awards (pots, contest) -> answer. Hands of games with
the same comparison are compared together.
"""

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rules.cards import format_cards
from rules.errors import Problem
from rules.game.game import Game
from rules.game.hand import RESULT, Hand
from rules.settlement import findings, house
from rules.settlement.awards import Awards, award, is_redealt, match_pot, pay_winners
from rules.settlement.checks import needs_showdown
from rules.settlement.contest import BOTH
from rules.settlement.matches import of_match
from rules.settlement.runs import best_hands, explain_runs, joined_carries, joined_pots
from rules.settlement.story.facts import Hands, Reason
from rules.settlement.story.reasons import explain, explain_bank, explain_result, explain_turns
from rules.settlement.story.sentences import sentence
from rules.showdown.naming import name_of, plays_as
from rules.showdown.showdown import Showdown, compare_hands, compared_as

Answer = dict[str, Any]
Chips = dict[str, int]  # chips, keyed by name
STAYS = ("carried", "kept")  # reasons why this hand does not win a pot
NO_SHOWDOWN = Showdown([])
SLICE = 8192  # number of records settled together, enough to fill arrays for rare games


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the garbage collector, which would add a third to the time without finding cycles."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def settle_hands(hands: Sequence[Hand], *, brief: bool) -> Iterator[Answer]:
    """Yield the answers to hands without errors, in the same order."""
    for start in range(0, len(hands), SLICE):
        part = hands[start : start + SLICE]
        compared = [run for hand in part for run in hand.runs or (hand,)]
        showdowns = iter(_showdowns(compared, brief=brief))
        for hand in part:
            if hand.runs:
                yield _runs_answer(hand, [next(showdowns) for _ in hand.runs], brief=brief)
                continue
            showdown = next(showdowns)
            if hand.depth == RESULT:
                yield _result_answer(hand, brief=brief)
            elif hand.game.bank:
                yield _bank_answer(hand, brief=brief)
            elif hand.game.against_pot:
                yield _turns_answer(hand, brief=brief)
            elif (awards := award(hand, showdown)).problems:
                yield refusal(awards.problems)
            else:
                answer = _awarded_answer(hand, showdown, awards, brief=brief)
                yield of_match(hand, answer, awards.deal, redealt=_is_redealt(hand, awards))


def award_problems(hand: Hand) -> list[Problem]:
    """Return errors that can only be found during settlement: tie-breaks that lack a player."""
    runs = hand.runs or [hand]
    showdowns = _showdowns(runs, brief=True)
    awarded = [award(run, showdown) for run, showdown in zip(runs, showdowns, strict=True)]
    return [*dict.fromkeys(problem for awards in awarded for problem in awards.problems)]


def refusal(problems: Iterable[Problem]) -> Answer:
    """Return the answer for a record that can't be settled."""
    return {"errors": [problem.as_dict() for problem in problems]}


def _showdowns(hands: Sequence[Hand], *, brief: bool) -> list[Showdown]:
    """Return the showdown of each hand. Hands with the same comparison are compared together."""
    showdowns = [NO_SHOWDOWN] * len(hands)
    waiting: dict[Game, list[int]] = {}
    for index, hand in enumerate(hands):
        game = hand.game
        if game.compares_hands and hand.depth != RESULT and needs_showdown(hand):
            waiting.setdefault(compared_as(game), []).append(index)
    for game, indices in waiting.items():
        compared = compare_hands(game, [hands[index] for index in indices], with_cards=not brief)
        for index, showdown in zip(indices, compared, strict=True):
            showdowns[index] = showdown
    return showdowns


# --- answers ------------------------------------------------------------------------------------


def _answer(hand: Hand, paid: Chips, returned: Chips, won: Chips) -> Answer:
    """Return an answer with these chips, without pots and carried chips."""
    return {
        "variant": hand.variant,
        "paid": paid,
        "returned": returned,
        "won": won,
        "net": {name: won[name] + returned[name] - paid[name] for name in paid},
        "carry": 0,
        "carries": [],
        "pots": [],
    }


def _explain(answer: Answer, hands: Mapping[str, Any], reasons: list[Reason]) -> None:
    """Add the parts that a brief answer omits: hands, and reasons with their sentences."""
    answer["hands"] = hands
    answer["story"] = [sentence(reason) for reason in reasons]
    answer["reasons"] = reasons


def _is_redealt(hand: Hand, awards: Awards) -> bool:
    deals = awards.pots if awards.decided is None else [awards.decided]
    return any(is_redealt(hand.game, one) for one in deals)


def _awarded_answer(hand: Hand, showdown: Showdown, awards: Awards, *, brief: bool) -> Answer:
    """Return the answer of a hand whose pots are awarded, without the match."""
    paid = {player.name: player.paid for player in hand.players}
    names = [*paid]
    returned, won = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for seat, chips in awards.returned.items():
        returned[names[seat]] = chips
    share_names = hand.game.share_names
    pots, carries = [], []
    for pot_award in awards.pots:
        amount = pot_award.pot.amount
        for seat, chips in pot_award.chips.items():
            won[names[seat]] += chips
        if pot_award.why in STAYS:
            entitled = [names[seat] for seat in pot_award.carried_for]
            carries.append({"amount": amount, "for": entitled})
        shares = [(share.share, share.amount, share.winners) for share in pot_award.shares]
        if not shares and pot_award.chips:  # an uncontested pot counts as the first share
            shares = [(0, amount, pot_award.chips)]
        ways = [
            {
                "way": share_names[at],
                "amount": part,
                "winners": {names[seat]: chips for seat, chips in winners.items()},
            }
            for at, part, winners in shares
        ]
        eligible = [names[seat] for seat in pot_award.pot.seats]
        pots.append({"amount": amount, "for": eligible, "shares": ways})
    if hand.game.dues:
        _move_dues(hand, awards, paid, won, carries)
    answer = _answer(hand, paid, returned, won)
    answer["carry"] = sum([carry["amount"] for carry in carries])
    answer["carries"] = carries
    answer["pots"] = pots
    if not brief:
        shown = _shown_hands(hand, showdown)
        _explain(answer, shown, explain(hand, awards, Hands(shown, showdown)))
    answer["findings"] = findings.of_hand(hand, won, awards, showdown)
    return answer


def _runs_answer(hand: Hand, showdowns: Sequence[Showdown], *, brief: bool) -> Answer:
    """Return the sum of the answers to all runs of a deal, with the details of each run."""
    awarded = [award(run, shown) for run, shown in zip(hand.runs, showdowns, strict=True)]
    if problems := dict.fromkeys(problem for awards in awarded for problem in awards.problems):
        return refusal(problems)
    answers = [
        _awarded_answer(run, showdown, awards, brief=brief)
        for run, showdown, awards in zip(hand.runs, showdowns, awarded, strict=True)
    ]
    names = [player.name for player in hand.players]
    won = {name: sum(one["won"][name] for one in answers) for name in names}
    answer = _answer(hand, answers[0]["paid"], answers[0]["returned"], won)
    answer["carry"] = sum(one["carry"] for one in answers)
    answer["carries"] = joined_carries(answers)
    answer["pots"], places = joined_pots(answers)
    if not brief:
        best = best_hands(hand.runs, showdowns, answers)
        _explain(answer, best, explain_runs(hand, answers, places))
    parts = ("won", "carry", "pots") if brief else ("won", "carry", "pots", "hands")
    answer["runs"] = [{key: one[key] for key in parts} for one in answers]
    answer["findings"] = findings.of_runs(hand, won, [one["findings"] for one in answers])
    redealt = any(_is_redealt(hand, awards) for awards in awarded)
    return of_match(hand, answer, redealt=redealt)


def _move_dues(
    hand: Hand, awards: Awards, paid: Chips, won: Chips, carries: list[dict[str, Any]]
) -> None:
    """Move the chips that losers put in for the next hand, and the chips they pay to winners."""
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


def _shown_hands(hand: Hand, showdown: Showdown) -> dict[str, Any]:
    """Return the best hand of each player who showed, for each share that the player contested."""
    game = hand.game
    shown: dict[str, Any] = {}
    for seat in hand.live if showdown.strengths else ():
        player = hand.players[seat]
        by_share = shown[player.name] = {}
        for index, share in enumerate(game.shares):
            if game.declares and player.declared not in (share.name, BOTH):
                continue
            strengths = showdown.strengths[index]
            for measure, alternative in enumerate(share.alternatives):
                # use only the first measure that the hand qualifies for
                if strengths[measure][seat] >= 0:
                    played = showdown.played[index, measure, seat]
                    by_share[share.name] = {
                        "cards": format_cards(played.cards),
                        "plays_as": plays_as(game, alternative, played),
                        "name": name_of(game, alternative, strengths[measure][seat], played),
                    }
                    break
    return shown


def _result_answer(hand: Hand, *, brief: bool) -> Answer:
    """Return the answer for a hand recorded without cards, which accepts the recorded result."""
    took = hand.took or {}
    paid = {player.name: player.paid for player in hand.players}
    won = {name: took.get(name, 0) for name in paid}
    answer = _answer(hand, paid, dict.fromkeys(paid, 0), won)
    if not brief:
        _explain(answer, {}, explain_result(won))
    answer["findings"] = []
    return of_match(hand, answer)


def _bank_answer(hand: Hand, *, brief: bool) -> Answer:
    banking = house.bank(hand)
    names = [player.name for player in hand.players]
    paid, won = _by_name(names, banking.paid), _by_name(names, banking.won)
    answer = _answer(hand, paid, dict.fromkeys(names, 0), won)
    if banking.carry:
        answer |= {"carry": banking.carry, "carries": [{"amount": banking.carry, "for": names}]}
    if not brief:
        hands = {
            names[seat]: {"put": banking.put[seat], "take": banking.take[seat]}
            for seat in banking.put
        }
        _explain(answer, hands, explain_bank(hand, banking))
    answer["findings"] = findings.of_banking(hand, banking)
    return of_match(hand, answer)


def _turns_answer(hand: Hand, *, brief: bool) -> Answer:
    """Return the answer for bets against the pot. These answers have no pots."""
    played = house.play_turns(hand)
    names = [player.name for player in hand.players]
    won = _by_name(names, played.won)
    answer = _answer(hand, _by_name(names, played.paid), _by_name(names, played.returned), won)
    if played.carry:
        answer |= {"carry": played.carry, "carries": [{"amount": played.carry, "for": names}]}
    if not brief:
        _explain(answer, {}, explain_turns(hand, played))
    answer["findings"] = findings.of_turns(hand, won, played)
    return of_match(hand, answer)


def _by_name(names: Sequence[str], chips: Mapping[int, int]) -> Chips:
    return {names[seat]: amount for seat, amount in chips.items()}

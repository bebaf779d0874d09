"""From hands to answers: read it from top to bottom.

hand -> showdown (best hands) -> awards (pots, contest) -> answer. Hands of the same game are
looked at together.
"""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rules.cards import format_cards
from rules.errors import Problem
from rules.game.game import Game
from rules.game.hand import RESULT, Hand
from rules.settlement import banking, checks, explanation, findings
from rules.settlement.awards import Award, ShareAward, award, match_pot
from rules.settlement.contest import BOTH, Outcome
from rules.showdown.naming import name_of, plays_as
from rules.showdown.showdown import Showdown, compare_hands

Answer = dict[str, Any]
NO_SHOWDOWN = Showdown([])
SLICE = 2048  # records that are looked at together: enough for the arrays, few for the cache


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


def settle_hands(hands: Sequence[Hand], *, brief: bool) -> list[Answer]:
    """The answers to hands that were read and found good, in their order."""
    answers: list[Answer] = []
    with collector_paused():
        for start in range(0, len(hands), SLICE):
            answers += _settle_slice(hands[start : start + SLICE], brief=brief)
    return answers


def _settle_slice(hands: Sequence[Hand], *, brief: bool) -> list[Answer]:
    """Hands of a game together, then all answers in the order of the hands."""
    waiting: dict[Game, list[tuple[int, Hand]]] = {}
    for index, hand in enumerate(hands):
        waiting.setdefault(hand.game, []).append((index, hand))
    answers: list[Answer] = [{}] * len(hands)
    for game, some in waiting.items():
        for index, answer in _settle_game(game, some, brief=brief):
            answers[index] = answer
    return answers


def award_problems(hand: Hand) -> list[Problem]:
    """What only shows when a hand is settled: a tie whose rounds lack a player."""
    shown = _showdowns(hand.game, [(0, hand)], brief=True)
    return award(hand, shown.get(0, NO_SHOWDOWN)).problems


def refusal(problems: Iterable[Problem]) -> Answer:
    """The answer to what can't be settled."""
    return {"errors": [problem.as_dict() for problem in problems]}


def _settle_game(
    game: Game, hands: list[tuple[int, Hand]], *, brief: bool
) -> Iterable[tuple[int, Answer]]:
    shown = _showdowns(game, hands, brief=brief)
    for index, hand in hands:
        if hand.depth == RESULT:
            yield index, _result_answer(hand, brief=brief)
        elif game.bank:
            yield index, _bank_answer(hand, brief=brief)
        else:
            yield index, _answer(hand, shown.get(index, NO_SHOWDOWN), brief=brief)


def _showdowns(game: Game, hands: list[tuple[int, Hand]], *, brief: bool) -> dict[int, Showdown]:
    """What was shown, for the hands that are compared at all."""
    if game.bank:
        return {}
    compared = [
        (index, hand)
        for index, hand in hands
        if hand.depth != RESULT and checks.needs_showdown(hand)
    ]
    found = compare_hands(game, [hand for _, hand in compared], with_cards=not brief)
    return {index: one for (index, _), one in zip(compared, found, strict=True)}


# --- answers ------------------------------------------------------------------------------------


def _answer(hand: Hand, showdown: Showdown, *, brief: bool) -> Answer:
    awards = award(hand, showdown)
    if awards.problems:
        return refusal(awards.problems)
    names = [player.name for player in hand.players]
    paid = {player.name: player.paid for player in hand.players}
    returned = dict.fromkeys(names, 0)
    for seat, chips in awards.returned.items():
        returned[names[seat]] = chips
    won = dict.fromkeys(names, 0)
    for one in awards.pots:
        for seat, chips in one.chips.items():
            won[names[seat]] += chips
    carries = [_carry(one, names) for one in awards.pots if one.why == "carried"]
    if matched := match_pot(hand, awards):
        for seat, chips in matched.items():
            paid[names[seat]] += chips
        carries.append({"amount": sum(matched.values()), "for": names})
    answer: Answer = {
        "variant": hand.variant,
        "paid": paid,
        "returned": returned,
        "won": won,
        "net": {name: won[name] + returned[name] - paid[name] for name in names},
        "carry": sum(carry["amount"] for carry in carries),
        "carries": carries,
        "pots": [_pot(one, names, hand.game.share_names) for one in awards.pots],
    }
    if not brief:
        answer["hands"] = _hands(hand, showdown)
        answer["story"] = explanation.explain(
            hand, awards, explanation.Hands(answer["hands"], showdown)
        )
    answer["findings"] = findings.of_hand(hand, won, awards, showdown)
    return answer


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
        answer |= {"hands": {}, "story": explanation.explain_result(won)}
    return answer | {"findings": []}


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
        answer["story"] = explanation.explain_bank(hand, found)
    return answer | {"findings": findings.of_banking(hand, found)}

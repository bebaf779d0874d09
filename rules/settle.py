"""From records to answers: read it from top to bottom.

record -> problems -> showing (best hands) -> awards (pots, contest) -> answer. Records of the
same game are looked at together; `settle` is `settle_many` of one.
"""

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any

from rules import banking, checks, findings, story
from rules.awards import Award, ShareAward, award, match_pot
from rules.cards import format_cards
from rules.contest import BOTH, Outcome
from rules.game import Game
from rules.naming import name_of, plays_as
from rules.record import RESULT, Hand, Problem
from rules.showing import Showing, show

Answer = dict[str, Any]
NOTHING = Showing([])
SLICE = 2048  # records that are looked at together: enough for the arrays, few for the cache


def settle(record: object, *, brief: bool = False) -> Answer:
    """The answer to a record: who won what and why, or everything that is wrong with it.

    See RECORD.md for both shapes. `brief` leaves out `hands` and `story`.
    """
    return settle_many([record], brief=brief)[0]


def settle_many(records: Iterable[object], *, brief: bool = False) -> list[Answer]:
    """The answers to many records, in their order; far faster than one at a time."""
    waiting = iter(records)
    answers: list[Answer] = []
    with collector_paused():
        while some := list(islice(waiting, SLICE)):
            answers += _settle_slice(some, brief=brief)
    return answers


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


def settle_hands(hands: Iterable[Hand]) -> list[Answer]:
    """The brief answers to hands that were read and found good, in their order."""
    waiting = iter(hands)
    answers: list[Answer] = []
    with collector_paused():
        while some := list(islice(waiting, SLICE)):
            answers += _settled(list(enumerate(some)), [{}] * len(some), brief=True)
    return answers


def _settle_slice(records: list[object], *, brief: bool) -> list[Answer]:
    answers: list[Answer] = []
    hands: list[tuple[int, Hand]] = []
    for index, record in enumerate(records):
        hand, wrong = _read(record)
        answers.append(_refusal(wrong) if hand is None else {})
        if hand is not None:
            hands.append((index, hand))
    return _settled(hands, answers, brief=brief)


def _settled(
    hands: Iterable[tuple[int, Hand]], answers: list[Answer], *, brief: bool
) -> list[Answer]:
    """The answers with those to these hands put in their places; hands of a game together."""
    waiting: dict[Game, list[tuple[int, Hand]]] = {}
    for index, hand in hands:
        waiting.setdefault(hand.game, []).append((index, hand))
    for game, some in waiting.items():
        for index, answer in _settle_game(game, some, brief=brief):
            answers[index] = answer
    return answers


def find_problems(record: object) -> list[Problem]:
    """Every reason why a record can't be settled; none when it can."""
    hand, wrong = checks.read(record)
    if hand is None or hand.depth == RESULT or not hand.tiebreaks:
        return wrong
    return award(hand, _showings(hand.game, [(0, hand)], brief=True)[0]).problems


def _refusal(wrong: Iterable[Problem]) -> Answer:
    return {"errors": [problem.as_dict() for problem in wrong]}


def _read(record: object) -> tuple[Hand | None, list[Problem]]:
    """The hand of a record; with actions, the hand that they came to."""
    if not (isinstance(record, Mapping) and "actions" in record):
        return checks.read(record)
    from rules.history import final_record  # noqa: PLC0415 - a history is settled at its end

    final, wrong = final_record(record)
    return (None, wrong) if final is None or wrong else checks.read(final)


def _settle_game(
    game: Game, hands: list[tuple[int, Hand]], *, brief: bool
) -> Iterable[tuple[int, Answer]]:
    shown = _showings(game, hands, brief=brief)
    for index, hand in hands:
        if hand.depth == RESULT:
            yield index, _told(hand, brief=brief)
        elif game.bank:
            yield index, _banked(hand, brief=brief)
        else:
            yield index, _answer(hand, shown.get(index, NOTHING), brief=brief)


def _showings(game: Game, hands: list[tuple[int, Hand]], *, brief: bool) -> dict[int, Showing]:
    """What was shown, for the hands that are compared at all."""
    if game.bank:
        return {}
    compared = [
        (index, hand)
        for index, hand in hands
        if hand.depth != RESULT and checks.needs_showing(hand)
    ]
    found = show(game, [hand for _, hand in compared], with_cards=not brief)
    return {index: one for (index, _), one in zip(compared, found, strict=True)}


# --- answers ------------------------------------------------------------------------------------


def _answer(hand: Hand, showing: Showing, *, brief: bool) -> Answer:
    awards = award(hand, showing)
    if awards.problems:
        return _refusal(awards.problems)
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
        "pots": [_pot(one, names, hand.game.ways) for one in awards.pots],
    }
    if not brief:
        answer["hands"] = _hands(hand, showing)
        answer["story"] = story.tell(hand, awards, story.Hands(answer["hands"], showing))
    answer["findings"] = findings.of_hand(hand, won, awards, showing)
    return answer


def _carry(one: Award, names: list[str]) -> dict[str, Any]:
    return {"amount": one.pot.amount, "for": [names[seat] for seat in one.carried_for]}


def _pot(one: Award, names: list[str], ways: tuple[str, ...]) -> dict[str, Any]:
    shares = one.shares or _whole(one)
    return {
        "amount": one.pot.amount,
        "for": [names[seat] for seat in one.pot.seats],
        "shares": [
            {
                "way": ways[share.share],
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


def _hands(hand: Hand, showing: Showing) -> dict[str, Any]:
    """The best hand of each player who showed, each way that was contested."""
    game = hand.game
    found: dict[str, Any] = {}
    for seat in hand.live if showing.strengths else ():
        player = hand.players[seat]
        ways = {}
        for index, share in enumerate(game.shares):
            contested = not game.declares or player.declared in (share.name, BOTH)
            shown = _shown(game, showing, index, seat) if contested else None
            if shown is not None:
                ways[share.name] = shown
        found[player.name] = ways
    return found


def _shown(game: Game, showing: Showing, share: int, seat: int) -> dict[str, Any] | None:
    """A player's hand on the first measure of a share that it qualifies for."""
    for index, alternative in enumerate(game.shares[share].alternatives):
        strength = showing.strengths[share][index][seat]
        if strength >= 0:
            played = showing.played[share, index, seat]
            return {
                "cards": format_cards(played.cards),
                "plays_as": plays_as(game, alternative, played),
                "name": name_of(game, alternative, strength, played),
            }
    return None


def _told(hand: Hand, *, brief: bool) -> Answer:
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
        answer |= {"hands": {}, "story": story.told(won)}
    return answer | {"findings": []}


def _banked(hand: Hand, *, brief: bool) -> Answer:
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
        answer["story"] = story.tell_bank(hand, found)
    return answer | {"findings": findings.of_banking(hand, found)}

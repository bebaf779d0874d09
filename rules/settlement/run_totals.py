"""The answer to a deal that was run several times, as the sum of the answers to its runs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.cards import format_cards
from rules.game.hand import Hand
from rules.settlement.story.facts import Reason
from rules.showdown.evaluation import MeasuredStrength, measured_strength
from rules.showdown.showdown import Showdown

Answer = Mapping[str, Any]


def joined_carries(answers: Iterable[Answer]) -> list[dict[str, Any]]:
    """Return the chips that all runs carry. Chips for the same players are one amount."""
    amounts: Counter[tuple[str, ...]] = Counter()
    for answer in answers:
        for carry in answer["carries"]:
            amounts[tuple(carry["for"])] += carry["amount"]
    return [{"amount": amount, "for": [*names]} for names, amount in amounts.items()]


def joined_pots(answers: Iterable[Answer]) -> tuple[list[dict[str, Any]], list[list[int]]]:
    """Return the pots of the whole deal, and for each run the indices of its pots among them.

    If a card kills hands in some runs, the runs may have different pots.
    """
    pots: dict[object, dict[str, Any]] = {}
    places: list[list[int]] = []
    for answer in answers:
        count: Counter[tuple[str, ...]] = Counter()
        places.append([])
        for part in answer["pots"]:
            names = tuple(part["for"])
            key = names, count[names]
            count[names] += 1
            pot = pots.setdefault(key, {"amount": 0, "for": [*names], "shares": []})
            pot["amount"] += part["amount"]
            by_way = {share["way"]: share for share in pot["shares"]}
            for added in part["shares"]:
                share = by_way.get(added["way"])
                if share is None:
                    pot["shares"].append({**added, "winners": dict(added["winners"])})
                    continue
                share["amount"] += added["amount"]
                for name, chips in added["winners"].items():
                    share["winners"][name] = share["winners"].get(name, 0) + chips
            places[-1].append([*pots].index(key))
    return [*pots.values()], places


def best_hands(
    hands: Sequence[Hand], showdowns: Sequence[Showdown], answers: Sequence[Answer]
) -> dict[str, Any]:
    """Return the best hand that each player showed in any run, for each way."""
    best: dict[str, dict[str, Any]] = {}
    strongest: dict[tuple[str, str], MeasuredStrength] = {}
    for hand, showdown, answer in zip(hands, showdowns, answers, strict=True):
        seats = {player.name: seat for seat, player in enumerate(hand.players)}
        for name, ways in answer["hands"].items():
            shown = best.setdefault(name, {})
            for way, made in ways.items():
                measures = showdown.strengths[hand.game.share_names.index(way)]
                strength = measured_strength(
                    strengths.get(seats[name], -1) for strengths in measures
                )
                if way not in shown or strength > strongest[name, way]:
                    strongest[name, way], shown[way] = strength, made
    return best


def explain_runs(
    hand: Hand, answers: Sequence[Mapping[str, Any]], places: Sequence[Sequence[int]]
) -> list[Reason]:
    """Return the reasons for all runs.

    `places` has the indices of each run's pots in the answer. Reasons that apply to the whole deal,
    such as uncalled chips, come first and only once. The number of runs and the cards that each run
    dealt to the board follow.
    """
    own = [answer["reasons"] for answer in answers]
    common = [
        reason
        for reason in own[0]
        if "pots" not in reason and all(reason in others for others in own[1:])
    ]
    before = {card for row in hand.board for card in row}
    boards = [
        format_cards([card for row in run.board for card in row if card not in before])
        for run in hand.runs
    ]
    runs: Reason = {"code": "runs", "number": len(hand.runs)}
    reasons = [*common, runs | {"boards": boards} if all(boards) else runs]
    for number, (run_reasons, pots) in enumerate(zip(own, places, strict=True), start=1):
        for reason in run_reasons:
            if reason not in common:
                moved = {"pots": [pots[at] for at in reason["pots"]]} if "pots" in reason else {}
                reasons.append({**reason, **moved, "run": number})
    return reasons

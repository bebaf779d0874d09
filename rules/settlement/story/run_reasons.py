"""The reasons for the settlement of a deal that was run several times."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.cards import format_cards
from rules.game.hand import Hand
from rules.settlement.story.facts import Reason


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

"""What somebody wins with, whom that beats, and by which card."""

from collections.abc import Mapping
from typing import Any

from rules.settlement.story.hand_words import hand_words, same_name, whose_hand
from rules.settlement.story.pot_words import share_word
from rules.settlement.story.wording import RANK_WORDS, the_card

Reason = Mapping[str, Any]


def with_hand(reason: Reason) -> str:
    return f" with {hand_words(reason['hand'])}" if "hand" in reason else ""


def ahead(reason: Reason) -> str:
    """Whom the winner beat and by which card, or why there was nobody to beat."""
    if "ahead_of" not in reason:
        return _only(reason)
    rival = reason["ahead_of"]
    said = f", ahead of {whose_hand(rival)}"
    if "decided_by" not in reason or not _later_card_decides(reason):
        return said
    by, over = (_decider(reason["decided_by"][side]) for side in ("by", "over"))
    return f"{said}: {by} beats {over}"


def _later_card_decides(reason: Reason) -> bool:
    """Whether the names of two hands leave open which is better."""
    made = reason["hand"]
    if "deciding" in made:
        first = made["deciding"][0]
        return bool(reason["decided_by"]["by"] != made.get("plays_as", {}).get(first, first))
    return same_name(made, reason["ahead_of"]["hand"])


def _decider(card: str | None) -> str:
    if card is None:
        return "no card"
    return f"the {RANK_WORDS[card]}" if len(card) == 1 else the_card(card)


def _only(reason: Reason) -> str:
    match reason.get("only"):
        case "qualified":
            word = share_word(reason["share"]) if "share" in reason else "hand"
            return f", the only {word} that qualified"
        case "declared":
            return f", the only one left who declared {share_word(reason['share'])}"
        case "not-over":
            return ", the only one who is not over"
    return ""

"""What somebody wins with, whom that beats, and by which card; why nobody wins."""

from collections.abc import Mapping
from typing import Any

from rules.settlement.story.hand_words import hand_name, hand_words, same_name, whose_hand
from rules.settlement.story.pot_words import share_word
from rules.settlement.story.wording import RANK_WORDS, listed, points_words, the_card

Reason = Mapping[str, Any]
Facts = Mapping[str, Any]
SINGLE_SCALES = ("highest", "lowest")
SUIT_WORDS = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"} | {
    group: f"{group} card" for group in ("red", "black", "face")
}
BEST = {
    **dict.fromkeys(("best", "worst", "ace-to-six"), "best low"),
    "most points": "most points",
    "least points": "fewest points",
}


def with_hand(reason: Reason) -> str:
    if "hand" not in reason:
        return ""
    also = [hand_words(made) for made in reason.get("also", ())]
    return f" with {listed([hand_words(reason['hand']), *also])}"


def ahead(reason: Reason) -> str:
    """Whom the winner beat and by which card, or why there was nobody to beat."""
    table = f"the {hand_name(reason['table'])} on the table" if "table" in reason else ""
    if "ahead_of" not in reason:
        return (f", ahead of {table}" if table else _only(reason)) + _busts(reason)
    rival = reason["ahead_of"]
    made, beaten = reason["hand"], rival["hand"]
    said = f", ahead of {_rival(made, rival)}" + (f" and {table}" if table else "")
    if "number" in made and beaten and "points" in beaten:
        return said + _nearer(made, beaten)
    if "decided_by" not in reason or not _later_card_decides(reason):
        return said + _busts(reason)
    by, over = (_decider(reason["decided_by"][side]) for side in ("by", "over"))
    return f"{said}: {by} beats {over}"


def _rival(made: Facts, rival: Facts) -> str:
    """Whose hand was beaten; a single card that a hand of several beats is that card high."""
    theirs = rival["hand"]
    single = theirs and theirs["scale"] in SINGLE_SCALES and theirs["deciding"]
    if "category" in made and single:
        first = theirs["deciding"][0]
        card = theirs.get("plays_as", {}).get(first, first)
        if card[0] in RANK_WORDS:
            return f"{rival['player']}'s {RANK_WORDS[card[0]]} high"
    return whose_hand(rival)


def _nearer(made: Facts, beaten: Facts) -> str:
    """How far both are from the number; of two as near the one below wins."""
    number = made["number"]
    ours, theirs = abs(made["points"] - number), abs(beaten["points"] - number)
    if ours == theirs:
        return f": as near, and below {number}"
    return f": {points_words(_whole(ours))} from {number} against {_whole(theirs):,}"


def _whole(points: float) -> float:
    return int(points) if points == int(points) else points


def _busts(reason: Reason) -> str:
    """Who counts too much, and how much."""
    if "over" not in reason:
        return ""
    over = [(name, f"{points:,}") for name, points in reason["over"].items()]
    if reason.get("only") == "not-over":
        return f" {reason['number']}: {listed([f'{name} has {points}' for name, points in over])}"
    (first, points), *others = over
    said = [f"{first} is over {reason['number']} with {points}"]
    return f"; {listed([*said, *(f'{name} with {points}' for name, points in others)])}"


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
            if reason["hand"]["scale"] == "holds":
                return ", which beats everything"
            word = share_word(reason["share"]) if "share" in reason else "hand"
            return f", the only {word} that qualified"
        case "declared":
            return f", the only one left who declared {share_word(reason['share'])}"
        case "not-over":
            return ", the only one who is not over"
    return ""


def not_won(reason: Reason) -> str:
    """Why nobody wins a share, and what comes of it next: the hand on the table is not beaten, or
    no player has all the hands that one must have; nothing where no more is known."""
    if "table" in reason:
        return f"beats the {hand_name(reason['table'])} on the table"
    if "best" not in reason:
        return ""
    both = "has both" if reason["together"] == 2 else "has all of them"
    verbs = [""] * len(reason["best"])
    verbs[0] = "has "
    best = [
        f"{listed(each['players'])} {'tie for ' if len(each['players']) > 1 else verb}{_best(each)}"
        for verb, each in zip(verbs, reason["best"], strict=True)
    ]
    return f"{both}: {', '.join(best)}"


def _best(best: Reason) -> str:
    """`the best hand (a pair of aces)`, `the highest spade (the king of spades)`."""
    made, scale = best["hand"], best["hand"]["scale"]
    card = SUIT_WORDS.get(best.get("named", ""), "card")
    what = f"{scale} {card}" if scale in SINGLE_SCALES else BEST.get(scale, "best hand")
    return f"the {what} ({hand_words(made)})"

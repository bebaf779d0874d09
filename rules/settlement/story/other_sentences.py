"""Sentences on what is beside the pots: deals of a match, dues, the bank, the table's word."""

from collections.abc import Callable, Mapping
from typing import Any

from rules.settlement.story.pot_words import share_word
from rules.settlement.story.win_words import ahead, with_hand
from rules.settlement.story.wording import chips, listed

Reason = Mapping[str, Any]


def _stayed_alone(reason: Reason) -> str:
    return f"{reason['player']} is the only one who stayed in."


def _best_hand(reason: Reason) -> str:
    has = "has" if len(reason["players"]) == 1 else "tie for"
    best = f"the best {share_word(reason['share'])}" if "share" in reason else "the best hand"
    return f"{listed(reason['players'])} {has} {best}{with_hand(reason)}{ahead(reason)}."


def _earns_leg(reason: Reason) -> str:
    return f"{reason['player']} earns a leg and has {reason['legs']} of {reason['needed_legs']}."


def _loses_life(reason: Reason) -> str:
    lives = reason["lives"]
    left = f"has {lives} left" if lives else "is out of the match"
    return f"{reason['player']} loses a life and {left}."


def _matches_pot(reason: Reason) -> str:
    amount = chips(reason["amount"])
    return f"{_who_lost(reason)}, and puts in {amount} for the next hand."


def _pays(reason: Reason) -> str:
    winners = listed(list(reason["winners"]))
    return f"{_who_lost(reason)}, and pays {winners} {chips(reason['amount'])}."


def _who_lost(reason: Reason) -> str:
    little = reason.get("why") == "under-half"
    lost = "won less than half of the pot" if little else "stayed in and lost"
    return f"{reason['player']} {lost}"


def _puts_and_takes(reason: Reason) -> str:
    told = [f"{verb}s in" if verb == "put" else f"{verb}s" for verb in ("put", "take")]
    moved = [f"{verb} {reason[key]:,}" for verb, key in zip(told, ("put", "take"), strict=True)]
    said = [text for text, key in zip(moved, ("put", "take"), strict=True) if reason[key]]
    return f"{reason['player']} {' and '.join(said)}."


def _bank_pays(reason: Reason) -> str:
    held, take = chips(reason["held"]), f"{reason['take']:,}"
    was = "was" if reason["take"] == 1 else "were"
    player, short = reason["player"], f"{reason['amount']:,}"
    return f"The pot held {held} and {take} {was} taken: {player} pays in {short}."


def _left_in_pot(reason: Reason) -> str:
    is_left = "is left over and stays" if reason["amount"] == 1 else "are left over and stay"
    return f"{chips(reason['amount'])} {is_left} in the pot."


def _left_to_bank(reason: Reason) -> str:
    is_left = "is left over and goes" if reason["amount"] == 1 else "are left over and go"
    return f"{chips(reason['amount'])} {is_left} to {reason['player']}, the bank."


def _nothing_matched(_reason: Reason) -> str:
    return "No card matched, so no chips moved."


def _table_says(reason: Reason) -> str:
    winners = [f"{name} {won:,}" for name, won in reason["winners"].items()]
    told = listed(winners) or "nobody won anything"
    return f"The table says: {told}. No cards were recorded, so it was not checked."


OTHER_SENTENCES: dict[str, Callable[[Reason], str]] = {
    "stayed-alone": _stayed_alone,
    "best-hand": _best_hand,
    "earns-leg": _earns_leg,
    "loses-life": _loses_life,
    "matches-pot": _matches_pot,
    "pays": _pays,
    "puts-and-takes": _puts_and_takes,
    "bank-pays": _bank_pays,
    "left-in-pot": _left_in_pot,
    "left-to-bank": _left_to_bank,
    "nothing-matched": _nothing_matched,
    "table-says": _table_says,
}

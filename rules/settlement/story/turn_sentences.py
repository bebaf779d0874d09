"""Sentences on bets against the pot."""

from collections.abc import Callable, Mapping
from typing import Any

from rules.cards import CARDS
from rules.settlement.story.wording import chips, listed, sign

Reason = Mapping[str, Any]


def _puts_in_pot(reason: Reason) -> str:
    players = reason["players"]
    puts, each = ("puts", "") if len(players) == 1 else ("put", " each")
    return f"{listed(players)} {puts} {chips(reason['amount'])}{each} into the pot."


def _beats_pot(reason: Reason) -> str:
    player = reason["player"]
    takes = f"{player} takes {chips(reason['amount'])} from the pot"
    return f"{_won(reason)}: {takes}{_pot_left(reason)}."


def _won(reason: Reason) -> str:
    name, card = reason["player"], sign(reason["card"])
    if "posts" not in reason:
        return f"{name}'s {sign(reason['shown'])} is higher than the {card} turned up"
    if "called" in reason:
        return f"{name}'s {card} is {_called(reason)} than the pair {_posts(reason)}, as called"
    return f"{name}'s {card} lies between {_posts(reason)}{_low_ace(reason)}"


def _loses_to_pot(reason: Reason) -> str:
    pays = f"{reason['player']} puts {chips(reason['amount'])} into the pot"
    return f"{_lost(reason)}: {pays}{_pot_left(reason)}."


def _lost(reason: Reason) -> str:
    name, card = reason["player"], sign(reason["card"])
    if "posts" not in reason:
        return f"{name} has nothing higher than the {card} turned up, of its suit"
    met = sum(_rank(post) == _rank(reason["card"]) for post in reason["posts"])
    if met:
        which = "one of the posts" if met == 1 else "both posts"
        return f"{name}'s {card} meets {which}, {_posts(reason)}"
    if "called" in reason:
        return f"{name}'s {card} is not {_called(reason)} than the pair {_posts(reason)}"
    return f"{name}'s {card} does not lie between {_posts(reason)}{_low_ace(reason)}"


def _called(reason: Reason) -> str:
    return {"high": "higher", "low": "lower"}[reason["called"]]


def _low_ace(reason: Reason) -> str:
    return ", the ace called low" if "ace" in reason else ""


def _posts(reason: Reason) -> str:
    return listed([sign(post) for post in reason["posts"]])


def _rank(card: str) -> int:
    return CARDS[card] // 4


def _pot_left(reason: Reason) -> str:
    left = reason["pot_left"]
    return f", which holds {left:,}" if left else " and empties it"


def _no_bets(reason: Reason) -> str:
    returned = reason["returned"]
    if not returned:
        return "Nobody put in anything."
    amounts = {*returned.values()}
    go = "goes" if amounts == {1} else "go"
    each = " each" if len(returned) > 1 else ""
    if len(amounts) == 1:
        back = f"{chips(amounts.pop())} {go} back to {listed([*returned])}{each}"
    else:
        back = f"all go back, {listed([f'{n:,} to {name}' for name, n in returned.items()])}"
    return f"The pot is empty: nothing can be bet, {back}."


TURN_SENTENCES: dict[str, Callable[[Reason], str]] = {
    "puts-in-pot": _puts_in_pot,
    "beats-pot": _beats_pot,
    "loses-to-pot": _loses_to_pot,
    "no-bets": _no_bets,
}

"""The actions of Open Hand History, as its files tell them."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from rules.cards import CARDS, UNSEEN
from rules.errors import Problem
from rules.formats.amounts import to_units

Fields = Mapping[str, Any]
POSTS = {
    "Post Ante": "ante",
    "Post SB": "blind",
    "Post BB": "blind",
    "Straddle": "straddle",
    "Post Dead": "dead",
    "Post Extra Blind": "post",
}
PLAYS = {"Fold": "f", "Check": "cc", "Call": "cc", "Mucks Cards": "sm"}
BETS = frozenset(("Bet", "Raise"))
BESIDE = frozenset(("Added Chips", "Sits Down", "Stands Up"))  # no part of the hand


@dataclass(frozen=True, slots=True)
class Act:
    """One action of the file: the seat in the record, what it is, chips and cards."""

    seat: int
    what: str
    amount: int
    cards: tuple[int, ...]
    where: str


def id_of(action: Fields) -> Any:
    """Who acts; what can be no player's is nobody's."""
    told = action.get("player_id")
    return told if isinstance(told, int | Decimal) else None


def cards_of(raw: object) -> list[int]:
    """Cards of a list; what is none is one that nobody saw."""
    listed = raw if isinstance(raw, list) else []
    return [CARDS.get(card, UNSEEN) if isinstance(card, str) else UNSEEN for card in listed]


def acts_of(
    fields: Fields, seats: Mapping[Any, int], places: int
) -> tuple[list[list[Act]], list[Problem]]:
    """The actions of every round; what can't be read is told with its place."""
    problems: list[Problem] = []
    rounds = []
    for number, round_ in enumerate(fields["rounds"]):
        acts = []
        for at, action in enumerate(round_.get("actions", ())):
            where = f"rounds/{number}/actions/{at}"
            found = _act(action, seats, places, where)
            if isinstance(found, Act):
                acts.append(found)
            elif found is not None:
                problems.append(found)
        rounds.append(acts)
    return rounds, problems


KNOWN = frozenset((*POSTS, *PLAYS, *BETS, "Dealt Cards", "Shows Cards", "Add to Pot"))


def _act(action: Fields, seats: Mapping[Any, int], places: int, where: str) -> Act | Problem | None:
    what = action["action"]
    if what in BESIDE:
        return None
    if what not in KNOWN:
        return Problem(where, "not-an-action", f"no action is called {what[:40]!r}")
    seat = seats.get(id_of(action), -1)
    if seat < 0 and what != "Add to Pot":
        return Problem(where, "unknown-player", "no such player")
    amount = to_units(action.get("amount") or 0, places)
    cards = tuple(cards_of(action.get("cards")))
    if amount is None or amount < 0:
        return Problem(where, "bad-chips", "chips are needed here")
    return Act(seat, what, amount, cards, where)


def tells_raise_to(fields: Fields, rounds: list[list[Act]], places: int) -> bool:
    """Files differ in what a raise's amount is: the chips put in, as the specification says, or
    what it comes to. The pots tell which."""
    pots = fields.get("pots")
    listed = pots if isinstance(pots, list) else []
    amounts = [to_units(pot.get("amount", 0), places) for pot in listed if isinstance(pot, Mapping)]
    whole = sum(amount for amount in amounts if amount)
    return whole in _sums(rounds, raise_to=True) and whole not in _sums(rounds, raise_to=False)


def _sums(rounds: list[list[Act]], *, raise_to: bool) -> tuple[int, int]:
    """What the pots come to, with uncalled chips and without."""
    paid: dict[int, int] = {}
    for acts in rounds:
        front: dict[int, int] = {}
        for act in acts:
            if act.what in {"Dealt Cards", "Shows Cards", "Mucks Cards", "Fold", "Check"}:
                continue
            dead = act.what in {"Post Ante", "Post Dead"}
            before = 0 if dead else front.get(act.seat, 0)
            added = act.amount - before if act.what == "Raise" and raise_to else act.amount
            paid[act.seat] = paid.get(act.seat, 0) + added
            if not dead:
                front[act.seat] = before + added
    stakes = sorted(paid.values(), reverse=True)
    uncalled = stakes[0] - stakes[1] if len(stakes) > 1 else 0
    return sum(stakes), sum(stakes) - uncalled

"""The state of a match between two deals: pure, from records and their answers.

A hand's answer contains the state before and after its deal. Players who sat a deal out keep
theirs.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

Record = Mapping[str, Any]
Answer = Mapping[str, Any]
Counts = Mapping[str, int]
KINDS = {"legs": ("earned", 1), "lives": ("lost", -1)}  # what moves a count, and by how much


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """A hand as a deal of a match; one that does not stand says at most how the match began."""

    hand_id: UUID
    number: int
    stands: bool
    record: Record
    answer: Answer

    @property
    def match_id(self) -> str | None:
        return match_id(self.hand_id, self.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The state before the next deal: its number, counts by name, the pot that carries over."""

    deal: int
    legs: Counts = field(default_factory=dict)
    lives: Counts = field(default_factory=dict)
    pots: tuple[Record, ...] = ()
    over: bool = False

    @property
    def chips(self) -> int:
        return sum(pot["amount"] for pot in self.pots)

    def counts(self, kind: str) -> Counts:
        return self.legs if kind == "legs" else self.lives


def match_id(hand_id: UUID, answer: Answer) -> str | None:
    """Return which match a hand is a deal of: the one it names, else its own; None without."""
    told = answer.get("match")
    return None if told is None else str(told["id"] or hand_id)


def stand(dealt: Iterable[Dealt]) -> State | None:
    """Return where a match stands after these deals of it, in order; None before any."""
    state = None
    for each in dealt:
        state = after(state, each)
    return state


def after(state: State | None, dealt: Dealt) -> State:
    """Return where the match stands after one more deal; it begins as its first deal found it."""
    state = state or _found(dealt)
    if not dealt.stands:
        return state
    told = dealt.answer["match"]
    return State(
        deal=told["deal"] + 1,
        legs={**state.legs, **told.get("legs", {})},
        lives={**state.lives, **told.get("lives", {})},
        pots=tuple(dealt.answer["carries"]),
        over=told["over"],
    )


def _found(dealt: Dealt) -> State:
    told, carried = dealt.answer["match"], dealt.record.get("carried") or 0
    return State(
        deal=told["deal"],
        legs=found_counts(dealt.answer, "legs"),
        lives=found_counts(dealt.answer, "lives"),
        pots=tuple(carried) if isinstance(carried, list) else _one_pot(carried),
    )


def _one_pot(chips: int) -> tuple[Record, ...]:
    return ({"amount": chips},) if chips else ()


def found_counts(answer: Answer, kind: str) -> dict[str, int]:
    """Return the legs or lives that a deal found: what it left, less what it moved."""
    moved, by = KINDS[kind]
    told = answer["match"]
    names = told.get(moved, ())
    return {name: n - by * (name in names) for name, n in told.get(kind, {}).items()}


def carried_by(state: State, names: Iterable[str]) -> object:
    """Return the pot that stays as the record of a deal among these players says it."""
    here = list(names)
    pots = [(pot["amount"], [n for n in here if n in pot.get("for", here)]) for pot in state.pots]
    if all(may_win == here for _, may_win in pots):
        return state.chips
    return [{"amount": chips, "for": may_win} for chips, may_win in pots]


def taken_over(state: State, deal: Dealt, match: str) -> dict[str, Any]:
    """Return the deal's record with what the match left to it; who is new keeps what they had."""
    names = [player["name"] for player in deal.record["players"]]
    found: dict[str, Any] = {"id": match, "deal": state.deal}
    for kind in KINDS:
        if kind in deal.answer["match"]:
            own, left = found_counts(deal.answer, kind), state.counts(kind)
            found[kind] = {name: left.get(name, own[name]) for name in names}
    record = {**deal.record, "match": found, "carried": carried_by(state, names)}
    return record if record["carried"] else {k: v for k, v in record.items() if k != "carried"}


def differences(state: State, record: Record, answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield what a deal says it found and what the match had left to it, where both differ."""
    if (deal := answer["match"]["deal"]) != state.deal:
        yield f"deal {deal}", f"deal {state.deal}"
    for kind in KINDS:
        left = state.counts(kind)
        for name, found in found_counts(answer, kind).items():
            if found != left.get(name, found):
                yield _counted(name, found, kind), _counted(name, left[name], kind)
    carried = record.get("carried") or 0
    chips = sum(pot["amount"] for pot in carried) if isinstance(carried, list) else carried
    if chips != state.chips:
        yield f"{chips:,} carried", f"{state.chips:,} carried"


def _counted(name: str, number: int, kind: str) -> str:
    one = {"legs": "leg", "lives": "life"}[kind]
    return f"{name} with {number} {one if number == 1 else kind}"

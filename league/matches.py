"""Matches, which are games that last several deals, computed from a night's hands.

See docs/record.md.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from league.models import Night, Revision

Record = Mapping[str, Any]
Answer = Mapping[str, Any]
Counts = Mapping[str, int]
KINDS = {"legs": ("earned", 1), "lives": ("lost", -1)}  # the key of a change, and its sign


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchDeal:
    """A hand as a deal of a match.

    `stands` is false for a voided hand. Such a deal changes nothing, but the first deal of a match
    still defines its initial state.
    """

    hand_id: UUID
    number: int
    stands: bool
    record: Record
    answer: Answer

    @property
    def match_id(self) -> str | None:
        return match_id(self.hand_id, self.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """The state of a match before the next deal.

    `deal` is the number of the next deal. `legs` and `lives` are by player name. `pots` are the
    pots that carry over.
    """

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
    """Return the id of the match that the hand belongs to, or None if it belongs to none.

    The id of a match is the id of its first hand.
    """
    match = answer.get("match")
    return None if match is None else str(match["id"] or hand_id)


def stand(dealt: Iterable[MatchDeal]) -> MatchState | None:
    """Return the state of the match after these deals in order, or None if there are no deals."""
    state = None
    for each in dealt:
        state = after(state, each)
    return state


def after(state: MatchState | None, dealt: MatchDeal) -> MatchState:
    """Return the state of the match after another deal.

    If `state` is None, the match starts with the state that the deal's record contains.
    """
    state = state or _state_before(dealt)
    if not dealt.stands:
        return state
    match = dealt.answer["match"]
    return MatchState(
        deal=match["deal"] + 1,
        legs={**state.legs, **match.get("legs", {})},
        lives={**state.lives, **match.get("lives", {})},
        pots=tuple(dealt.answer["carries"]),
        over=match["over"],
    )


def _state_before(dealt: MatchDeal) -> MatchState:
    match, carried = dealt.answer["match"], dealt.record.get("carried") or []
    if not isinstance(carried, list):
        carried = [{"amount": carried}]
    return MatchState(
        deal=match["deal"],
        legs=found_counts(dealt.answer, "legs"),
        lives=found_counts(dealt.answer, "lives"),
        pots=tuple(carried),
    )


def found_counts(answer: Answer, kind: str) -> dict[str, int]:
    """Return the legs or lives before a deal: those after the deal, minus the deal's changes."""
    moved, by = KINDS[kind]
    match = answer["match"]
    names = match.get(moved, ())
    return {name: n - by * (name in names) for name, n in match.get(kind, {}).items()}


def carried_by(state: MatchState, names: Iterable[str]) -> object:
    """Return the pots that carry over, as `carried` in the record of a deal with these players."""
    here = list(names)
    pots = [(pot["amount"], [n for n in here if n in pot.get("for", here)]) for pot in state.pots]
    if all(may_win == here for _, may_win in pots):
        return state.chips
    return [{"amount": chips, "for": may_win} for chips, may_win in pots]


def taken_over(state: MatchState, deal: MatchDeal, match: str) -> dict[str, Any]:
    """Return the deal's record with the match state before it.

    A player who is new to the match keeps the legs or lives in the deal's own record.
    """
    names = [player["name"] for player in deal.record["players"]]
    taken: dict[str, Any] = {"id": match, "deal": state.deal}
    for kind in KINDS:
        if kind in deal.answer["match"]:
            own, left = found_counts(deal.answer, kind), state.counts(kind)
            taken[kind] = {name: left.get(name, own[name]) for name in names}
    record = {**deal.record, "match": taken, "carried": carried_by(state, names)}
    return record if record["carried"] else {k: v for k, v in record.items() if k != "carried"}


def differences(state: MatchState, record: Record, answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield (recorded, expected) texts where the deal's record differs from the match state."""
    if (deal := answer["match"]["deal"]) != state.deal:
        yield f"deal {deal}", f"deal {state.deal}"
    for kind in KINDS:
        left = state.counts(kind)
        for name, count in found_counts(answer, kind).items():
            if count != left.get(name, count):
                yield _counted(name, count, kind), _counted(name, left[name], kind)
    carried = record.get("carried") or 0
    chips = sum(pot["amount"] for pot in carried) if isinstance(carried, list) else carried
    if chips != state.chips:
        yield f"{chips:,} carried", f"{state.chips:,} carried"


def _counted(name: str, number: int, kind: str) -> str:
    one = {"legs": "leg", "lives": "life"}[kind]
    return f"{name} with {number} {one if number == 1 else kind}"


# Find the deals of matches among a night's hands.


def as_match_deal(revision: Revision, *, stands: bool | None = None) -> MatchDeal:
    """Return the revision as a deal. By default it stands unless its hand is voided."""
    return MatchDeal(
        hand_id=revision.hand_id,
        number=revision.hand.number,
        stands=not revision.hand.voided if stands is None else stands,
        record=revision.record,
        answer=revision.answer,
    )


def deals(night: Night, matches: Collection[str]) -> QuerySet[Revision]:
    """Return the current revisions of these matches' hands, in order, including voided hands."""
    first_hands = [hand for match in matches if (hand := _id(match))]
    of_them = Q(record__match__id__in=list(matches)) | Q(hand__in=first_hands)
    rows = Revision.objects.filter(of_them, hand__night=night, current=True)
    return rows.select_related("hand").order_by("hand__number")


def states(
    night: Night, matches: Collection[str], *, before: int | None = None
) -> dict[str, MatchState]:
    """Return the current states of these matches, or those before the hand number `before`.

    Matches without hands in the night are left out. If `matches` is empty, there is no query.
    """
    if not matches:
        return {}
    rows = [as_match_deal(row) for row in deals(night, matches)]
    by_match = {
        match: stand(
            row for row in rows if row.match_id == match and (before is None or row.number < before)
        )
        for match in matches
    }
    return {match: state for match, state in by_match.items() if state}


def named(records: Iterable[object]) -> set[str]:
    """Return the ids of the matches that these records reference."""
    found = (record.get("match") for record in records if isinstance(record, dict))
    return {match["id"] for match in found if isinstance(match, dict) and match.get("id")}


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStatus:
    """A match after its last deal that is not voided.

    Players who sat out a deal keep their legs and lives. `next` contains the data for the record of
    the next deal. It is empty when the match is over.
    """

    hand: UUID
    match: str
    variant: Any
    modifiers: list[str]
    deal: int
    state: MatchState
    dealer: str
    next: Mapping[str, Any]
    winners: list[str]

    @property
    def legs(self) -> Counts:
        return self.state.legs

    @property
    def lives(self) -> Counts:
        return self.state.lives

    @property
    def carried(self) -> int:
        return self.state.chips

    @property
    def over(self) -> bool:
        return not self.next

    @property
    def out(self) -> frozenset[str]:
        """The players without lives."""
        return frozenset(name for name, lives in self.lives.items() if not lives)

    def found_by(self, names: Iterable[str]) -> dict[str, Any]:
        """Return `match` and `carried` for the record of the next deal with these players."""
        here, match = list(names), dict(self.next["match"])
        for kind in KINDS:
            if kind in match:
                counts = self.state.counts(kind)
                match[kind] = {name: counts[name] for name in here if name in counts}
        return {"match": match, "carried": carried_by(self.state, here)}


def match_status(revisions: Iterable[Revision]) -> MatchStatus | None:
    """Return the match that the last of these hands belongs to, even if the match is over.

    Voided hands are ignored.
    """
    rows = list(revisions)
    stands = [row for row in rows if not row.hand.voided]
    if not stands or "match" not in stands[-1].answer:
        return None
    last = stands[-1]
    match = as_match_deal(last).match_id
    chain = [deal for row in rows if (deal := as_match_deal(row)).match_id == match]
    return _status(last, str(match), chain)


def _status(last: Revision, match: str, chain: Iterable[MatchDeal]) -> MatchStatus | None:
    state, result = stand(chain), last.answer["match"]
    if state is None:
        return None
    following = dict(result.get("next", {}))
    if following:
        following["match"] = {"id": match} | following["match"]
    return MatchStatus(
        hand=last.hand_id,
        match=match,
        variant=last.record["variant"],
        modifiers=list(last.record.get("modifiers", ())),
        deal=result["deal"],
        state=state,
        dealer=str(last.record["players"][following["button"]]["name"]) if following else "",
        next=following,
        winners=result["winners"],
    )

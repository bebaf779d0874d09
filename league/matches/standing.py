"""A match: its deals among a night's hands, and its state after the last of them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from league.matches.states import KINDS, Counts, Dealt, State, carried_by, stand
from league.models import Night, Revision

# The deals of matches among the hands of a night.


def as_dealt(revision: Revision, *, stands: bool | None = None) -> Dealt:
    """Return the revision's hand as a deal. By default, the hand decides whether it is void."""
    return Dealt(
        hand_id=revision.hand_id,
        number=revision.hand.number,
        stands=not revision.hand.voided if stands is None else stands,
        record=revision.record,
        answer=revision.answer,
    )


def deals(night: Night, matches: Collection[str]) -> QuerySet[Revision]:
    """Return the hands of these matches as they are now, first hand first, voided included."""
    of_them = Q(record__match__id__in=list(matches)) | Q(hand__in=_ids(matches))
    rows = Revision.objects.filter(of_them, hand__night=night, current=True)
    return rows.select_related("hand").order_by("hand__number")


def states(
    night: Night, matches: Collection[str], *, before: int | None = None
) -> dict[str, State]:
    """Return the states of these matches, before the hand with this number if given.

    Matches without a hand in the night are left out. Without matches there is no query.
    """
    if not matches:
        return {}
    rows = [as_dealt(row) for row in deals(night, matches)]
    found = {
        match: stand(
            row for row in rows if row.match_id == match and (before is None or row.number < before)
        )
        for match in matches
    }
    return {match: state for match, state in found.items() if state}


def named(records: Iterable[object]) -> set[str]:
    """Return the matches that these records reference."""
    found = (record.get("match") for record in records if isinstance(record, dict))
    return {match["id"] for match in found if isinstance(match, dict) and match.get("id")}


def _ids(matches: Collection[str]) -> list[UUID]:
    return [found for each in matches if (found := _id(each))]


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A match after its last valid deal: counts by name, and the next deal's record.

    Players who sat a deal out keep their counts. `next` is empty when the match is over.
    """

    hand: UUID
    match: str
    variant: Any
    modifiers: list[str]
    deal: int
    state: State
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
        """Return `match` and `carried` of a next deal among these players."""
        here, match = list(names), dict(self.next["match"])
        for kind in KINDS:
            if kind in match:
                counts = self.state.counts(kind)
                match[kind] = {name: counts[name] for name in here if name in counts}
        return {"match": match, "carried": carried_by(self.state, here)}


def standing(revisions: Iterable[Revision]) -> Standing | None:
    """Return the match that the last of these hands is a deal of, over or not; voided ones pass."""
    rows = list(revisions)
    stands = [row for row in rows if not row.hand.voided]
    if not stands or "match" not in stands[-1].answer:
        return None
    last = stands[-1]
    match = as_dealt(last).match_id
    chain = [deal for row in rows if (deal := as_dealt(row)).match_id == match]
    return _standing(last, str(match), chain)


def _standing(last: Revision, match: str, chain: Iterable[Dealt]) -> Standing | None:
    state, told = stand(chain), last.answer["match"]
    if state is None:
        return None
    following = dict(told.get("next", {}))
    if following:
        following["match"] = {"id": match} | following["match"]
    return Standing(
        hand=last.hand_id,
        match=match,
        variant=last.record["variant"],
        modifiers=list(last.record.get("modifiers", ())),
        deal=told["deal"],
        state=state,
        dealer=_dealer(last, following),
        next=following,
        winners=told["winners"],
    )


def _dealer(last: Revision, following: Mapping[str, Any]) -> str:
    return str(last.record["players"][following["button"]]["name"]) if following else ""

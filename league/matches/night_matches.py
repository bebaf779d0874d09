"""A night's matches: their deals in the database, their states, and the running match."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from league.matches.match_state import (
    KINDS,
    Counts,
    MatchDeal,
    MatchState,
    carried_pots,
    replay_deals,
)
from league.models import Night, Revision


def as_match_deal(revision: Revision, *, valid: bool | None = None) -> MatchDeal:
    """Return the revision as a deal. By default, the deal is valid unless its hand is voided."""
    return MatchDeal(
        hand_id=revision.hand_id,
        number=revision.hand.number,
        valid=not revision.hand.voided if valid is None else valid,
        record=revision.record,
        answer=revision.answer,
    )


def match_deals(night: Night, matches: Collection[str]) -> QuerySet[Revision]:
    """Return the current revisions of these matches' hands, in order, even voided ones."""
    first_hands = []
    for match in matches:
        with suppress(ValueError):
            first_hands.append(UUID(match))
    of_them = Q(record__match__id__in=list(matches)) | Q(hand__in=first_hands)
    rows = Revision.objects.filter(of_them, hand__night=night, current=True)
    return rows.select_related("hand").order_by("hand__number")


def match_states(
    night: Night, matches: Collection[str], *, before: int | None = None
) -> dict[str, MatchState]:
    """Return these matches' current states, or their states before the hand number `before`.

    Matches without hands in the night are left out. Runs no query if `matches` is empty.
    """
    if not matches:
        return {}
    rows = [as_match_deal(row) for row in match_deals(night, matches)]
    by_match = {
        match: replay_deals(
            row for row in rows if row.match_id == match and (before is None or row.number < before)
        )
        for match in matches
    }
    return {match: state for match, state in by_match.items() if state}


def referenced_matches(records: Iterable[object]) -> set[str]:
    """Return the ids of the matches that these records reference."""
    references = (record.get("match") for record in records if isinstance(record, dict))
    return {match["id"] for match in references if isinstance(match, dict) and match.get("id")}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStatus:
    """The state of a match after its last deal that was not voided.

    Players who sat out a deal keep their legs and lives. `next` contains the data for the next
    deal's record. It is empty when the match is over.
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

    def next_deal_fields(self, names: Iterable[str]) -> dict[str, Any]:
        """Return `match` and `carried` for the record of the next deal with these players."""
        here, match = list(names), dict(self.next["match"])
        for kind in KINDS:
            if kind in match:
                counts = self.state.counts(kind)
                match[kind] = {name: counts[name] for name in here if name in counts}
        return {"match": match, "carried": carried_pots(self.state, here)}


def match_status(revisions: Iterable[Revision]) -> MatchStatus | None:
    """Return the match that the last of these hands belongs to, even if the match is over.

    Voided hands are ignored.
    """
    rows = list(revisions)
    valid_rows = [row for row in rows if not row.hand.voided]
    if not valid_rows or "match" not in valid_rows[-1].answer:
        return None
    last = valid_rows[-1]
    match = as_match_deal(last).match_id
    deals = [deal for row in rows if (deal := as_match_deal(row)).match_id == match]
    state, result = replay_deals(deals), last.answer["match"]
    if state is None:
        return None
    following = dict(result.get("next", {}))
    if following:
        following["match"] = {"id": str(match)} | following["match"]
    return MatchStatus(
        hand=last.hand_id,
        match=str(match),
        variant=last.record["variant"],
        modifiers=list(last.record.get("modifiers", ())),
        deal=result["deal"],
        state=state,
        dealer=str(last.record["players"][following["button"]]["name"]) if following else "",
        next=following,
        winners=result["winners"],
    )

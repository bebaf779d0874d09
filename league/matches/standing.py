"""A match as the last deal of it leaves it: who has what, and what the next deal finds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from league.matches.deals import as_dealt
from league.matches.states import KINDS, Counts, Dealt, State, carried_by, stand
from league.models import Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A match after the last deal that stands of it: counts by name, and the next deal's record.

    Who sat a deal out has what they had. `next` is empty when the match is over.
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
        """Who has no life left."""
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

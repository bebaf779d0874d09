"""The match that a night is in the middle of: its last hand is a deal of it, and it is not over."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from league.matches.deals import as_dealt, deals
from league.matches.states import KINDS, Counts, Dealt, State, carried_by, stand
from league.models import Night, Revision, Seat
from league.nights import nights


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


def running(night: Night) -> Standing | None:
    """Return the match that an open night is in the middle of; two queries at most."""
    if night.state != Night.State.OPEN:
        return None
    last = nights.last_hand(night)
    match = as_dealt(last).match_id if last else None
    if last is None or match is None or last.answer["match"]["over"]:
        return None
    return standing(deals(night, [match]))


def next_dealer(night: Night, match: Standing | None) -> Seat | None:
    """Return the seat of who deals next: as the match has it, else in turn; None at no table."""
    return dealer_after(nights.last_hand(night), nights.seats(night), match)


def dealer_after(
    last: Revision | None, seats: Sequence[Seat], match: Standing | None
) -> Seat | None:
    """Return the seat of who deals after the hand, of all seats of the night; None at no table."""
    named = match.dealer if match else ""
    taken = (each for each in seats if each.left_at is None and each.player.name == named)
    return next(taken, None) or nights.dealer_in_turn(last, seats)


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

"""Many hands of one night recorded at once: what `recording` does, in a few statements.

For demonstrations and for whoever brings a whole season. The hands are new and in the order in
which they were dealt; nobody is told of them one by one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db import transaction

from league.chips import Moved, moved
from league.depths import depth_of
from league.documents import keep_document
from league.findings import Before, before_next, findings
from league.models import GameDocument, Hand, Night, Revision, Seat, StaleMark, User
from league.moves import moves_of_hand
from league.nights import actor_of, lock_open_night
from league.refusals import refuse
from league.versions import playables
from ledger.bulk import Wish, batched, post_many
from ledger.rows import insert
from rules import settle_many

AT_ONCE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """A hand as somebody tells it; its answer may be known already."""

    hand_id: UUID
    record: dict[str, Any]
    made_at: datetime
    answer: dict[str, Any] | None = None


@transaction.atomic
def record_many(night: Night, dealt: Sequence[Dealt], *, by: User | None) -> list[Revision]:
    """Record these hands after those of the night, all or none.

    Raises Refused (the errors of the first hand that has any), NightClosed.
    """
    lock_open_night(night)
    names = _seated(night)
    before, number = before_next(night, names), night.hands.count()
    revisions, wishes = [], []
    kept = _kept()
    for each, (variant, answer) in zip(dealt, _answers(night, dealt), strict=True):
        number += 1
        hand = Hand(id=each.hand_id, night=night, number=number, made_at=each.made_at)
        chips = moved(each.record, answer)
        revision = _revision(hand, each.record, answer, names, before, chips)
        revision.document, revision.made_by = kept(variant), by
        revisions.append(revision)
        wishes.append(_wish(revision, chips, names, short=max(0, chips.carried - before.carry)))
        before = _after(before, chips)
    _store(night, revisions, wishes)
    return revisions


def _answers(night: Night, dealt: Sequence[Dealt]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield what each hand was settled under and the answer to it."""
    played = list(map(playables(night.league.pk), (each.record for each in dealt)))
    settled = iter(
        settle_many(
            playing for playing, each in zip(played, dealt, strict=True) if each.answer is None
        )
    )
    for playing, each in zip(played, dealt, strict=True):
        answer = dict(next(settled) if each.answer is None else each.answer)
        refuse(answer.get("errors", ()))
        yield playing["variant"], answer | {"variant": each.record["variant"]}


def _kept() -> Callable[[str | dict[str, Any]], GameDocument]:
    """Return what keeps the rules of a hand, asking once for each name of a game."""
    by_name = cache(keep_document)
    return lambda variant: by_name(variant) if isinstance(variant, str) else keep_document(variant)


def _seated(night: Night) -> dict[str, UUID]:
    rows = Seat.objects.filter(night=night).values_list("player__name", "player")
    return dict(rows)


def _revision(
    hand: Hand,
    record: dict[str, Any],
    answer: dict[str, Any],
    names: Mapping[str, UUID],
    before: Before,
    chips: Moved,
) -> Revision:
    mine = {name: before.stacks[name] for name in chips.paid}
    found = findings(Before(stacks=mine, carry=before.carry), chips)
    return Revision(
        id=hand.pk,
        hand=hand,
        number=1,
        depth=depth_of(record),
        record=record,
        answer=answer | {"findings": [*answer["findings"], *found]},
        names={name: str(names[name]) for name in chips.paid},
        carried=chips.carried,
        carry=answer["carry"],
    )


def _wish(revision: Revision, chips: Moved, names: dict[str, UUID], *, short: int) -> Wish:
    mine = {name: names[name] for name in chips.paid}
    return Wish(
        key=f"hand:{revision.pk}",
        moves=tuple(moves_of_hand(revision.hand, chips, mine, short=short)),
        memo=f"hand {revision.hand.number}, revision 1",
        actor=actor_of(revision.made_by),
    )


def _after(before: Before, chips: Moved) -> Before:
    """Return what stands when the hand is over."""
    stacks = {
        name: stack - chips.paid.get(name, 0) + chips.back.get(name, 0)
        for name, stack in before.stacks.items()
    }
    return Before(stacks=stacks, carry=max(0, before.carry - chips.carried) + chips.carry)


def _store(night: Night, revisions: Sequence[Revision], wishes: Sequence[Wish]) -> None:
    postings = post_many(night.league.book, wishes)
    for revision, posting in zip(revisions, postings, strict=True):
        revision.posting = posting
    marks = (
        StaleMark(league_id=night.league.pk, hand=each.hand, revision=each) for each in revisions
    )
    for some in batched(revisions, AT_ONCE):
        insert(*(each.hand for each in some))
        insert(*some)
    for marked in batched(marks, AT_ONCE):
        insert(*marked)

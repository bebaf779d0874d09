"""The deals of matches among the hands of a night."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Q, QuerySet

from league.matches.states import Dealt, State, stand
from league.models import Night, Revision


def as_dealt(revision: Revision, *, stands: bool | None = None) -> Dealt:
    """Return the revision's hand as a deal; whether it stands is the hand's to say, unless told."""
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
    """Return where these matches stand, before the hand of this number if one is told.

    One that no hand of the night is a deal of is left out; no query where none is asked for.
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
    """Return the matches that these records say they are deals of."""
    found = (record.get("match") for record in records if isinstance(record, dict))
    return {match["id"] for match in found if isinstance(match, dict) and match.get("id")}


def _ids(matches: Collection[str]) -> list[UUID]:
    return [found for each in matches if (found := _id(each))]


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None

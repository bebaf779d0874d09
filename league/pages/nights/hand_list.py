"""A night's hands: the latest on the night's page, and all of them on a separate page."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID, uuid5

from django.core.paginator import Paginator
from django.db.models import OuterRef, Subquery, UUIDField
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import Action, find_night
from league.common.statements import Given, RowQuery
from league.common.text import name_order
from league.games.titles import variations
from league.models import ConflictingRecord, League, Night, Revision, User
from league.nights import nights
from league.pages.parts.answer_view import headline, won_with
from league.pages.parts.visitor import table_name

CORRECTED_FOR = timedelta(minutes=5)  # how long pages of the table show a correction
MOST_CORRECTED = 3


class Net(NamedTuple):
    """The chips that a player won or lost in a hand."""

    name: str
    chips: int
    player: UUID


@dataclass(frozen=True, slots=True)
class HandLine:
    """A hand in the night's hand list, with its game, its results and its flags.

    `corrected_by` names the user who corrected or undid the hand (`with_correctors`).
    """

    id: UUID
    number: int
    game: str
    modifiers: list[str]
    headline: str
    nets: list[Net]
    won_with: list[str]
    findings: int
    revised: bool
    voided: bool
    result_only: bool
    full: bool
    revision: Revision
    corrected_by: str = ""

    @property
    def winners(self) -> list[Net]:
        return [net for net in self.nets if net.chips > 0]

    @property
    def losers(self) -> list[Net]:
        lost = (net for net in self.nets if net.chips < 0)
        return sorted(lost, key=lambda net: name_order(net.name))


_HANDS = RowQuery(
    nights.hands(Given("night", UUIDField())).defer(nights.DOCUMENT).order_by("-hand__number")
)


def hand_lines(night: Night) -> list[HandLine]:
    """Return the night's hands, newest first. Runs one query."""
    return [hand_line(revision) for revision in _HANDS.all(night=night.pk)]


def hand_line(revision: Revision) -> HandLine:
    """Return the list entry for a hand, given its current revision."""
    nets = sorted(revision.answer["net"].items(), key=lambda net: -net[1])
    codes = [finding["code"] for finding in revision.answer.get("findings", ())]
    differing = codes.count("took-differs")  # the hand's page shows all of them as one warning
    return HandLine(
        id=revision.hand_id,
        number=revision.hand.number,
        game=revision.document.name,
        modifiers=variations(revision.record.get("modifiers", ())),
        headline=headline(revision.answer),
        nets=[Net(name, chips, UUID(revision.names[name])) for name, chips in nets if chips],
        won_with=won_with(revision.answer),
        findings=len(codes) - differing + bool(differing),
        revised=revision.number > 1,
        voided=revision.hand.voided,
        result_only=revision.depth == Revision.Depth.RESULT,
        full=revision.depth == Revision.Depth.FULL,
        revision=revision,
    )


def with_correctors(lines: Iterable[HandLine], league: League) -> list[HandLine]:
    """Return the lines with the names of the users who corrected or undid their hands.

    Runs a query only if there is such a hand.
    """
    lines = list(lines)
    revised = [line.revision.pk for line in lines if line.revised]
    if not revised:
        return lines
    rows = Revision.objects.filter(pk__in=revised).annotate(corrected_by=_author(league))
    names = dict(rows.values_list("pk", "corrected_by"))
    return [replace(line, corrected_by=names.get(line.revision.pk) or "") for line in lines]


_CHOSEN = ConflictingRecord.objects.filter(pk=OuterRef("pk")).order_by()


def _author(league: League) -> Coalesce:
    """Return an expression for the name of a revision's author, also if a host has chosen it."""
    recorded_by = _CHOSEN.annotate(author=table_name(league.pk, "made_by")).values("author")
    return Coalesce(Subquery(recorded_by), table_name(league.pk, "made_by"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A hand that another user corrected or undid, with the chips that moved.

    `is_chosen` is true if a host has chosen another user's record, who is named by `by`.
    `rest` contains the numbers of the match's later deals that were settled again because of it,
    and `rest_moved` the chips that moved in all of them.
    """

    line: HandLine
    by: str
    is_chosen: bool
    moved: list[tuple[str, int]]
    rest: list[int]
    rest_moved: list[tuple[str, int]]


def corrected_by_others(lines: Iterable[HandLine], league: League, user: User) -> list[Correction]:
    """Return the hands that another user corrected or undid in the last minutes, newest first.

    Authors of records that a host has chosen are left out: their phones already show the outcome.
    Runs a query only if there is such a hand.
    """
    since = timezone.now() - CORRECTED_FOR
    found = {
        line.id: line
        for line in lines
        if line.revised and line.revision.made_at > since and line.revision.made_by_id != user.pk
    }
    if not found:
        return []
    rows = Revision.objects.filter(hand__in=found).order_by("number")
    chosen = Subquery(_CHOSEN.values("made_by"))
    rows = rows.annotate(corrected_by=_author(league), author=chosen)
    columns = ("pk", "hand_id", "number", "voids", "answer__net", "corrected_by", "author")
    versions = list(rows.values_list(*columns))
    by: dict[UUID, tuple[str, int | None]] = {}
    causes: dict[UUID, UUID] = {}  # the corrected hand of each revision of a later deal
    moved = {hand: Counter[str]() for hand in found}
    for revision, hand, number, voids, net, corrected_by, chosen_of in versions:
        by[revision] = corrected_by or "", chosen_of
        at = number - found[hand].revision.number
        if at in {-1, 0} and not voids:
            for name, chips in net.items():
                moved[hand][name] += chips if at == 0 else -chips
        causes |= {uuid5(revision, str(other)): hand for other in found if other != hand}
    rest: dict[UUID, list[UUID]] = {}
    for hand, line in found.items():
        rest.setdefault(causes.get(line.revision.pk, hand), []).append(hand)
    corrections = []
    for cause, hands in rest.items():
        line = found[cause]
        name, author = by[line.revision.pk]
        if author != user.pk:
            others = [hand for hand in hands if hand != cause]
            correction = Correction(
                line=line,
                by=name,
                is_chosen=author not in {None, line.revision.made_by_id},
                moved=_sorted(moved[cause]),
                rest=sorted(found[hand].number for hand in others),
                rest_moved=_sorted(*(moved[hand] for hand in others)),
            )
            corrections.append(correction)
    return corrections[:MOST_CORRECTED]


def _sorted(*moved: Counter[str]) -> list[tuple[str, int]]:
    """Return the sums of the chips that moved, largest first."""
    total = Counter[str]()
    for chips in moved:
        total.update(chips)
    return [(name, chips) for name, chips in total.most_common() if chips]


@require_safe
def hands(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Return all hands of a night, newest first."""
    night = find_night(request.user, Action.VIEW, night_id)
    newest_first = nights.hands(night).defer(nights.DOCUMENT).order_by("-hand__number")
    page = Paginator(newest_first, 100).get_page(request.GET.get("hands"))
    lines = with_correctors(map(hand_line, page), night.league)
    context = {"night": night, "league": night.league, "hands": lines, "page": page}
    return render(request, "nights/hands.html", context)

"""A night's hands: the latest on the night's page, and all of them on a separate page."""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import UUIDField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import Action, find_night
from league.common.statements import Given, RowQuery
from league.games.titles import variations
from league.models import Night, Revision
from league.nights import nights
from league.pages.parts.answer_view import headline, won_with
from league.pages.parts.paging import page_of


class Net(NamedTuple):
    """The chips that a player won or lost in a hand."""

    name: str
    chips: int
    player: UUID


@dataclass(frozen=True, slots=True)
class HandLine:
    """A hand in the night's hand list, with its game, its results and its flags."""

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

    @property
    def winners(self) -> list[Net]:
        return [net for net in self.nets if net.chips > 0]


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


@require_safe
def hands(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Return all hands of a night, newest first."""
    night = find_night(request.user, Action.VIEW, night_id)
    newest_first = nights.hands(night).defer(nights.DOCUMENT).order_by("-hand__number")
    page = page_of(request, newest_first, name="hands")
    page.object_list = [hand_line(revision) for revision in page.object_list]
    context = {"night": night, "league": night.league, "hands": page}
    return render(request, "nights/hands.html", context)

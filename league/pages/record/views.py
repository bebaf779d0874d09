"""Record a hand or correct one: draw its form, judge what is typed, save it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Action, find_hand_to_correct, find_night, may_correct
from league.closing.close import standing
from league.common.errors import IdReusedError, NightClosedError, RefusedError
from league.deals.proposals import usual
from league.deals.table import Table
from league.games.lookup import house_games
from league.models import Closing, Hand, Night
from league.pages.games.finder import index_at
from league.pages.nights.live_updates import now
from league.pages.parts.answer_view import words
from league.pages.parts.dealt_here import dealt_here
from league.pages.parts.visitor import signed_in
from league.pages.record import drafts, record_page
from league.pages.record.check import Judgement, judge, refused_as
from league.pages.record.conflicts import knew_of, said, seen_by
from league.pages.record.field_names import Fields, Record, UnreadableFieldError, text_of
from league.pages.record.fill_form import pasted
from league.pages.record.outbox_response import (
    asks_for_json,
    came_back,
    dealt_by_phone,
    landed,
    told_in_json,
)
from league.pages.record.questions import House, fitted
from league.pages.record.read_form import read
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from league.recording.recorded import Recorded
from league.recording.undo import is_undoable
from rules.documents import catalog


@dataclass(frozen=True)
class Desk:
    """Where a hand is written down: the next of a night, or anew in place of one."""

    night: Night
    hand: Hand | None = None

    def address(self, step: str) -> str:
        if self.hand is None:
            return reverse(step, args=[self.night.pk])
        return reverse(f"{step}-again", args=[self.hand.pk])

    def closing(self) -> Closing | None:
        """Return how the night of a hand that is corrected was closed, if it was."""
        is_closed = self.hand is not None and self.night.state == Night.State.CLOSED
        return standing(self.night) if is_closed else None

    @cached_property
    def table(self) -> Table:
        return Table(self.night)

    @cached_property
    def house(self) -> House:
        return house_games(self.night, instead_of=self.hand)

    def fresh(self, game: str, again: str, *, other: bool = False) -> Fields:
        """Return what is typed at the start: a hand as it stands, or as it stood before an undo."""
        if self.hand:
            return drafts.again(self.hand)
        if undone := drafts.undone(self.night, again):
            return drafts.again(undone)
        if not game and (deal := self.table.open_deal):
            return drafts.of_deal(deal, self.table)
        fields = drafts.fresh(self.table, game, other=other)
        return fitted(fields, self.house, self.usual(fields))

    def usual(self, fields: Fields) -> Mapping[str, str]:
        """Return the choices that the league made when it last played the typed game."""
        slug = text_of(fields, "variant")
        is_known = slug in catalog.slugs() or slug in self.house
        return usual(self.night, slug) if is_known else {}


@told_in_json
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def record(request: HttpRequest, **at: UUID) -> HttpResponse:
    """Draw an empty form, or save a full one; one that can't be saved comes back as it was."""
    desk = _desk(request, **at)
    if request.method != "POST":
        fresh = _fresh(request, desk)
        # A corrected or undone hand is complete, so its page opens with the verdict.
        is_complete = desk.hand is not None or "again" in request.GET
        known = judge(desk.night, fresh, desk.hand) if is_complete else Judgement()
        return _draw(request, desk, fresh, known)
    fields = _typed(request)
    try:
        recorded = _save(request, desk, read(fields).record)
    except (UnreadableFieldError, RefusedError) as error:
        return _draw(request, desk, fields, refused_as(error, fields), status=400)
    except IdReusedError:
        again = _("This hand was saved before, with other cards. Save again to record one more.")
        return _draw(request, desk, fields, _told(again), key=uuid4(), status=409)
    except NightClosedError:
        return _draw(request, desk, fields, _told(_("The night is closed.")), status=409)
    if not asks_for_json(request) or "shown" in request.POST:
        _tell(request, desk, recorded)
    if asks_for_json(request):
        return landed(request.POST.get("key", ""), recorded)
    return redirect("night", desk.night.pk)


@login_required
@require_POST
def check(request: HttpRequest, **at: UUID) -> HttpResponse:
    """Say what the rules make of what is typed; to a script the verdict alone."""
    desk = _desk(request, **at)
    fields = _typed(request)
    judgement = judge(desk.night, fields, desk.hand)
    if request.headers.get("HX-Request"):
        told = {"judgement": judgement, "alone": True, "redraw_at": desk.address("redraw")}
        return render(request, "record/verdict.html", told)
    return _draw(request, desk, fields, judgement)


@login_required
@require_POST
def redraw(request: HttpRequest, **at: UUID) -> HttpResponse:
    """Draw the form anew: another game, or a whole record that was pasted."""
    desk = _desk(request, **at)
    fields = _typed(request)
    if "fill" not in fields:
        kept = fitted(fields, desk.house, desk.usual(fields))
        # A hand that came back from the outbox is told everything that it lacks.
        whole = "whole" in request.GET
        return _draw(request, desk, kept, judge(desk.night, kept, desk.hand, whole=whole))
    try:
        fields = pasted(text_of(fields, "paste"))
    except UnreadableFieldError as error:
        return _draw(request, desk, fields, refused_as(error, fields), status=400)
    return _draw(request, desk, fields, judge(desk.night, fields, desk.hand, whole=True))


def _desk(request: HttpRequest, **at: UUID) -> Desk:
    """Return the desk of a night's next hand, or of the hand that is corrected."""
    if "hand_id" in at:
        hand = find_hand_to_correct(request.user, at["hand_id"])
        return Desk(hand.night, hand)
    return Desk(find_night(request.user, Action.RECORD_HANDS, at["night_id"]))


def _fresh(request: HttpRequest, desk: Desk) -> Fields:
    asked = request.GET
    return desk.fresh(asked.get("game", ""), asked.get("again", ""), other="other" in asked)


def _save(request: HttpRequest, desk: Desk, record: Record) -> Recorded:
    key, by = _key(request, request.POST), signed_in(request)
    corrects = may_correct(request.user, desk.night.league)
    if desk.hand is None:
        dealt = dealt_by_phone(request.POST.get("dealt", ""), desk.night)
        knew = knew_of(request, corrects=corrects)
        return record_hand(desk.night, key, record, by=by, made_at=dealt, context=knew)
    reason = request.POST.get("reason", "")
    return revise_hand(desk.hand, key, record, by=by, reason=reason, open_only=not corrects)


def _tell(request: HttpRequest, desk: Desk, recorded: Recorded) -> None:
    """Say what came of it, unless the page of the night does, beside the button that undoes it."""
    corrected = desk.hand is not None
    if corrected or not is_undoable(recorded.revision, signed_in(request)):
        messages.success(request, said(recorded, corrected=corrected))


def _draw(
    request: HttpRequest,
    desk: Desk,
    fields: Fields,
    judgement: Judgement,
    *,
    key: UUID | None = None,
    status: int = 200,
) -> HttpResponse:
    key = key or _key(request, fields)
    known = dealt_here(desk.night, signed_in(request))
    context = {
        "night": desk.night,
        "hand": desk.hand,
        "closing": desk.closing(),
        "page": record_page.page(fields, judgement.by_field(), known, desk.house),
        "judgement": judgement,
        "denominations": desk.night.league.denominations,
        "choosing": request.headers.get("HX-Trigger-Name", "").partition("/")[0],
        "is_again": "again" in request.GET,
        "folded": "folded" in request.GET,
        "key": key,
        "deal": text_of(fields, "deal"),
        "reason": request.POST.get("reason", ""),
        "paste": text_of(fields, "paste"),
        "paste_errors": judgement.by_field().get("paste", ()),
        "words": words(),
        **now(request, desk.table, seen_by(request)),
        "index_at": index_at(),
        "stars_at": f"{reverse('house-games', args=[desk.night.season.league_id])}/",
        "number": request.POST.get("number", ""),
        "after": request.POST.get("after", ""),
        "save_at": desk.address("record"),
        "check_at": desk.address("check"),
        "redraw_at": desk.address("redraw"),
    }
    drawn = render(request, "record/record.html", context, status=status)
    return came_back(judgement, drawn, key) if asks_for_json(request) else drawn


def _typed(request: HttpRequest) -> dict[str, list[str]]:
    return {name: [str(text) for text in texts] for name, texts in request.POST.lists()}


def _key(request: HttpRequest, fields: Fields) -> UUID:
    """Return the key that the phone made, or the deal has; one made here for want of both."""
    try:
        return UUID(request.POST.get("key", "") or text_of(fields, "deal"))
    except ValueError:
        return uuid4()


def _told(text: str) -> Judgement:
    return Judgement(told=[text])

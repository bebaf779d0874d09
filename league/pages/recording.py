"""Record a hand or correct one: draw its form, judge what is typed, save it."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from league.access import Action, find_hand, find_night
from league.models import Hand, Night
from league.pages import drafts, record_form, recorder
from league.pages.judging import Judgement, judge, refused_as
from league.pages.record_form import Fields, NotJson
from league.pages.visitors import signed_in
from league.pages.words import words
from league.recording import record_hand, revise_hand
from league.refusals import KeyReused, NightClosed, Refused
from league.versions import house_games


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a hand is written down: the next of a night, or anew in place of one."""

    night: Night
    hand: Hand | None = None

    def address(self, step: str) -> str:
        if self.hand is None:
            return reverse(step, args=[self.night.pk])
        return reverse(f"{step}-again", args=[self.hand.pk])

    def house(self) -> recorder.House:
        return house_games(self.night, instead_of=self.hand)

    def fresh(self, game: str) -> dict[str, list[str]]:
        return drafts.again(self.hand) if self.hand else drafts.fresh(self.night, game)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def record(request: HttpRequest, night_id: UUID) -> HttpResponse:
    return _record(request, _next(request, night_id))


@login_required
@require_POST
def check(request: HttpRequest, night_id: UUID) -> HttpResponse:
    return _check(request, _next(request, night_id))


@login_required
@require_POST
def redraw(request: HttpRequest, night_id: UUID) -> HttpResponse:
    return _redraw(request, _next(request, night_id))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def record_again(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    return _record(request, _again(request, hand_id))


@login_required
@require_POST
def check_again(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    return _check(request, _again(request, hand_id))


@login_required
@require_POST
def redraw_again(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    return _redraw(request, _again(request, hand_id))


def _next(request: HttpRequest, night_id: UUID) -> Desk:
    return Desk(find_night(request.user, Action.RECORD, night_id))


def _again(request: HttpRequest, hand_id: UUID) -> Desk:
    hand = find_hand(request.user, Action.RECORD, hand_id)
    return Desk(hand.night, hand)


def _record(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Draw an empty form, or save a full one; one that can't be saved comes back as it was."""
    if request.method != "POST":
        return _draw(request, desk, desk.fresh(request.GET.get("game", "")), Judgement())
    fields = _typed(request)
    try:
        hand = _save(request, desk, record_form.read(fields).record)
    except (NotJson, Refused) as error:
        return _draw(request, desk, fields, refused_as(error, fields), status=400)
    except KeyReused:
        again = _("This hand was saved before, with other cards. Save again to record one more.")
        return _draw(request, desk, fields, _told(again), key=uuid4(), status=409)
    except NightClosed:
        return _draw(request, desk, fields, _told(_("The night is closed.")), status=409)
    messages.success(request, _("Hand %(number)s is saved.") % {"number": hand.number})
    if request.headers.get("HX-Request"):
        return HttpResponseClientRedirect(reverse("night", args=[desk.night.pk]))
    return redirect("night", desk.night.pk)


def _check(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Say what the rules make of what is typed; to a script the verdict alone."""
    fields = _typed(request)
    judgement = judge(desk.night, fields, desk.hand)
    if request.headers.get("HX-Request"):
        return render(request, "night/verdict.html", {"judgement": judgement, "alone": True})
    return _draw(request, desk, fields, judgement)


def _redraw(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Draw the form anew: another game, or a whole record that was pasted."""
    fields = _typed(request)
    pasted = fields.get("paste", [""])[-1]
    if not pasted.strip():
        fitted = recorder.fitted(fields, desk.house())
        return _draw(request, desk, fitted, judge(desk.night, fitted, desk.hand))
    try:
        fields = record_form.pasted(pasted)
    except NotJson as error:
        return _draw(request, desk, fields, refused_as(error, fields), status=400)
    return _draw(request, desk, fields, judge(desk.night, fields, desk.hand, whole=True))


def _save(request: HttpRequest, desk: Desk, record: record_form.Record) -> Hand:
    key, by = _key(request), signed_in(request)
    if desk.hand is None:
        return record_hand(desk.night, key, record, by=by).hand
    reason = request.POST.get("reason", "")
    return revise_hand(desk.hand, key, record, by=by, reason=reason).hand


def _draw(
    request: HttpRequest,
    desk: Desk,
    fields: Fields,
    judgement: Judgement,
    *,
    key: UUID | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "night": desk.night,
        "hand": desk.hand,
        "page": recorder.page(
            fields, judgement.by_field(), drafts.recent(desk.night), desk.house()
        ),
        "judgement": judgement,
        "key": key or _key(request),
        "reason": request.POST.get("reason", ""),
        "paste": fields.get("paste", [""])[-1],
        "paste_errors": judgement.by_field().get("paste", ()),
        "words": words(),
        "save_at": desk.address("record"),
        "check_at": desk.address("check"),
        "redraw_at": desk.address("redraw"),
    }
    return render(request, "night/record.html", context, status=status)


def _typed(request: HttpRequest) -> dict[str, list[str]]:
    return {name: [str(text) for text in texts] for name, texts in request.POST.lists()}


def _key(request: HttpRequest) -> UUID:
    """Return the key that the phone made, or one made here for a phone without scripts."""
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid4()


def _told(text: str) -> Judgement:
    return Judgement(told=[text])

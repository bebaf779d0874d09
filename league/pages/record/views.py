"""Record or correct a hand: show its form, check the input, and save the hand.

A phone sends three fields that help to find another phone's record of the same hand:

* `seen` is the number of the last hand when the form was drawn.
* `number` is the number that the phone expects for this hand, by default the next number.
* `after` contains the keys of the hands that waited on the phone before this hand
  (offline/outbox.js).

The form of a correction sends `revision`, the revision that it displayed. If the hand has changed
since, the form is shown again with the change (docs/decisions/0116-corrections-from-two-phones.md).

Other fields: `key` is the hand's id, `dealt` is the time of the deal in milliseconds, `deal` is the
id of the open deal, and `shown` is sent if the user waits for the result, so that the next page
shows it as a message.

The outbox requests JSON. It deletes a hand from the phone only if the response has the hand's id
and reports it as stored.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, wraps
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Action, find_hand_to_correct, find_night, may, may_correct
from league.closing.close import current_closing
from league.common.errors import (
    HandChangedError,
    IdReusedError,
    NightClosedError,
    RefusedError,
)
from league.common.text import whole_number
from league.deals.proposals import usual_options
from league.deals.table import Table
from league.games.lookup import house_games
from league.hands.chips_before import stacks_before
from league.hands.objections import open_objection
from league.models import Closing, ConflictingRecord, Hand, Night, Objection
from league.nights.nights import dealt_at
from league.pages.games.finder import dealt_here, index_at
from league.pages.nights.live_updates import now
from league.pages.parts.answer_view import headline, words
from league.pages.parts.chip_pieces import keypad
from league.pages.parts.forms import NIGHT_CLOSED
from league.pages.parts.visitor import origin_of, signed_in
from league.pages.record import initial_fields, one_line, record_page
from league.pages.record.check import CheckResult, changes_in_words, check_fields, refused_as
from league.pages.record.conflicts import changed_since
from league.pages.record.fill_form import pasted
from league.pages.record.questions import House, fitted, form_for
from league.pages.record.read_form import Fields, UnreadableFieldError, read, text_of
from league.pages.what_if import prefilled
from league.recording.corrections import is_undoable, revise_hand
from league.recording.record import record_hand
from league.recording.sent_hands import Recorded, client_context
from rules.documents import catalog

MOST_BEFORE = 100  # maximum number of hands waiting on one phone
OUTCOMES: dict[str, Promise] = {
    "recorded": gettext_lazy("Hand %(number)s saved."),
    "again": gettext_lazy("Hand %(number)s saved."),
    "merged": gettext_lazy("Hand %(number)s saved. Another phone recorded the same result."),
    "waiting": gettext_lazy(
        "Hand %(number)s was also recorded on another phone. A host chooses the right one."
    ),
    "refused": gettext_lazy("The host kept the other phone's version of hand %(number)s."),
    "taken": gettext_lazy("Hand %(number)s saved as you recorded it."),
}
View = Callable[..., HttpResponse]


@dataclass(frozen=True)
class HandEntry:
    """The hand to record: the night's next hand, or a correction of `hand`.

    `seen` is the revision that the form of a correction displays, or None if it is not known.
    """

    night: Night
    hand: Hand | None = None
    seen: UUID | None = None

    def address(self, step: str) -> str:
        if self.hand is None:
            return reverse(step, args=[self.night.pk])
        return reverse(f"{step}-again", args=[self.hand.pk])

    def closing(self) -> Closing | None:
        """Return the night's closing if the entry corrects a hand of a closed night."""
        is_closed = self.hand is not None and self.night.state == Night.State.CLOSED
        return current_closing(self.night) if is_closed else None

    @cached_property
    def table(self) -> Table:
        return Table(self.night)

    @cached_property
    def house(self) -> House:
        return house_games(self.night, instead_of=self.hand)

    def initial(self, query: Mapping[str, str]) -> Fields:
        """Return the initial fields: the hand to correct, an undone hand, or the next hand."""
        if hand := self.hand or initial_fields.undone(self.night, query.get("again", "")):
            seats = self.table.taken if self.hand is None else ()
            fields = initial_fields.fields_of_hand(hand, seats)
            form = form_for(fields, self.house)
            is_common = not (form["bank"] or form["against_pot"])
            return initial_fields.with_common_fields(fields) if is_common else fields
        game = query.get("game", "")
        if not game and (deal := self.table.open_deal):
            return initial_fields.of_deal(deal, self.table)
        fields = initial_fields.fresh(self.table, game, other="other" in query)
        return fitted(fields, self.house, self.usual_choices(fields))

    @property
    def waiting_match(self) -> tuple[str, int] | None:
        """Return the game and the pot of the match that waits while another game is recorded."""
        match = self.table.match if self.hand is None else None
        if match is None or not match.carried or not isinstance(match.variant, str):
            return None
        document = self.house.get(match.variant) or catalog.document(match.variant)
        return str(document["name"]), match.carried

    def usual_choices(self, fields: Fields) -> Mapping[str, str]:
        """Return the options with which the submitted game was last played in the league."""
        slug = text_of(fields, "variant")
        is_known = slug in catalog.slugs() or slug in self.house
        return usual_options(self.night, slug) if is_known else {}


def accepts_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "") == "application/json"


def json_errors(view: View) -> View:
    """Return errors as JSON to the outbox, instead of redirects and error pages."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not accepts_json(request):
            return view(request, *args, **kwargs)
        if not request.user.is_authenticated:
            return JsonResponse({"why": "signed-out"}, status=401)
        if request.headers.get("Hand-Of", "") != str(request.user.pk):
            return JsonResponse({"why": "other-user"}, status=403)
        try:
            return view(request, *args, **kwargs)
        except Http404:
            return JsonResponse({"why": "gone"}, status=404)
        except PermissionDenied:
            return JsonResponse({"why": "forbidden"}, status=403)

    return wrapped


@login_not_required  # the outbox gets an error instead of a redirect
@json_errors
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def record(request: HttpRequest, **ids: UUID) -> HttpResponse:
    """Show the form, or save the hand.

    A form that can't be saved is shown again with its problems.
    """
    entry = _entry(request, **ids)
    if request.method != "POST":
        initial = prefilled(entry.initial(request.GET), request.GET)
        # A corrected or undone hand is complete, so its page shows the verdict right away.
        is_complete = entry.hand is not None or "again" in request.GET
        checked = check_fields(entry.night, initial, entry.hand) if is_complete else CheckResult()
        if entry.hand is None and entry.night.state == Night.State.CLOSED:
            checked = CheckResult(messages=[str(NIGHT_CLOSED)])
        return _draw(request, entry, initial, checked)
    fields = _typed(request)
    try:
        recorded = _save(request, entry, fields)
    except (UnreadableFieldError, RefusedError) as error:
        return _draw(request, entry, fields, refused_as(error, fields), status=400)
    except IdReusedError:
        text = _(
            "This hand is already saved with other cards. Save again to record it as a new hand."
        )
        checked = CheckResult(messages=[text])
        return _draw(request, entry, fields, checked, key=uuid4(), status=409)
    except HandChangedError:
        checked = check_fields(entry.night, fields, entry.hand)
        return _draw(request, *_with_change(request, entry, fields, checked), status=409)
    except NightClosedError:
        checked = CheckResult(messages=[str(NIGHT_CLOSED)])
        return _draw(request, entry, fields, checked, status=409)
    if not accepts_json(request) or "shown" in request.POST:
        # The night's page shows the new hand with an undo button, so no message is needed.
        corrected = entry.hand is not None
        if corrected or not is_undoable(recorded.revision, signed_in(request)):
            messages.success(request, _outcome(recorded, corrected=corrected))
    if not accepts_json(request):
        return redirect("night", entry.night.pk)
    is_waiting = recorded.outcome == ConflictingRecord.State.WAITING
    body = {
        "id": request.POST.get("key", ""),  # the id that the phone sent
        "outcome": recorded.outcome,
        "says": _outcome(recorded),
        "number": recorded.hand.number,
        "revision": str(recorded.revision.pk),
        "headline": headline(recorded.answer),
        "at": reverse("conflicts" if is_waiting else "hand", args=[recorded.hand.pk]),
        "next": reverse("night", args=[recorded.hand.night_id]),
    }
    return JsonResponse(body, status=201 if recorded.created else 200)


@require_POST
def check(request: HttpRequest, **ids: UUID) -> HttpResponse:
    """Show the verdict on the submitted fields.

    Scripts get only the verdict instead of the page.
    """
    entry = _entry(request, **ids)
    fields = _typed(request)
    checked = check_fields(entry.night, fields, entry.hand)
    if request.headers.get("HX-Request"):
        context = {"checked": checked, "alone": True, "redraw_at": entry.address("redraw")}
        return render(request, "record/verdict.html", context)
    return _draw(request, entry, fields, checked)


@require_POST
def redraw(request: HttpRequest, **ids: UUID) -> HttpResponse:
    """Show the form for a different game, or filled in from a sentence or a pasted record."""
    entry = _entry(request, **ids)
    fields = _typed(request)
    if text_of(fields, "fill") in {"", one_line.SENTENCE}:
        changed = text_of(fields, "variant") != text_of(fields, "drawn")
        if entry.hand is None and "drawn" in fields and changed:
            fields = initial_fields.of_other_game(entry.table, fields)
        fitted_fields = fitted(fields, entry.house, entry.usual_choices(fields))
        if "fill" in fields:
            fitted_fields = one_line.filled(fitted_fields, entry.house)
        # For a hand that the outbox failed to send, show everything that is missing or has changed.
        whole = "whole" in request.GET
        checked = check_fields(entry.night, fitted_fields, entry.hand, whole=whole)
        if whole:
            return _draw(request, *_with_change(request, entry, fitted_fields, checked))
        return _draw(request, entry, fitted_fields, checked)
    try:
        fields = pasted(text_of(fields, "paste"))
    except UnreadableFieldError as error:
        return _draw(request, entry, fields, refused_as(error, fields), status=400)
    return _draw(request, entry, fields, check_fields(entry.night, fields, entry.hand, whole=True))


def _entry(request: HttpRequest, **ids: UUID) -> HandEntry:
    if "hand_id" in ids:
        hand = find_hand_to_correct(request.user, ids["hand_id"])
        if request.method != "POST":
            # This is read before the fields, so they can be newer than `seen`, but never older.
            return HandEntry(hand.night, hand, hand.revisions.get(current=True).pk)
        with suppress(ValueError):
            return HandEntry(hand.night, hand, UUID(request.POST.get("revision", "")))
        return HandEntry(hand.night, hand)
    return HandEntry(find_night(request.user, Action.RECORD_HANDS, ids["night_id"]))


def _save(request: HttpRequest, entry: HandEntry, fields: Fields) -> Recorded:
    content = read(fields).record
    key, by = _key(request, fields), signed_in(request)
    corrects = may_correct(request.user, entry.night.league)
    if entry.hand is not None:
        return revise_hand(
            entry.hand,
            key,
            content,
            by=by,
            reason=request.POST.get("reason", ""),
            open_only=not corrects,
            objection=_objection(request, entry),
            skip_unchanged=True,
            seen=entry.seen,
        )
    after = set()  # the hands that were waiting on the phone before this hand
    for waiting in request.POST.get("after", "").split()[-MOST_BEFORE:]:
        with suppress(ValueError):
            after.add(UUID(waiting))
    context = client_context(
        origin=origin_of(request),
        seen=whole_number(request.POST.get("seen", "")),
        number=whole_number(request.POST.get("number", "")),
        corrects=corrects,
        after=frozenset(after),
        of_deal=bool(request.POST.get("deal")),
    )
    try:
        dealt = datetime.fromtimestamp(int(request.POST.get("dealt", "")) / 1000, tz=UTC)
    except (ValueError, OverflowError, OSError):
        dealt = None
    made_at = dealt_at(entry.night, dealt)
    return record_hand(entry.night, key, content, by=by, made_at=made_at, context=context)


def _with_change(
    request: HttpRequest, entry: HandEntry, fields: Fields, checked: CheckResult
) -> tuple[HandEntry, Fields, CheckResult]:
    """Add a message if the hand has changed since the form was drawn.

    The returned entry displays the current revision, so saving again replaces it.
    """
    if entry.hand is None or entry.seen is None:
        return entry, fields, checked
    current, change, advice = changed_since(entry.hand, entry.seen, signed_in(request))
    if current == entry.seen:
        return entry, fields, checked
    # The list of unsent hands has its own buttons.
    is_listed = accepts_json(request) and "shown" not in request.POST
    text = change if is_listed else f"{change} {advice}"
    return replace(entry, seen=current), fields, replace(checked, messages=[text])


def _objection(request: HttpRequest, entry: HandEntry) -> Objection | None:
    """Return the open objection that the correction answers, if a host corrects the hand."""
    text = request.POST.get("objection") or request.GET.get("objection", "")
    if entry.hand is None or not may(request.user, Action.MANAGE, entry.night.league):
        return None
    return open_objection(entry.hand, text)


def _outcome(recorded: Recorded, *, corrected: bool = False) -> str:
    """Return a sentence that describes the result of saving the hand."""
    if recorded.unchanged:
        return _("Nothing changed.")
    text = _("Hand %(number)s corrected.") if corrected else str(OUTCOMES[recorded.outcome])
    if recorded.payments == {}:
        text = _("Hand %(number)s corrected. Payments unchanged.")
    elif recorded.payments:
        text = _("Hand %(number)s corrected. Payments changed: %(changes)s.")
    elif recorded.reopened:
        text = _(
            "Hand %(number)s corrected. The night is open again, because its chips no longer add "
            "up. Close it to plan the payments."
        )
    changes = changes_in_words(recorded.payments or {}, recorded.hand.night)
    return text % {"number": recorded.hand.number, "changes": changes}


def _draw(
    request: HttpRequest,
    entry: HandEntry,
    fields: Fields,
    checked: CheckResult,
    *,
    key: UUID | None = None,
    status: int = 200,
) -> HttpResponse:
    key = key or _key(request, fields)
    dealt = dealt_here(entry.night, signed_in(request))
    context = {
        "night": entry.night,
        "hand": entry.hand,
        "closing": entry.closing(),
        "page": record_page.page(fields, checked.by_field(), dealt, entry.house),
        "checked": checked,
        "waiting_match": None if "match" in fields else entry.waiting_match,
        "keypad": keypad(entry.night.league),
        "choosing": request.headers.get("HX-Trigger-Name", "").partition("/")[0],
        "is_again": "again" in request.GET,
        "folded": "folded" in request.GET,
        "key": key,
        "deal": text_of(fields, "deal"),
        "reason": request.POST.get("reason", request.GET.get("reason", "")),
        "revision": entry.seen or "",
        "objection": _objection(request, entry),
        **one_line.context(fields, entry.house),
        "paste": text_of(fields, "paste"),
        "paste_errors": checked.by_field().get("paste", ()),
        "words": words(),
        "stacks_before": json.dumps(stacks_before(entry.hand)) if entry.hand else "",
        "recent": " ".join(map(str, initial_fields.last_amounts(entry.table))),
        **now(request, entry.table, whole_number(request.POST.get("seen", ""))),
        "index_at": index_at(),
        "stars_at": f"{reverse('house-games', args=[entry.night.season.league_id])}/",
        "number": request.POST.get("number", ""),
        "after": request.POST.get("after", ""),
        "save_at": entry.address("record"),
        "check_at": entry.address("check"),
        "redraw_at": entry.address("redraw"),
    }
    page = render(request, "record/record.html", context, status=status)
    if not accepts_json(request):
        return page
    # The outbox receives the problems, the form for correcting them, the id for resending the hand,
    # and the current revision of a corrected hand.
    texts = [f"{each.who}: {each.text}" if each.who else each.text for each in checked.problems]
    body = {"id": str(key), "now": str(entry.seen or ""), "problems": [*checked.messages, *texts]}
    return JsonResponse(body | {"form": page.content.decode()}, status=status)


def _typed(request: HttpRequest) -> dict[str, list[str]]:
    return {name: [str(text) for text in texts] for name, texts in request.POST.lists()}


def _key(request: HttpRequest, fields: Fields) -> UUID:
    """Return the key generated by the phone or set by the open deal, or else a new key."""
    try:
        return UUID(request.POST.get("key", "") or text_of(fields, "deal"))
    except ValueError:
        return uuid4()

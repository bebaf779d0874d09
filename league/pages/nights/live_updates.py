"""Live page updates: the version of a night or league, and the recorder's table.

A page requests `pulse` every two seconds with its version. If nothing has changed, the response is
304 and costs two indexed queries: one for the session, and one for version, membership and password
together. The page requests more only if the version has changed
(league/static/league/js/common/live-updates.js).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.decorators import login_not_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

from league.access import Action, find_night
from league.change_version import MemberVersion, league_version, night_version
from league.common.client_ip import address_of
from league.common.text import whole_number
from league.deals.declarations import revealed_declarations
from league.deals.proposals import seed_of
from league.deals.shown_cards import agreed_cards, card_entries, entries_by_field
from league.deals.table import Table
from league.models import Deal, Hand, Night, Revision, User
from league.nights import nights
from league.pages.nights.chip_requests import rebuys_at_table
from league.pages.nights.hand_list import CORRECTED_FOR, corrected_by_others, hand_line
from league.pages.parts.visitor import origin_of, signed_in, table_name
from league.people.devices import saw


@dataclass(frozen=True, slots=True)
class ReportedField:
    """A field of the hand's form that a phone reported.

    A field without a player is for the board. `contested` is true if phones reported different
    cards. Then `text` contains the cards before them, and is not filled into open forms.
    """

    name: str
    field: str
    text: str
    who: str
    contested: bool = False


@login_not_required
@require_safe
def pulse(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Return 304 if the phone is up to date, or else the version. Returns 401 if signed out."""
    return _answer(request, night_version, night_id)


@login_not_required
@require_safe
def of_league(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Return the same as `pulse`, for the pages about a league and its seasons."""
    return _answer(request, league_version, league_id)


def _answer(
    request: HttpRequest, version_of: Callable[[int, UUID], MemberVersion | None], resource_id: UUID
) -> HttpResponse:
    user_id = request.session.get(SESSION_KEY)
    if user_id is None:
        return HttpResponse(status=401)
    member_version = version_of(int(user_id), resource_id)
    if member_version is None:
        return HttpResponse(status=404 if request.user.is_authenticated else 401)
    # The session must have been opened with the user's current password. Django handles all other
    # cases, such as rotated keys.
    session_hash = str(request.session.get(HASH_SESSION_KEY, ""))
    current_hash = User(password=member_version.password).get_session_auth_hash()
    is_current = constant_time_compare(session_hash, current_hash)
    if not is_current and not request.user.is_authenticated:
        return HttpResponse(status=401)
    saw(request.session.session_key or "", int(user_id), address_of(request))
    return version_response(request, member_version.version)


def version_response(request: HttpRequest, version: int) -> HttpResponse:
    """Return 304 if the page already shows this version, or else the version."""
    tag = f'"{version}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified(headers=headers)
    return JsonResponse({"version": version}, headers=headers)


@login_not_required
@require_safe
def table(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Render the table above the recorder: the next hand, its dealer and the stacks."""
    night = find_night(request.user, Action.VIEW, night_id)
    seen = whole_number(request.GET.get("seen", ""))
    return render(
        request, "nights/live_table.html", {"night": night, **now(request, Table(night), seen)}
    )


def now(request: HttpRequest, table: Table, seen: int | None = None) -> dict[str, object]:
    """Return the table's state for the recorder, including what other phones saved or corrected.

    With `?other` or `?game`, the next hand is not the running match's next deal.
    """
    night = table.night
    is_of_match = not {"other", "game"} & request.GET.keys()
    dealer = table.dealer if is_of_match else table.dealer_in_turn
    last = Hand.objects.filter(night=night).order_by("-number").values_list("number", flat=True)
    number = last.first() or 0
    deal = table.open_deal if night.state == Night.State.OPEN else None
    chips = nights.stacks(night, [seat.player_id for seat in table.taken])
    here = [(seat.player_id, seat.player.name, chips[seat.player_id]) for seat in table.taken]
    seen = number if seen is None else seen
    recent = Q(hand__number__gt=seen) | Q(number__gt=1, made_at__gt=timezone.now() - CORRECTED_FOR)
    rows = Revision.objects.filter(recent, hand__night=night, current=True)
    rows = rows.select_related("hand", "document").order_by("hand__number")
    lines, origin = [hand_line(each) for each in rows], origin_of(request)
    return {
        "seen": seen,
        "last": number,
        "last_dealt": table.last_hand,
        "seed": f"{seed_of(night, number):04}",
        "dealer": dealer.player.name if dealer else "",
        "stacks": [(name, held) for _player, name, held in here],
        "open_deal": deal,
        "reported": list(_reported_fields(deal)) if deal else (),
        "rebuys": rebuys_at_table(request.user, night, here),
        "new_hands": [
            line for line in lines if line.number > seen and line.revision.hand.origin != origin
        ],
        "corrected": corrected_by_others(reversed(lines), night.league, signed_in(request)),
    }


def _reported_fields(deal: Deal) -> Iterator[ReportedField]:
    """Yield the values that phones reported for the deal, as fields of the hand's form."""
    rows, words = deal.players.select_related("player"), revealed_declarations(deal)
    for row in rows:
        name = row.player.name
        yield ReportedField(name, "state", row.state, "")
        if row.player_id in words:
            yield ReportedField(name, "declared", words[row.player_id], "")
    entries = card_entries(deal).annotate(told_name=table_name(deal.night.league.pk, "told_by"))
    agreed = agreed_cards(entries)
    for (player, field), reports in entries_by_field(entries).items():
        owner = reports[0].player
        yield ReportedField(
            owner.name if owner else "",
            field,
            agreed.get(player, {}).get(field, ""),
            ", ".join(dict.fromkeys(vars(each)["told_name"] for each in reports)),
            len(reports) > 1,
        )

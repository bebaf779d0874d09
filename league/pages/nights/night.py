"""Pages of a night: start a night, show its stacks and hands, buy in, take a seat."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import (
    Action,
    Visitor,
    find_league,
    find_night,
    may,
    player_of,
    plays,
    rights,
    role_of,
)
from league.closing.closing_hash import last_hash
from league.closing.open import start_night
from league.closing.payments import unpaid
from league.common import money
from league.jobs.closing_jobs import IN_DOUBT
from league.models import BuyIn, CashOut, ChipRequest, ClosingJob, Hand, League, Night, Player, Seat
from league.nights import nights
from league.pages.deals.panel import panel
from league.pages.nights.chip_requests import chip_requests, exchange_chips, rebuys, stays_at
from league.pages.nights.new_night_form import NewNight
from league.pages.nights.night_summary import (
    Line,
    Stack,
    counter,
    latest_verdict,
    lines,
    match_of_night,
    running_match,
    stacks,
)
from league.pages.parts.forms import BuyInForm, GuestForm, TakeSeat, carry_out
from league.pages.parts.paging import page_of
from league.pages.parts.qr_code import join_code
from league.pages.parts.visitor import signed_in
from league.pages.tournaments.view import running_clock
from league.people.joining import waiting as waiting_phones
from league.recording.conflicts import waiting
from league.recording.undo import is_undoable

# Actions at a night other than recording hands: arrive, leave, buy, count, close, pay.


ASKS: dict[str, Promise] = {
    "still-playing": _("A tournament is not over: end it, or call it off."),
    "not-counted": _("The chips are not counted."),
    "does-not-add-up": _("The chips don't add up: say who bears the difference."),
    IN_DOUBT: _("An import could not explain all chips. Check them, then close the night."),
    "hand-differs": _("A hand does not replay to what was posted: correct it first."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NightActions:
    """`own` is the name of a visitor who speaks for nobody else; `rebuy` is there where it sits.

    `asks` is why the night could not close itself.
    """

    open: bool
    keeps: bool
    own: Player | None
    rebuy: BuyInForm | None
    asks: str | Promise
    unpaid: bool


def night_actions(user: Visitor, night: Night, *, keeps: bool) -> NightActions:
    """Return what the visitor can do at the night; `keeps` are those who keep the score."""
    is_open = night.state == Night.State.OPEN
    own = None if keeps else _own(user, night)
    sits = own and is_open and Seat.objects.filter(night=night, player=own, left_at=None).exists()
    return NightActions(
        open=is_open,
        keeps=keeps,
        own=own,
        rebuy=_rebuy(night, own) if own and sits else None,
        asks=_asks(night) if is_open else "",
        unpaid=not is_open and unpaid().filter(plan__closing__night=night).exists(),
    )


def speaks_for(user: Visitor, night: Night, players: Iterable[Player]) -> list[Player]:
    """Return the players for whom the visitor may act. PermissionDenied for non-players."""
    if may(user, Action.KEEP_SCORE, night.league):
        return list(players)
    own = _own(user, night)
    if own is None:
        raise PermissionDenied
    return [player for player in players if player == own]


def _own(user: Visitor, night: Night) -> Player | None:
    return player_of(user, night.league) if plays(role_of(user, night.league)) else None


def _rebuy(night: Night, own: Player) -> BuyInForm:
    return BuyInForm(night, [own], initial={"player": own.pk, "key": uuid4()}, auto_id="rebuy_%s")


def _asks(night: Night) -> str | Promise:
    asks = ClosingJob.objects.filter(night=night).values_list("asks", flat=True).first()
    return ASKS.get(asks or "", "")


MOST_WAITING = 20  # maximum number of requests and conflicts on the page


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_night(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.KEEP_SCORE, league_id)
    form = NewNight(nights.recent_players(league), request.POST or None)
    if form.is_valid() and _started(request, league, form):
        return redirect("night", form.cleaned_data["key"])
    return render(request, "nights/new_night.html", {"league": league, "form": form})


@login_required
@require_safe
def night(request: HttpRequest, night_id: UUID) -> HttpResponse:
    return _page(request, find_night(request.user, Action.LOOK, night_id))


@login_required
@require_POST
def buy_in(request: HttpRequest, night_id: UUID) -> HttpResponse:
    found = find_night(request.user, Action.LOOK, night_id)
    form = BuyInForm(
        found, speaks_for(request.user, found, _seated(nights.seats(found))), request.POST
    )
    if form.is_valid() and _bought(request, found, form):
        return redirect(stays_at(request), found.pk)
    return _page(request, found, buy_in=form)


@login_required
@require_POST
def seat(request: HttpRequest, night_id: UUID) -> HttpResponse:
    found = find_night(request.user, Action.LOOK, night_id)
    standing = _standing(found, nights.seats(found))
    form = TakeSeat(speaks_for(request.user, found, standing), request.POST)
    if form.is_valid() and _sat(found, form):
        messages.success(request, _("%(name)s sits down.") % {"name": form.cleaned_data["player"]})
        return redirect("night", found.pk)
    return _page(request, found, take_seat=form)


@login_required
@require_POST
def guest(request: HttpRequest, night_id: UUID) -> HttpResponse:
    found = find_night(request.user, Action.KEEP_SCORE, night_id)
    form = GuestForm(request.POST)
    if form.is_valid() and _seated_guest(found, form):
        messages.success(request, _("%(name)s sits down.") % {"name": form.cleaned_data["name"]})
        return redirect("night", found.pk)
    return _page(request, found, guest=form)


def _page(
    request: HttpRequest,
    night: Night,
    *,
    buy_in: BuyInForm | None = None,
    take_seat: TakeSeat | None = None,
    guest: GuestForm | None = None,
) -> HttpResponse:
    league, allowed = night.league, rights(request.user, night.league)
    keeps = Action.KEEP_SCORE in allowed and night.state == Night.State.OPEN
    hands, bought = lines(night), counter(night)
    match = match_of_night(night, hands)
    seats = nights.seats(night)
    sat = stacks(night, seats, hands, match)
    standing = _with_rebuys(request, night, sat, bought) if keeps else sat
    mine = next((stack for stack in standing if stack.user == request.user.pk), None)
    deals_next = bool(mine and mine.deals and not mine.gone)
    requests, refused = chip_requests(request.user, night, manages=Action.MANAGE in allowed)
    context = {
        "head": last_hash(night.league),
        "night": night,
        "league": league,
        "chip": money.worth(1, night),
        "stacks": standing,
        "mine": mine,
        "deal": panel(request.user, night, allowed),
        "clock": running_clock(night),
        "may_deal": bool(standing) and _may_deal(request, night, allowed, deals=deals_next),
        "deals_next": deals_next,
        "match": running_match(match, hands),
        "latest": latest_verdict(night, hands, mine),
        "counter": page_of(request, bought, name="exchanges"),
        "hands": page_of(request, hands, name="hands"),
        "last": hands[0].number if hands else 0,
        "carry": nights.carry(night),
        "may_record_hands": Action.RECORD_HANDS in allowed and night.state == Night.State.OPEN,
        "may_manage": Action.MANAGE in allowed,
        "conflicts": waiting(night)[:MOST_WAITING],
        "requests": requests[:MOST_WAITING],
        "refused": refused,
        "join": join_code(request, league),
        "join_requests": _join_requests(league, allowed),
        "undo": _undoable(request, night, hands),
        "may_keep_score": keeps,
        "actions": night_actions(request.user, night, keeps=Action.KEEP_SCORE in allowed),
    }
    failed = any(form is not None and form.errors for form in (buy_in, take_seat, guest))
    context |= _forms(night, seats, buy_in, take_seat, guest)
    return render(request, "nights/night.html", context, status=400 if failed else 200)


def _forms(
    night: Night,
    seats: Sequence[Seat],
    buy_in: BuyInForm | None,
    take_seat: TakeSeat | None,
    guest: GuestForm | None,
) -> dict[str, object]:
    """Return the forms of the page: invalid submitted ones, or empty ones."""
    return {
        "buy_in": buy_in or BuyInForm(night, _seated(seats), initial={"key": uuid4()}),
        "take_seat": take_seat or TakeSeat(_standing(night, seats)),
        "guest": guest or GuestForm(auto_id="guest_%s"),
    }


def _join_requests(league: League, allowed: frozenset[Action]) -> Iterable[object]:
    """Return the phones that wait for approval, if the visitor may approve them."""
    return waiting_phones(league) if Action.MANAGE in allowed and league.approves else ()


def _may_deal(
    request: HttpRequest, night: Night, allowed: frozenset[Action], *, deals: bool
) -> bool:
    """Return whether the visitor chooses the next game: a recorder, or the next dealer."""
    if night.state != Night.State.OPEN:
        return False
    return Action.RECORD_HANDS in allowed or (deals and plays(role_of(request.user, night.league)))


def _with_rebuys(
    request: HttpRequest,
    night: Night,
    standing: Sequence[Stack],
    bought: Iterable[BuyIn | CashOut],
) -> list[Stack]:
    """Return the stacks, those of players who sit without chips with what they may buy."""
    here = [(stack.player, stack.name, stack.chips) for stack in standing if not stack.gone]
    offered = {each.player: each for each in rebuys(request.user, night, here, bought)}
    return [replace(stack, rebuy=offered.get(stack.player)) for stack in standing]


def _undoable(request: HttpRequest, night: Night, hands: Sequence[Line]) -> Hand | None:
    """Return the newest hand if the visitor saved it in the last ten seconds."""
    newest = hands[0].revision if hands and night.state == Night.State.OPEN else None
    return newest.hand if newest and is_undoable(newest, signed_in(request)) else None


def _started(request: HttpRequest, league: League, form: NewNight) -> bool:
    told, by = form.cleaned_data, signed_in(request)
    return carry_out(
        form,
        lambda: start_night(
            league,
            told["key"],
            form.sitting(),
            by=by,
            name=told["name"],
            usual_buy_in=told["usual"],
        ),
        usual_buy_in="usual",
    )


def _bought(request: HttpRequest, night: Night, form: BuyInForm) -> bool:
    message = gettext("%(name)s buys in for %(chips)s.")
    return exchange_chips(request, night, form, ChipRequest.Kind.BUY_IN, message)


def _sat(night: Night, form: TakeSeat) -> bool:
    return carry_out(form, lambda: nights.seat(night, form.cleaned_data["player"]))


def _seated_guest(night: Night, form: GuestForm) -> bool:
    told = form.cleaned_data
    return carry_out(form, lambda: nights.seat_guest(night, told["key"], told["name"]))


def _seated(seats: Iterable[Seat]) -> list[Player]:
    return [seat.player for seat in seats]


def _standing(night: Night, seats: Iterable[Seat]) -> list[Player]:
    seated = [seat.player_id for seat in seats if seat.left_at is None]
    return list(night.league.players.exclude(pk__in=seated).order_by("name"))

"""Buy-ins and cash-outs, and chip requests that are approved or refused with one tap."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import (
    Action,
    Visitor,
    find_chip_request,
    may,
    may_exceed_limits,
    person,
    player_of,
    plays,
    require_to_withdraw_request,
    require_word,
    role_of,
    whose_word,
)
from league.charges.requests import accept
from league.closing.chip_requests import (
    Exchange,
    decline,
    exchange,
    waiting_or_answered,
    withdraw,
)
from league.common.errors import IdReusedError, NightClosedError, RefusedError, problem
from league.models import BuyIn, CashOut, ChipRequest, Night, Player, User
from league.nights import buy_ins, leave_notice
from league.pages.parts.forms import (
    NIGHT_CLOSED,
    BuyInForm,
    CashOutForm,
    apply_form,
    show_errors,
)
from league.pages.parts.visitor import signed_in

LIMITS = {buy_ins.CODE, leave_notice.CODE}  # what hosts may confirm


def speaks_for(user: Visitor, night: Night, players: Iterable[Player]) -> list[Player]:
    """Return the players on whose behalf the visitor may act.

    Raises PermissionDenied if the visitor may not act for any player.
    """
    if may(user, Action.KEEP_SCORE, night.league):
        return list(players)
    own = own_player(user, night)
    if own is None:
        raise PermissionDenied
    return [player for player in players if player == own]


def own_player(user: Visitor, night: Night) -> Player | None:
    """Return the visitor's player, or None for guests of the league."""
    return player_of(user, night.league) if plays(role_of(user, night.league)) else None


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A pending request.

    `decides` is true if the visitor decides, and `is_own` is true if the visitor made the request.
    """

    request: ChipRequest
    decides: bool
    is_own: bool


def chip_requests(
    visitor: Visitor, night: Night, *, manages: bool
) -> tuple[list[PendingRequest], ChipRequest | None]:
    """Return the night's pending requests, and the visitor's last request if it was refused.

    `manages` is true for hosts.
    """
    by = person(visitor)
    rows = list(waiting_or_answered(night, by))
    waits = [row for row in rows if row.state == ChipRequest.State.WAITING]
    last = next((row for row in reversed(rows) if by and row.made_by == by), None)
    if last and last.charge:  # a charge is refused if any of its players refuses
        parts = (row for row in rows if row.charge == last.charge)
        last = next((row for row in parts if row.state == ChipRequest.State.REFUSED), last)
    own = player_of(visitor, night.league) if waits else None
    seen = [
        PendingRequest(
            request=row,
            decides=manages or row.charged == own,
            is_own=row.made_by == by,
        )
        for row in waits
    ]
    return seen, last if last and last.state == ChipRequest.State.REFUSED else None


def exchange_chips(
    request: HttpRequest,
    night: Night,
    form: BuyInForm | CashOutForm,
    kind: ChipRequest.Kind,
    text: str,
) -> bool:
    """Move or request the chips in a valid form, and show a message if chips have moved.

    Pending requests do not need a message, because the night's page shows them. A message would
    stay on the page and be outdated once the request is decided.

    Returns False if the request is refused.
    """
    typed, by = form.cleaned_data, signed_in(request)
    leaves = kind == ChipRequest.Kind.CASH_OUT
    player, chips, banker = typed["player"], typed["chips"], typed["banker"]
    word = whose_word(request.user, player, banker, night.league, pays=leaves)
    chip_exchange = Exchange(
        kind=kind,
        id=typed["key"],
        night=night,
        player=player,
        chips=chips,
        banker=banker,
        leaves=leaves,
        beyond_stack=typed.get("beyond_stack", False),
        beyond_limits=typed.get("beyond_limits", False),
    )

    def move() -> None:
        try:
            done = exchange(chip_exchange, by=by, word=word)
        except RefusedError as refused:
            raise _with_advice(request, night, refused) from None
        if not isinstance(done, ChipRequest):
            messages.success(request, text % {"name": player, "chips": f"{chips:,}"})
        elif done.state != ChipRequest.State.WAITING:
            error = _("This request was already answered. Send a new one.")
            messages.error(request, error, extra_tags="bad")

    return apply_form(form, move)


def _with_advice(request: HttpRequest, night: Night, refused: RefusedError) -> RefusedError:
    """Add to exceeded limits that a host may exceed them, if the visitor may not."""
    codes = {error["code"] for error in refused.errors}
    if not codes & LIMITS or may_exceed_limits(request.user, night.league):
        return refused
    ask = _("Only a host can go beyond the limits. Ask one to enter this.")
    return RefusedError([*refused.errors, problem("", "host", ask)])


def stays_at(request: HttpRequest) -> str:
    """Return the name of the page to redirect to: the recording page or the night's page."""
    return "record" if request.POST.get("stay") == "record" else "night"


@require_POST
def accept_request(request: HttpRequest, night_id: UUID, request_id: UUID) -> HttpResponse:
    chip_request = find_chip_request(request.user, night_id, request_id)
    require_word(request.user, chip_request)
    is_charge = chip_request.kind == ChipRequest.Kind.CHARGE
    text = (
        _("You accepted the charge.") if is_charge else _("Accepted. The chips are on the table.")
    )
    return _answered(request, chip_request, accept, text)


@require_POST
def decline_request(request: HttpRequest, night_id: UUID, request_id: UUID) -> HttpResponse:
    chip_request = find_chip_request(request.user, night_id, request_id)
    require_word(request.user, chip_request)
    text = _("Declined. No chips moved.")
    if chip_request.charge:
        what = {"what": chip_request.title or _("The fund")}
        text = _("Declined. %(what)s is not charged to anyone.") % what
    return _answered(request, chip_request, decline, text)


@require_POST
def withdraw_request(request: HttpRequest, night_id: UUID, request_id: UUID) -> HttpResponse:
    chip_request = find_chip_request(request.user, night_id, request_id)
    require_to_withdraw_request(request.user, chip_request)
    return _answered(request, chip_request, withdraw, _("Request withdrawn."))


def _answered(
    request: HttpRequest, chip_request: ChipRequest, answer: Callable[..., object], text: str
) -> HttpResponse:
    by: User = signed_in(request)
    try:
        answer(chip_request, by=by)
    except RefusedError as refused:
        show_errors(request, _with_advice(request, chip_request.night, refused))
    except (NightClosedError, IdReusedError):
        messages.error(request, NIGHT_CLOSED, extra_tags="bad")
    else:
        messages.success(request, text)
    return redirect("night", chip_request.night_id)


# A player without chips can buy in again with one tap, and undo it within `OFFERED`.


OFFERED = timedelta(minutes=1)  # how long a buy-in can be undone


@dataclass(frozen=True, slots=True)
class Rebuy:
    """A button next to a stack: a buy-in with its own key, or the undo of a buy-in.

    `chips` is the amount that the button buys, or that was bought.
    """

    player: UUID
    name: str
    chips: int
    key: UUID
    undo: UUID | None


def rebuys_at_table(
    visitor: Visitor, night: Night, stacks: Iterable[tuple[UUID, str, int]]
) -> list[Rebuy]:
    """Return the rebuys offered to scorekeepers. `stacks` contains player ids, names and chips."""
    if night.state != Night.State.OPEN or not may(visitor, Action.KEEP_SCORE, night.league):
        return []
    rows = BuyIn.objects.filter(night=night).annotate(undone=Q(posting__reversal__isnull=False))
    return rebuys(visitor, night, stacks, rows)


def rebuys(
    visitor: Visitor,
    night: Night,
    stacks: Iterable[tuple[UUID, str, int]],
    bought: Iterable[BuyIn | CashOut],
) -> list[Rebuy]:
    """Return the rebuys for these stacks. `bought` is annotated with `undone`."""
    by, earliest = person(visitor), timezone.now() - OFFERED
    undos: dict[UUID, BuyIn] = {}
    started = set()
    for row in sorted(bought, key=lambda row: row.made_at):
        if not isinstance(row, BuyIn):
            continue
        # A player's first buy-in starts the night and is not a rebuy.
        is_own = by is not None and row.made_by_id == by.pk and row.player_id in started
        if is_own and row.made_at >= earliest and not vars(row)["undone"]:
            undos[row.player_id] = row
        started.add(row.player_id)
    offered = []
    for player, name, chips in stacks:
        if bought_now := undos.get(player):
            offered.append(Rebuy(player, name, bought_now.chips, uuid4(), bought_now.pk))
        elif chips <= 0:
            offered.append(Rebuy(player, name, night.usual_buy_in, uuid4(), None))
    return offered

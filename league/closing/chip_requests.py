"""Requests for chips that charge another player.

The charged player or a host has to accept each request. `access.whose_word` returns the player who
has to accept. A request does not move chips. When it is accepted, the chips are moved by a buy-in
or cash-out with the request's id. Requests end when the night closes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from league.audit_log import Kind as Kinds
from league.audit_log import log_action
from league.closing.cash_outs import Terms, cash_out, cash_out_and_leave, wrong_cash_out
from league.common import row_limits
from league.common.errors import IdReusedError, Problem, problem, refuse
from league.models import BuyIn, CashOut, ChipRequest, Night, Player, User
from league.nights.buy_ins import broken_limits, buy_in, has_limits, recorded_already, wrong_buy_in
from league.nights.cash_box import store_cash_box
from league.nights.leave_notice import early_leave
from league.nights.nights import lock_and_bump, lock_and_bump_open

Kind, State = ChipRequest.Kind, ChipRequest.State
BEYOND_LIMITS = "beyond_limits"  # in the terms of a request
MOST_WAITING = 10  # maximum number of requests by one user per night
TOLD_FOR = timedelta(minutes=10)  # how long a user sees the decision on a request


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A requested buy-in or cash-out. The client creates the id.

    If `leaves` is true, the player's seat becomes free. If `beyond_stack` is true, a host may cash
    out more chips than the player's stack. If `beyond_limits` is true, a buy-in may exceed the
    league's limits, and a player may leave before the notice is over.
    """

    kind: str
    id: UUID
    night: Night
    player: Player
    chips: int
    banker: Player | None = None
    leaves: bool = False
    beyond_stack: bool = False
    beyond_limits: bool = False


Done = BuyIn | CashOut | ChipRequest | None


@transaction.atomic
def exchange(proposed: Exchange, *, by: User | None, word: Player | None) -> Done:
    """Move the chips, or create a request if another player has to accept, once for each id.

    `word` is the player who has to accept, or None. Returns the buy-in or cash-out, the request, or
    None if a player left without chips. Raises RefusedError, IdReusedError or NightClosedError.
    """
    if existing := _existing_request(proposed):
        if word is None and existing.state == State.WAITING:
            return accept(existing, by=by, beyond_stack=proposed.beyond_stack)
        return _done(existing) or existing
    # If a player leaves without chips, a banker pays out no cash, so the banker does not have to
    # accept. The player still has to accept a count of zero entered by another user.
    if word is None or (proposed.chips == 0 and word != proposed.player):
        return _move(proposed, by=by)
    if moved := _existing_exchange(proposed):
        return moved
    lock_and_bump_open(proposed.night)
    if existing := _existing_request(proposed):
        return existing
    limits = () if proposed.beyond_limits else _limits(proposed)
    too_many = too_many_waiting(proposed.night, by)
    too_many_in_night = row_limits.CHIP_REQUESTS.exceeded(proposed.night.chip_requests)
    refuse([*_wrong_chips(proposed), *limits, *too_many, *too_many_in_night])
    store_cash_box(proposed.banker)
    return ChipRequest.objects.create(
        id=proposed.id,
        night=proposed.night,
        kind=proposed.kind,
        player=proposed.player,
        chips=proposed.chips,
        banker=proposed.banker,
        leaves=proposed.leaves,
        terms={BEYOND_LIMITS: True} if proposed.beyond_limits else None,
        charged=word,
        made_by=by,
    )


@transaction.atomic
def accept(request: ChipRequest, *, by: User | None, beyond_stack: bool = False) -> Done:
    """Accept the request and move its chips. Accepting it twice moves them once.

    Raises RefusedError if the request has ended, or NightClosedError.
    """
    lock_and_bump(request.night)
    request = refreshed(request)
    if request.state == State.ACCEPTED:
        return _done(request)
    lock_and_bump_open(request.night)
    refuse(not_waiting(request))
    moved = _move(_exchange_of(request, beyond_stack=beyond_stack), by=request.made_by)
    decide(request, State.ACCEPTED, by)
    return moved


@transaction.atomic
def decline(request: ChipRequest, *, by: User | None) -> ChipRequest:
    """Decline the request. Raises RefusedError if it was already decided differently."""
    return _end(request, State.REFUSED, by)


@transaction.atomic
def withdraw(request: ChipRequest, *, by: User | None) -> ChipRequest:
    """Withdraw the request. Raises RefusedError if it was already decided differently."""
    return _end(request, State.WITHDRAWN, by)


def end_with_night(night: Night) -> None:
    """End the night's waiting requests because the night closes.

    The caller has locked the night.
    """
    rows = ChipRequest.objects.filter(night=night, state=State.WAITING)
    rows.update(state=State.ENDED, decided_at=timezone.now())


def waiting(night: Night) -> QuerySet[ChipRequest]:
    """Return the night's waiting requests, oldest first."""
    rows = ChipRequest.objects.filter(night=night, state=State.WAITING)
    return rows.select_related("player", "banker", "charged", "made_by").order_by("made_at", "pk")


def waiting_or_answered(night: Night, by: User | None) -> QuerySet[ChipRequest]:
    """Return the night's waiting requests and the user's own recently decided requests."""
    since = timezone.now() - TOLD_FOR
    mine = Q(made_by=by, decided_at__gt=since) if by else Q()
    rows = ChipRequest.objects.filter(Q(state=State.WAITING) | mine, night=night)
    return rows.select_related("player", "banker", "charged", "made_by").order_by("made_at", "pk")


def _move(proposed: Exchange, *, by: User | None) -> BuyIn | CashOut | None:
    """Move the chips. The activity log records a confirmed exchange beyond the league's limits."""
    night, player, chips, banker = proposed.night, proposed.player, proposed.chips, proposed.banker
    exceeded = _exceeded_limits(proposed)
    moved: BuyIn | CashOut | None
    if proposed.kind == Kind.BUY_IN:
        moved = buy_in(night, player, chips, buy_in_id=proposed.id, by=by, banker=banker)
    else:
        back = cash_out_and_leave if proposed.leaves else cash_out
        terms = Terms(banker=banker, beyond_stack=proposed.beyond_stack)
        moved = back(night, player, chips, cash_out_id=proposed.id, by=by, terms=terms)
    if exceeded:
        kind = Kinds.LIMITS_EXCEEDED if proposed.kind == Kind.BUY_IN else Kinds.LEFT_EARLY
        log_action(kind, by=by, league=night.league, night=night.number, chips=chips)
    return moved


def _exceeded_limits(proposed: Exchange) -> list[Problem]:
    """Return the limits that a new exchange exceeds, or raise RefusedError if unconfirmed."""
    league = proposed.night.league
    if proposed.kind == Kind.BUY_IN:
        limited = has_limits(league)
    else:  # a player without chips may leave at any time
        limited = bool(league.leave_notice and proposed.leaves and proposed.chips)
    if not limited or _existing_exchange(proposed):
        return []
    lock_and_bump_open(proposed.night)
    exceeded = [] if _existing_exchange(proposed) else list(_limits(proposed))
    if exceeded and not proposed.beyond_limits:
        refuse([*_wrong_chips(proposed), *exceeded])
    return exceeded


def _limits(proposed: Exchange) -> Iterator[Problem]:
    night, player, chips = proposed.night, proposed.player, proposed.chips
    if proposed.kind == Kind.BUY_IN:
        yield from broken_limits(night, player, chips)
    elif proposed.leaves:
        yield from early_leave(night, player, chips)


def _existing_exchange(proposed: Exchange) -> BuyIn | CashOut | None:
    content = (proposed.night, proposed.player, proposed.chips, proposed.banker, proposed.id)
    if proposed.kind == Kind.BUY_IN:
        return recorded_already(BuyIn, *content)
    return recorded_already(CashOut, *content)


def _done(request: ChipRequest) -> BuyIn | CashOut | None:
    """Return the buy-in or cash-out of an accepted request."""
    return _existing_exchange(_exchange_of(request)) if request.state == State.ACCEPTED else None


def _exchange_of(request: ChipRequest, *, beyond_stack: bool = False) -> Exchange:
    return Exchange(
        kind=request.kind,
        id=request.pk,
        night=request.night,
        player=request.player,
        chips=request.chips,
        banker=request.banker,
        leaves=request.leaves,
        beyond_stack=beyond_stack,
        beyond_limits=bool(request.terms and request.terms.get(BEYOND_LIMITS)),
    )


def _existing_request(proposed: Exchange) -> ChipRequest | None:
    """Return the existing request with this id. Raises IdReusedError if its content differs."""
    rows = ChipRequest.objects.select_related("player", "banker", "charged", "made_by")
    row = rows.filter(pk=proposed.id).first()
    if row is None:
        return None
    if row.night_id != proposed.night.pk:
        raise IdReusedError
    row.night = proposed.night
    if replace(_exchange_of(row), beyond_stack=proposed.beyond_stack) != proposed:
        raise IdReusedError
    return row


def _wrong_chips(proposed: Exchange) -> Iterator[Problem]:
    night, player, chips, banker = proposed.night, proposed.player, proposed.chips, proposed.banker
    if proposed.kind == Kind.BUY_IN:
        yield from wrong_buy_in(night, player, chips, banker)
    else:
        terms = Terms(banker=banker, beyond_stack=proposed.beyond_stack)
        yield from wrong_cash_out(night, player, chips, terms)


def too_many_waiting(night: Night, by: User | None) -> Iterator[Problem]:
    """Yield a problem if the user has too many waiting requests.

    A charge counts as one request.
    """
    rows = waiting(night).filter(made_by=by).values_list("pk", "charge")
    if len({charge or pk for pk, charge in rows}) >= MOST_WAITING:
        yield problem(
            "", "too-many", f"{MOST_WAITING} of your requests wait for an answer: wait for one"
        )


def _end(request: ChipRequest, state: ChipRequest.State, by: User | None) -> ChipRequest:
    lock_and_bump(request.night)
    request = refreshed(request)
    if request.state != state:
        refuse(not_waiting(request))
        decide(request, state, by)
        if request.charge:  # the other players have nothing left to accept
            rest = ChipRequest.objects.filter(charge=request.charge, state=State.WAITING)
            rest.update(state=State.ENDED, decided_at=timezone.now())
    return request


def not_waiting(request: ChipRequest) -> Iterator[Problem]:
    if request.state != State.WAITING:
        state = "declined" if request.state == State.REFUSED else request.state
        yield problem("request", state, f"this request is already {state}")


def refreshed(request: ChipRequest) -> ChipRequest:
    """Return the request as stored in the database, with the same night object."""
    rows = ChipRequest.objects.select_related("player", "banker", "charged", "made_by")
    stored = rows.get(pk=request.pk)
    stored.night = request.night
    return stored


def decide(request: ChipRequest, state: ChipRequest.State, by: User | None) -> None:
    """Store the decision and the user who made it."""
    request.state, request.decided_by, request.decided_at = state, by, timezone.now()
    request.save(update_fields=["state", "decided_by", "decided_at"])

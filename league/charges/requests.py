"""Permissions for charges and requests for them, for pages, API and tokens.

* Scorekeepers, and tokens that can record, may charge costs, tips and payments into the fund. Above
  the league's limit, the charged player or a host has to accept first.
* Hosts may charge anything. Only hosts may take chips out of the fund.
* Side bets can be charged only as `side_bets` computes them, even by hosts.
* A tournament's result is charged only when the tournament is finished, and undone only when it is
  reopened.
* Hosts record starting cash. The cash box's share is added to it.

The league chooses the fund keeper. A requested charge has one `ChipRequest` for each player who has
to accept it.
"""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid5

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from league.access import Action, Visitor, may, person, player_of, require
from league.charges import charging, side_bets
from league.charges.charging import NewCharge, Share
from league.closing import chip_requests
from league.common import row_limits
from league.common.errors import IdReusedError, RefusedError, problem, refuse
from league.common.text import tidy
from league.models import (
    Charge,
    ChargeShare,
    ChipRequest,
    Hand,
    League,
    Night,
    Player,
    Role,
    Tournament,
    User,
)
from league.nights.cash_box import cash_box
from league.nights.nights import hands, lock_and_bump, lock_and_bump_open

Kind, State = Charge.Kind, ChipRequest.State
# scorekeepers may add charges of these kinds within the limit
FREELY = {Kind.COST, Kind.TIP, Kind.FUND}
SIDE_BETS = {
    Kind.BOUNTY,
    Kind.HIGH_HAND,
    Kind.SEASON_HIGH_HAND,
    Kind.BAD_BEAT,
    Kind.STAND_UP,
}
OPEN = {State.WAITING, State.ACCEPTED}
COUNTED_FOR = timedelta(days=1)  # the limit covers one day, across all nights


@transaction.atomic
def charge_or_request(
    visitor: Visitor, night: Night, new_charge: NewCharge, *, charge_id: UUID
) -> Charge | list[ChipRequest]:
    """Create the charge, or request it from the players who have to accept, once for each id.

    Raises PermissionDenied, RefusedError, IdReusedError or NightClosedError.
    """
    by, league = person(visitor), night.league
    new_charge = replace(new_charge, title=tidy(new_charge.title))
    if new_charge.kind == Kind.STARTING_CASH:  # the cash box owes the cash to its players
        chips = sum(share.net for share in new_charge.shares.values())
        shares = {**new_charge.shares, cash_box(league): Share(owes=chips)}
        new_charge = replace(new_charge, shares=shares)
    state = lock_and_bump(night)
    if made := Charge.objects.filter(pk=charge_id).select_related("keeper").first():
        new_charge = replace(new_charge, keeper=new_charge.keeper or made.keeper)
        return charging.charge(night, new_charge, charge_id=charge_id, by=by)
    if state == Night.State.CLOSED:  # the charge closes the night again
        require(visitor, Action.MANAGE, league)
    new_charge = _with_fund_keeper(league, new_charge)
    bet = _require_kind(visitor, night, new_charge, charge_id)
    rows = ChipRequest.objects.select_related("player", "charged", "made_by")
    requests = list(rows.filter(charge=charge_id).order_by("made_at", "pk"))
    sent = (night.pk, new_charge.title, _terms(new_charge))
    if any((each.night_id, each.title, each.terms) != sent for each in requests):
        raise IdReusedError
    manages = may(visitor, Action.MANAGE, league)
    if requests and not (manages and {request.state for request in requests} <= OPEN):
        return requests
    for request in requests:
        chip_requests.decide(request, State.ACCEPTED, by)
    if bet:
        return charge_bet(visitor, night, bet)
    players = [] if manages else _required_approvers(visitor, night, new_charge)
    if players:
        return _request(night, new_charge, charge_id, players, by=by)
    return charging.charge(night, new_charge, charge_id=charge_id, by=by)


@transaction.atomic
def charge_bet(visitor: Visitor, night: Night, bet: side_bets.SideBet) -> Charge:
    """Charge a computed side bet, and undo the charges that it replaces.

    Raises the same errors as `charging.charge`.
    """
    if bet.new_charge.fund < 0:
        require(visitor, Action.MANAGE, night.league)
    for replaced in bet.replaces:
        replaced.night = night
        charging.undo(replaced, by=person(visitor))
    return charging.charge(night, bet.new_charge, charge_id=bet.id, by=person(visitor))


@transaction.atomic
def accept(request: ChipRequest, *, by: User | None, beyond_stack: bool = False) -> None:
    """Accept a chip request. The chips of a charge move when the last player accepts.

    Raises NightClosedError, or RefusedError if the request was already decided or the chips can't
    be moved.
    """
    charge_id = request.charge
    if charge_id is None:
        chip_requests.accept(request, by=by, beyond_stack=beyond_stack)
        return
    lock_and_bump(request.night)
    request = chip_requests.refreshed(request)
    if request.state == State.ACCEPTED:
        return
    lock_and_bump_open(request.night)
    refuse(chip_requests.not_waiting(request))
    chip_requests.decide(request, State.ACCEPTED, by)
    if not ChipRequest.objects.filter(charge=charge_id).exclude(state=State.ACCEPTED).exists():
        terms: dict[str, Any] = request.terms or {}
        players = Player.objects.filter(league=request.night.league, pk__in=terms["shares"])
        shares = {who: Share(*terms["shares"][str(who.pk)]) for who in players}
        hand = Hand.objects.filter(night=request.night, pk=terms["hand"]).first()
        kind, fund = terms["kind"], terms["fund"]
        new_charge = _with_fund_keeper(
            request.night.league,
            NewCharge(kind=kind, title=request.title, shares=shares, hand=hand, fund=fund),
        )
        charging.charge(request.night, new_charge, charge_id=charge_id, by=request.made_by)


def may_undo(visitor: Visitor, charge: Charge) -> bool:
    """Check whether the visitor may undo the charge.

    A tournament's result is undone only by reopening the tournament. Hosts may undo every other
    charge. Scorekeepers may undo a charge that gave no other player more than the league's limit,
    but not payments into the fund, because that takes chips out of the fund.
    """
    league = charge.night.league
    if _has_tournament(charge):
        return False
    if may(visitor, Action.MANAGE, league):
        return True
    if not may(visitor, Action.KEEP_SCORE, league) or charge.fund > 0:
        return False
    own = player_of(visitor, league)
    shares = (each for each in charge.shares.all() if not own or each.player_id != own.pk)
    return all(each.net <= league.charge_limit for each in shares)


def undo(visitor: Visitor, charge: Charge) -> None:
    """Undo the charge. Raises PermissionDenied or RefusedError."""
    if not may_undo(visitor, charge):
        if _has_tournament(charge):
            text = "reopen the tournament to undo its result"
            raise RefusedError([problem("charge", "of-tournament", text)])
        raise PermissionDenied("Only a host can undo this charge.")
    charging.undo(charge, by=person(visitor))


def _has_tournament(charge: Charge) -> bool:
    """Check whether the charge is a tournament's result. Imported seasons have no tournaments."""
    return charge.kind == Kind.TOURNAMENT and Tournament.objects.filter(charge=charge.pk).exists()


def _with_fund_keeper(league: League, new_charge: NewCharge) -> NewCharge:
    """Return the charge with the league's fund keeper filled in.

    Raises RefusedError if the charge names a different keeper.
    """
    keeper = league.fund_keeper
    if new_charge.keeper is not None and new_charge.keeper != keeper:
        text = f"the fund of the league is kept by {keeper}" if keeper else "there is no fund"
        raise RefusedError([problem("keeper", "bad-keeper", text)])
    if new_charge.fund and keeper is None:
        text = "the league has no fund: a host chooses who keeps it in the settings"
        raise RefusedError([problem("keeper", "no-keeper", text)])
    return replace(new_charge, keeper=keeper if new_charge.fund else new_charge.keeper)


def _require_kind(
    visitor: Visitor, night: Night, new_charge: NewCharge, charge_id: UUID
) -> side_bets.SideBet | None:
    """Return the computed side bet that the charge confirms, if any.

    Raises PermissionDenied or RefusedError if the visitor can't make a charge of this kind.
    """
    if new_charge.fund < 0:
        require(visitor, Action.MANAGE, night.league)
    if new_charge.kind in SIDE_BETS | {Kind.FUND}:
        waiting = side_bets.of_night(night, hands(night), side_bets.charges_of(night))
        for bet in waiting:
            if bet.id == charge_id and bet.new_charge == new_charge:
                return bet
    if new_charge.kind in SIDE_BETS:
        text = "a side bet must be charged as in the list of side bets"
        raise RefusedError([problem("kind", "not-won", text)])
    if new_charge.kind == Kind.TOURNAMENT:
        text = "a tournament is charged when it is finished"
        raise RefusedError([problem("kind", "bad-kind", text)])
    if new_charge.kind == Kind.CASH_COUNT:
        text = "the cash box is counted when the night is closed"
        raise RefusedError([problem("kind", "bad-kind", text)])
    require(
        visitor, Action.KEEP_SCORE if new_charge.kind in FREELY else Action.MANAGE, night.league
    )
    return None


def _required_approvers(visitor: Visitor, night: Night, new_charge: NewCharge) -> list[Player]:
    """Return the other players whose charges in the last day exceed the limit.

    This charge is included. Charges that were made by hosts or accepted by the player are left out.
    """
    own, league = player_of(visitor, night.league), night.league
    owed = {
        who: -share.net for who, share in new_charge.shares.items() if share.net < 0 and who != own
    }
    since = timezone.now() - COUNTED_FOR
    hosts = User.objects.filter(memberships__league=league, memberships__role=Role.HOST)
    accepted = ChipRequest.objects.filter(
        night__season__league=league, state=State.ACCEPTED, made_at__gt=since
    ).exclude(charge=None)
    agreed = set(accepted.values_list("charge", "charged"))
    rows = ChargeShare.objects.filter(
        player__in=list(owed),
        charge__kind__in=FREELY,
        charge__made_at__gt=since,
        charge__posting__reversal=None,
        owes__gt=F("gets"),
    ).exclude(charge__made_by__in=hosts)
    before: Counter[UUID] = Counter()
    for charge, player, chips in rows.values_list("charge", "player", F("owes") - F("gets")):
        if (charge, player) not in agreed:
            before[player] += chips
    return [who for who, chips in owed.items() if chips + before[who.pk] > league.charge_limit]


def _request(
    night: Night, new_charge: NewCharge, charge_id: UUID, players: list[Player], *, by: User | None
) -> list[ChipRequest]:
    lock_and_bump_open(night)
    exceeded = row_limits.CHIP_REQUESTS.exceeded(night.chip_requests, adding=len(players))
    waiting = chip_requests.too_many_waiting(night, by)
    refuse([*charging.wrong_charge(night, new_charge), *waiting, *exceeded])
    return ChipRequest.objects.bulk_create(
        ChipRequest(
            id=uuid5(charge_id, str(player.pk)),
            night=night,
            kind=ChipRequest.Kind.CHARGE,
            player=player,
            chips=-new_charge.shares[player].net,
            charged=player,
            charge=charge_id,
            title=new_charge.title,
            terms=_terms(new_charge),
            made_by=by,
        )
        for player in players
    )


def _terms(new_charge: NewCharge) -> dict[str, Any]:
    shares = {str(who.pk): [share.gets, share.owes] for who, share in new_charge.shares.items()}
    hand = new_charge.hand and str(new_charge.hand.pk)
    return {"kind": str(new_charge.kind), "shares": shares, "hand": hand, "fund": new_charge.fund}

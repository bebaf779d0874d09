"""A league with an object of every kind, and clients for every kind of caller."""

from dataclasses import dataclass, field
from datetime import time, timedelta
from typing import Any
from uuid import uuid4

from django.test import Client
from django.utils import timezone

from league.charges.charging import NewCharge, Share, charge
from league.chat.services import add_channel
from league.closing import payments, receipts
from league.closing.cash_outs import cash_out
from league.closing.chip_requests import Exchange, exchange
from league.closing.close import Decisions, close_night
from league.games import house_games
from league.hands.objections import object_to
from league.models import (
    BuyIn,
    ConflictingRecord,
    Delivery,
    Hand,
    HouseGame,
    League,
    Night,
    Payment,
    PaymentPlan,
    Player,
    Role,
    Scope,
)
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people import devices, joining
from league.people.api_keys import make_link, make_token
from league.people.joining import invite
from league.people.leagues import add_member, add_player
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import Details, plan
from league.planned_nights.series import Rhythm, make_series
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from league.tournaments.making import call_off
from tests.helpers.league.house_games import CROSS
from tests.helpers.league.leagues import a_league, a_night, a_user, holdem, player
from tests.helpers.league.receiver import a_hook
from tests.helpers.league.tournaments import a_tournament, entered


@dataclass(frozen=True)
class World:
    """A league with two nights. `closed` is older than `night`.

    For the closed night, bob owes ann 10, of which 5 are reported as paid.
    """

    league: League
    night: Night
    closed: Night
    hand: Hand
    ann: Player
    plan: PaymentPlan
    payment: Payment
    game: HouseGame
    token: str
    delivery: Delivery
    more: dict[str, Any] = field(default_factory=dict)

    def ids(self) -> dict[str, Any]:
        """Return the values for path parameters, by name."""
        return {
            "league_id": self.league.pk,
            "season_id": self.night.season_id,
            "night_id": self.night.pk,
            "player_id": self.ann.pk,
            "hand_id": self.hand.pk,
            "plan_id": self.plan.pk,
            "payment_id": self.payment.pk,
            "key": f"tab:{self.ann.pk}",
            "token": self.token,
            "webhook_id": self.delivery.webhook_id,
            "delivery_id": self.delivery.pk,
            "slug": self.game.slug,
            "code": self.league.code,
            **self.more,
        }


def a_world() -> World:
    closed = a_night()
    league, host = closed.league, closed.league.created_by
    record_hand(closed, uuid4(), holdem(), by=None)
    closing = close_night(closed, uuid4(), by=host, decisions=Decisions(by_hands=True))
    planned = closing.plan.payments.get()
    payment = payments.promise(planned, uuid4(), 5, by=host)
    ann, bob = player(closed, "ann"), player(closed, "bob")
    hook = a_hook(league, "https://hooks.example.org/")
    night = open_night(league, players=[ann, bob])
    for each in (ann, bob):
        buy_in(night, each, 100, buy_in_id=uuid4(), by=None)
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    closed.refresh_from_db()
    return World(
        league=league,
        night=night,
        closed=closed,
        hand=hand,
        ann=ann,
        plan=closing.plan,
        payment=payment,
        game=house_games.write(league, CROSS, by=host),
        token=receipts.share(closed, by=host),
        delivery=Delivery.objects.filter(webhook=hook).earliest("due_at"),
    )


def furnish(world: World) -> None:
    """Add rarely used rows: a phone, a member, both kinds of chip movements, a conflict."""
    night, bob = world.night, player(world.night, "bob")
    phone = devices.remember(world.league, a_user(), bob, session_key="phone", kind="Chrome")
    knew = ClientContext(origin="another phone", seen=0, number=1)
    other = holdem(board=[["2h", "7d", "9s", "Jd", "Qd"]])
    conflict = record_hand(night, uuid4(), other, by=None, context=knew).conflict
    assert conflict
    assert conflict.state == ConflictingRecord.State.WAITING
    wanted = Exchange(kind="buy-in", id=uuid4(), night=night, player=bob, chips=5, banker=world.ann)
    request = exchange(wanted, by=phone.user, word=world.ann)
    assert request
    shares = {world.ann: Share(owes=3), bob: Share(gets=3)}
    wanted_charge = NewCharge(kind="cost", title="Pizza", shares=shares)
    charged = charge(night, wanted_charge, charge_id=uuid4(), by=None)
    planned = plan(night.league, uuid4(), timezone.now() + timedelta(days=3), Details(), by=None)
    rhythm = Rhythm(starts_on=timezone.now().date() + timedelta(days=1), at=time(20))
    weekly = make_series(night.league, uuid4(), rhythm, Details(seats=7), by=None)
    answer_for(planned, world.ann, "yes", brings="crisps")
    tournament = a_tournament(night)
    entered(tournament, "ann", "bob")
    call_off(tournament, by=None)  # otherwise the night can't be closed; see `routes.address`
    at = "https://ntfy.example.org/thursdays"
    channel = add_channel(world.league, uuid4(), at, by=world.league.created_by)
    invitation, token = invite(world.league, "dan", by=world.league.created_by or a_user())
    host = world.league.created_by
    objection = object_to(world.hand, world.ann, "Wrong winner", objection_id=uuid4(), by=host)
    knocking, _ = joining.request_to_join(world.league, player(world.closed, "cat"), user=a_user())
    world.more.update(
        charge_id=charged.pk,
        bet_id=uuid4(),
        tournament_id=tournament.pk,
        event_id=tournament.events.earliest("number").pk,
        channel_id=channel.pk,
        post_id=channel.posts.get().pk,
        planned_night_id=planned.pk,
        series_id=weekly.pk,
        invitation_id=invitation.pk,
        invitation=token,
        knocking=knocking.pk,
        member_id=add_member(world.league, a_user(), Role.PLAYER).pk,
        device_id=phone.pk,
        buy_in_id=BuyIn.objects.filter(night=night, player=bob).earliest("made_at").pk,
        cash_out_id=cash_out(night, bob, 5, cash_out_id=uuid4(), by=None).pk,
        conflict_id=conflict.pk,
        request_id=request.pk,
        objection_id=objection.pk,
    )


def at_the_door(league: League) -> dict[str, Client]:
    """Return clients for all kinds of callers, by name."""
    doors = {"nobody": Client(), "outsider": _signed_in(a_league(), Role.HOST)}
    doors |= {role.value: _signed_in(league, role) for role in Role}
    doors |= {f"{scope.value} token": with_token(league, Role.HOST, scope) for scope in Scope}
    doors["token of a viewer"] = with_token(league, Role.VIEWER, Scope.MANAGE)
    doors |= {"phone": _phone(league, "dan"), "waiting phone": _waiting(league)}
    doors["signed-out phone"] = _signed_out(league)
    doors["token of another league"] = with_token(a_league(), Role.HOST, Scope.MANAGE)
    return doors


def token_text(league: League, role: Role, scope: Scope) -> str:
    """Return a token whose owner has this role."""
    user = a_user()
    add_member(league, user, role)
    return make_token(league, user, "program", scope)[1]


def with_token(league: League, role: Role, scope: Scope) -> Client:
    text = token_text(league, role, scope)
    return Client(headers={"Authorization": f"Bearer {text}"}, enforce_csrf_checks=True)


def link_to(league: League) -> str:
    """Return the key of a feed link."""
    return make_link(league, "link", by=None)[1]


def _phone(league: League, name: str) -> Client:
    """Return a client for a phone that joined with the code as this player."""
    client = Client()
    form = {"player": str(league.players.get(name=name).pk)}
    client.post(f"/join/{league.code}", form)
    return client


def _signed_out(league: League) -> Client:
    """Return a client for a phone that joined and was then signed out by a host."""
    guest = add_player(league, "a guest who is gone")
    client = _phone(league, guest.name)
    devices.free(guest, by=league.created_by)
    return client


def _waiting(league: League) -> Client:
    """Return a client for a phone that is waiting for a host's approval."""
    League.objects.filter(pk=league.pk).update(approves=True)
    client = _phone(league, "cat")
    League.objects.filter(pk=league.pk).update(approves=False)
    return client


def _signed_in(league: League, role: Role) -> Client:
    client, user = Client(), a_user()
    add_member(league, user, role)
    client.force_login(user)
    return client

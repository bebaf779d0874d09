"""A league with one of everything, and everybody who may stand at its door."""

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.test import Client

from league import devices, house_games, paying, receipts
from league.cashing import cash_out
from league.closing import Decisions, close_night
from league.keys import make_link, make_token
from league.leagues import add_member
from league.models import (
    BuyIn,
    Delivery,
    Hand,
    HouseGame,
    League,
    Night,
    Payment,
    Plan,
    Player,
    Rival,
    Role,
    Scope,
)
from league.nights import buy_in, open_night
from league.recording import Knew, record_hand
from tests.league.house import CROSS
from tests.league.tables import a_league, a_night, a_user, holdem, player
from tests.webhooks.receiver import a_hook


@dataclass(frozen=True)
class World:
    """`closed` was played before `night`; ann owes bob of it, 5 of 10 are promised."""

    league: League
    night: Night
    closed: Night
    hand: Hand
    ann: Player
    plan: Plan
    payment: Payment
    game: HouseGame
    token: str
    delivery: Delivery
    more: dict[str, Any] = field(default_factory=dict)

    def ids(self) -> dict[str, Any]:
        """What stands in the addresses, by the name of its place."""
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
            "hook_id": self.delivery.hook_id,
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
    payment = paying.promise(planned, uuid4(), 5, by=host)
    ann, bob = player(closed, "ann"), player(closed, "bob")
    hook = a_hook(league, "https://93.184.215.14/")
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
        delivery=Delivery.objects.filter(hook=hook).earliest("due_at"),
    )


def furnish(world: World) -> None:
    """Add what few addresses are about: a phone, a member, chips bought and given back, a rival."""
    night, bob = world.night, player(world.night, "bob")
    phone = devices.remember(world.league, a_user(), bob, session_key="phone", kind="Chrome")
    knew = Knew(origin="another phone", seen=0, number=1)
    other = holdem(board=[["2h", "7d", "9s", "Jd", "Qd"]])
    rival = record_hand(night, uuid4(), other, by=None, knew=knew).rival
    assert rival
    assert rival.state == Rival.State.WAITING
    world.more.update(
        member_id=add_member(world.league, a_user(), Role.PLAYER).pk,
        phone_id=phone.pk,
        buy_in_id=BuyIn.objects.filter(night=night, player=bob).earliest("made_at").pk,
        cash_out_id=cash_out(night, bob, 5, cash_out_id=uuid4(), by=None).pk,
        rival_id=rival.pk,
    )


def at_the_door(league: League) -> dict[str, Client]:
    """Everybody, by what they are to the league."""
    doors = {"nobody": Client(), "outsider": _signed_in(a_league(), Role.HOST)}
    doors |= {role.value: _signed_in(league, role) for role in Role}
    doors |= {f"{scope.value} token": with_token(league, Role.HOST, scope) for scope in Scope}
    doors["token of a viewer"] = with_token(league, Role.VIEWER, Scope.MANAGE)
    doors["token of another league"] = with_token(a_league(), Role.HOST, Scope.MANAGE)
    return doors


def with_token(league: League, role: Role, scope: Scope) -> Client:
    user = a_user()
    add_member(league, user, role)
    _, text = make_token(league, user, "program", scope)
    return Client(headers={"Authorization": f"Bearer {text}"}, enforce_csrf_checks=True)


def link_to(league: League) -> str:
    """Return the key of a feed link."""
    return make_link(league, "link", by=None)[1]


def _signed_in(league: League, role: Role) -> Client:
    client, user = Client(), a_user()
    add_member(league, user, role)
    client.force_login(user)
    return client

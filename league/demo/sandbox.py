"""Demo leagues: a private league for each visitor who tries the service without an account.

A demo league has two closed nights, an open night and six players. The visitor is its host and one
of its players. A demo league's book is disposable, so the league can be deleted with all its rows a
day after the start. `DEMO_READY` leagues are prepared in advance, because preparing a league takes
too long during a request.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache as cache_forever
from pathlib import Path
from uuid import UUID, uuid4

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction
from django.db.models import DateTimeField, Q, QuerySet, UUIDField
from django.utils import timezone

from league.closing.close import Decisions, close_night
from league.common.statements import Given, RowLookup, Statement
from league.demo.full_season import A_HAND_TAKES, CHIP_VALUE, NAMES, SEATS, Deal, close_and_pay
from league.hands.validation import Verdict
from league.hands.writing import write_hands
from league.models import ClosingJob, DemoLeague, Hand, League, Night, Player, User
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people.leagues import add_player, make_league
from league.privacy.erasure import delete_league
from league.stats.count import rebuild
from rules import settle_many

NAME = "The Thursday Table"
BUY_IN = 160
LASTS = timedelta(days=1)
READY_FOR = timedelta(hours=6)  # an open night that is older would look abandoned
MOST_LEAGUES = 400
# How long ago the nights in `sandbox.json` started. The last night is open.
BEGAN = (timedelta(days=14), timedelta(days=7), timedelta(minutes=26))
PREPARING, PREPARING_SECONDS = "demo-preparing", 30
HANDS = Path(__file__).with_name("sandbox.json")


class DemoFullError(Exception):
    """No demo league is ready, or there are `MOST_LEAGUES`."""


@transaction.atomic
def claim_prepared() -> DemoLeague | None:
    """Hand out a prepared league, or return None if no league is ready."""
    demo = READY.first(since=timezone.now() - READY_FOR)
    return _start(demo) if demo else None


def start_new() -> DemoLeague:
    """Prepare a league and hand it out. Raises DemoFullError.

    Requests prepare one league at a time, so that many visitors don't slow down the tables.
    """
    if not cache.add(PREPARING, 1, PREPARING_SECONDS):
        raise DemoFullError
    try:
        return _start(prepare_demo())
    finally:
        cache.delete(PREPARING)


def ready(since: datetime | Given) -> QuerySet[DemoLeague]:
    """Return the leagues that can be handed out, if they were completed after `since`."""
    return DemoLeague.objects.filter(started_at=None, ready_at__gt=since)


# Compiled once, because many visitors may start at the same time.
READY = RowLookup(
    ready(Given("since", DateTimeField()))
    .select_for_update(of=("self",), skip_locked=True)
    .select_related("user")
)
OPEN_NIGHT = Statement(
    Night.objects.filter(
        season__league=Given("league", UUIDField()), state=Night.State.OPEN
    ).order_by("-started_at"),
    "pk",
)


def open_night_of(demo: DemoLeague) -> UUID | None:
    return next((night for (night,) in OPEN_NIGHT.rows(league=demo.league_id)), None)


def _start(demo: DemoLeague) -> DemoLeague:
    demo.started_at = timezone.now()
    demo.save(update_fields=["started_at"])
    return demo


def maintain_demos() -> None:
    """Delete the leagues that have expired, and prepare new ones."""
    now = timezone.now()
    unused = (
        Q(started_at=None, made_at__lte=now - READY_FOR) if settings.DEMO else Q(started_at=None)
    )
    for demo in DemoLeague.objects.filter(unused | Q(started_at__lte=now - LASTS)):
        delete_demo(demo)
    wanted = settings.DEMO_READY if settings.DEMO else 0
    with suppress(DemoFullError):
        for _ in range(wanted - ready(now - READY_FOR).count()):
            prepare_demo()


@transaction.atomic
def delete_demo(demo: DemoLeague) -> None:
    """Delete the league with all its rows, and its visitor."""
    user = demo.user
    delete_league(demo.league)
    keys = UserSession.objects.filter(user=user).values("session_key")
    Session.objects.filter(session_key__in=keys).delete()
    user.delete()


def prepare_demo() -> DemoLeague:
    """Create a demo league and the user who will be its visitor. Raises DemoFullError.

    Each step is a transaction, so that open nights can write in between on SQLite. If several
    processes prepare leagues concurrently, the number may slightly exceed `MOST_LEAGUES`.
    """
    if DemoLeague.objects.count() >= MOST_LEAGUES:
        raise DemoFullError
    with transaction.atomic():
        name = f"demo-{uuid4().hex[:20]}"
        user = User.objects.create_user(name, first_name=NAMES[0], in_demo=True)
        league = make_league(user, NAME, chip_value=CHIP_VALUE, disposable=True)
        demo = DemoLeague.objects.create(league=league, user=user)
    players = [
        add_player(league, name, user=None if place else user)
        for place, name in enumerate(NAMES[:SEATS])
    ]
    nights = [
        _night(league, players, deals, began, user)
        for deals, began in zip(_nights(), BEGAN, strict=True)
    ]
    close_and_pay(nights[0], user)
    close_night(nights[1], uuid4(), by=user, decisions=Decisions(by_hands=True))
    rebuild(league.pk)
    demo.ready_at = timezone.now()
    demo.save(update_fields=["ready_at"])
    return demo


def _night(
    league: League, players: Sequence[Player], deals: Sequence[Deal], began: timedelta, by: User
) -> Night:
    """Return an open night with these hands. The night never closes automatically."""
    starts = timezone.now() - began
    night = open_night(league, usual_buy_in=BUY_IN, players=players, started_at=starts)
    ClosingJob.objects.filter(night=night).delete()
    for player in players:
        buy_in(night, player, BUY_IN, buy_in_id=uuid4(), by=by)
    ids: dict[str, UUID] = {player.name: player.pk for player in players}
    settled = [
        (
            Hand(id=uuid4(), night=night, made_at=starts + number * A_HAND_TAKES),
            Verdict(
                record=deal.record,
                variant=deal.record["variant"],
                answer=dict(deal.answer),
                names=ids,
            ),
        )
        for number, deal in enumerate(deals, start=1)
    ]
    write_hands(night, settled, by=None)  # the visitor has not just saved the last hand
    return night


@cache_forever
def _nights() -> tuple[tuple[Deal, ...], ...]:
    """Return the settled hands of each night. The hands are settled once per process."""
    nights = json.loads(HANDS.read_text())
    return tuple(
        tuple(Deal(*each) for each in zip(records, settle_many(records), strict=True))
        for records in nights
    )

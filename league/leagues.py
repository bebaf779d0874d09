"""Make a league and bring people into it."""

import re
import secrets
from collections.abc import Iterator
from functools import cache
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo, available_timezones

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from league.logbook import Kind, note
from league.models import MOST_CHIPS, League, Membership, Player, Role, Season, User
from league.pulse import move_league_on
from league.refusals import Fault, KeyReused, fault, refuse
from league.texts import tidy, wrong_text
from ledger.posting import open_book

CODE_LENGTH = 6
# Without I and O: people read a code aloud and type it from across the table.
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


@transaction.atomic
def make_league(
    user: User, name: str, *, currency: str = "USD", time_zone: str = "UTC", chip_value: int = 1
) -> League:
    """Make a league with its book and first season; the user becomes its host.

    `chip_value` is what the smallest chip is worth, in minor units of the currency. Raises Refused.
    """
    refuse([*wrong_text("name", name), *wrong_terms(currency, time_zone, chip_value)])
    league = League.objects.create(
        name=tidy(name),
        currency=currency,
        time_zone=time_zone,
        chip_value=chip_value,
        code=_new_code(),
        book=open_book(tidy(name)),
        created_by=user,
    )
    Membership.objects.create(league=league, user=user, role=Role.HOST)
    add_season(league)
    return league


def add_season(league: League, name: str = "") -> Season:
    """Add a season that starts today in the league's time zone. Raises Refused."""
    refuse(wrong_text("name", name, needed=False))
    today = timezone.localdate(timezone=ZoneInfo(league.time_zone))
    name = tidy(name) or f"Season {league.seasons.count() + 1}"
    return Season.objects.create(league=league, name=name, starts_on=today)


def latest_season(league: League) -> Season:
    """Return the season that began last; of one day's, the one that goes on."""
    rows = league.seasons.order_by("starts_on", F("ends_on").asc(nulls_last=True), "name")
    return list(rows)[-1]


@transaction.atomic
def add_player(
    league: League,
    name: str,
    *,
    player_id: UUID | None = None,
    user: User | None = None,
    is_guest: bool = False,
) -> Player:
    """Add a name to the league, once for each id where one is given.

    The same name in other letters is the same. Raises Refused, KeyReused.
    """
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    if player_id and (found := Player.objects.filter(pk=player_id).first()):
        if (found.league_id, found.name) != (league.pk, tidy(name)):
            raise KeyReused
        return found
    refuse(_wrong_player(league, name))
    move_league_on(league.pk)
    return Player.objects.create(
        id=player_id or uuid4(), league=league, name=tidy(name), user=user, is_guest=is_guest
    )


@transaction.atomic
def add_member(league: League, user: User, role: Role) -> Membership:
    """Give the user this role in the league, in place of the one held before."""
    move_league_on(league.pk)
    membership, _ = Membership.objects.update_or_create(
        league=league, user=user, defaults={"role": role}
    )
    return membership


def wrong_terms(currency: object, time_zone: object, chip_value: object) -> Iterator[Fault]:
    """Yield what is wrong with the money and the clock of a league."""
    if not (isinstance(currency, str) and re.fullmatch("[A-Z]{3}", currency)):
        yield fault("currency", "bad-currency", "a currency is three capital letters, as USD")
    if time_zone not in time_zones():
        yield fault("time_zone", "bad-time-zone", "a time zone is named as Europe/Berlin is")
    yield from wrong_chips("chip_value", chip_value)


@cache
def time_zones() -> frozenset[str]:
    """Return the names of all time zones; finding them means reading hundreds of files."""
    return frozenset(available_timezones())


def wrong_chips(where: str, chips: object) -> Iterator[Fault]:
    """Yield what is wrong with a number of chips that must be at least one."""
    if not isinstance(chips, int) or isinstance(chips, bool) or not 1 <= chips <= MOST_CHIPS:
        yield fault(where, "bad-chips", f"this must be a whole number from 1 to {MOST_CHIPS}")


def _wrong_player(league: League, name: object) -> Iterator[Fault]:
    wrong = list(wrong_text("name", name))
    yield from wrong
    if not wrong and league.players.filter(name__iexact=tidy(str(name))).exists():
        yield fault("name", "name-twice", "the league has a player of this name")


@transaction.atomic
def renew_code(league: League, *, by: User | None = None) -> League:
    """Give the league another code to join by; the one before joins nobody any more."""
    league.code = _new_code()
    move_league_on(league.pk)
    league.save(update_fields=["code"])
    note(Kind.CODE_RENEWED, by=by, league=league)
    return league


def _new_code() -> str:
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if not League.objects.filter(code=code).exists():
            return code

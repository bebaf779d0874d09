"""Create leagues, and add seasons, players and members."""

import re
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo, available_timezones

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.change_version import bump_league
from league.common import row_limits
from league.common.errors import IdReusedError, Problem, problem, refuse, wrong_number
from league.common.locks import lock_league
from league.common.money import decimals_of, is_whole
from league.common.text import lookalike_key, tidy, wrong_name, wrong_text
from league.models import (
    MOST_CHIPS,
    FormerName,
    JoinRequest,
    League,
    Membership,
    Night,
    Player,
    Role,
    Season,
    User,
)
from league.models.people import USUAL_CHARGE_LIMIT
from ledger.posting import open_book

_CURRENCY = re.compile("[A-Z]{3}")
# Eight letters from a 24-letter alphabet give about 110 billion possible codes. Codes of older
# leagues have six letters (191 million codes) and stay valid until renewed
# (docs/decisions/0022-who-may.md).
CODE_LENGTH = 8
CODE_LENGTHS = (6, CODE_LENGTH)
# I and O are excluded, because players read codes aloud or type them from a screen across the
# table.
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
COLOURS = 10  # of players: --player-0 to --player-9 in tokens.css


@transaction.atomic
def make_league(
    user: User,
    name: str,
    *,
    currency: str = "USD",
    time_zone: str = "UTC",
    chip_value: int = 1,
    disposable: bool = False,
) -> League:
    """Create a league with its book and first season. The user becomes its host.

    `chip_value` is the value of the smallest chip, in the currency's minor units. Only a league
    with a `disposable` book can be deleted later. Raises RefusedError.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    too_many = row_limits.LEAGUES.exceeded(user.memberships)
    refuse([*wrong_text("name", name), *wrong_terms(currency, time_zone, chip_value), *too_many])
    limit = USUAL_CHARGE_LIMIT * (10 ** decimals_of(currency) if is_whole(currency) else 1)
    league = League.objects.create(
        name=tidy(name),
        currency=currency,
        time_zone=time_zone,
        chip_value=chip_value,
        charge_limit=max(1, limit // chip_value),
        code=_new_code(),
        book=open_book(tidy(name), disposable=disposable),
        created_by=user,
    )
    Membership.objects.create(league=league, user=user, role=Role.HOST)
    add_season(league)
    return league


@transaction.atomic
def add_season(league: League, name: str = "") -> Season:
    """Add a season that starts today in the league's time zone. Raises RefusedError."""
    refuse(wrong_text("name", name, needed=False))
    lock_league(league.pk)
    taken, name = set(league.seasons.values_list("name", flat=True)), tidy(name)
    if name in taken:
        refuse([problem("name", "name-twice", "the league already has a season with this name")])
    refuse(row_limits.SEASONS.exceeded(len(taken)))
    free = (f"Season {number}" for number in count(len(taken) + 1))
    return Season.objects.create(
        league=league,
        name=name or next(each for each in free if each not in taken),
        starts_on=timezone.localdate(timezone=ZoneInfo(league.time_zone)),
    )


def latest_season(league: League) -> Season:
    """Return the season that started last.

    If several seasons started on that day, an open season takes precedence.
    """
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
    """Add a player to the league, once for each id if an id is given.

    Names that differ only in case are the same. Raises RefusedError, IdReusedError.
    """
    lock_league(league.pk)
    if player_id and (player := Player.with_box.filter(pk=player_id).first()):
        if (player.league_id, player.name) != (league.pk, tidy(name)):
            raise IdReusedError
        return player
    refuse([*wrong_new_name(league, name), *row_limits.PLAYERS.exceeded(league.players)])
    bump_league(league.pk)
    return Player.objects.create(
        id=player_id or new_player_id(league),
        league=league,
        name=tidy(name),
        user=user,
        is_guest=is_guest,
    )


def wrong_new_name(
    league: League, name: object, *, player: Player | None = None
) -> Iterator[Problem]:
    """Yield the problems with a name for a new player, or with a new name for `player`."""
    wrong = list(wrong_name(name))
    taken = None if wrong else taken_names(league, player).get(lookalike_key(tidy(str(name))))
    yield from [taken] if taken else wrong


def taken_names(league: League, player: Player | None = None) -> dict[str, Problem]:
    """Return the problems with the names that a new player, or `player`, can't take.

    Keys are made by `lookalike_key`.
    """
    others = Player.with_box.filter(league=league)
    rows = FormerName.objects.filter(night__season__league=league)
    reserved = Q(night__state=Night.State.OPEN) | Q(on_receipt=True)
    if player:
        others = others.exclude(pk=player.pk)
        reserved |= Q(night__in=Night.objects.filter(seats__player=player))
    twice = problem("name", "name-twice", "the league already has a player with this name")
    taken = _former_names(rows.filter(reserved), player)
    return taken | dict.fromkeys(map(lookalike_key, others.values_list("name", flat=True)), twice)


def names_on_receipts(league: League) -> dict[str, str]:
    """Return the current names of renamed players, keyed by the names on earlier receipts."""
    rows = FormerName.objects.filter(player__league=league, on_receipt=True)
    return dict(rows.values_list("name", "player__name").distinct())


def wrong_former_name(rows: QuerySet[FormerName], name: str, player: Player) -> Iterator[Problem]:
    """Yield a problem if the name is one of these former names of another player.

    A phone may still send the former name, and its hand must not count for `player`.
    """
    if wrong := _former_names(rows, player).get(lookalike_key(name)):
        yield wrong


def _former_names(rows: QuerySet[FormerName], player: Player | None) -> dict[str, Problem]:
    columns = ("player__name", "name", "on_receipt", "night__state")
    # of several reasons for a name, the receipt is the last one and replaces the others
    others = rows.exclude(player=player).order_by("on_receipt").values_list(*columns)
    taken = {}
    for owner, former, on_receipt, state in others.distinct():
        where = "still open" if state == Night.State.OPEN else "shared with this player"
        # after a renaming or an import
        text = f"{owner} was called {former} in a night that is {where}"
        if on_receipt:
            text = f"{owner} was called {former} on earlier receipts"
        text = f"{text}: choose a different name"
        taken[lookalike_key(former)] = problem("name", "name-twice", text)
    return taken


@transaction.atomic
def add_member(league: League, user: User, role: Role) -> Membership:
    """Give the user this role in the league, replacing any earlier role."""
    bump_league(league.pk)
    membership, _ = Membership.objects.update_or_create(
        league=league, user=user, defaults={"role": role}
    )
    return membership


def wrong_terms(currency: object, time_zone: object, chip_value: object) -> Iterator[Problem]:
    """Yield the problems with a league's currency, time zone and chip value."""
    yield from wrong_currency(currency)
    if not isinstance(time_zone, str) or time_zone not in time_zones():
        yield problem(
            "time_zone", "bad-time-zone", "this must be a time zone such as Europe/Berlin"
        )
    yield from wrong_chips("chip_value", chip_value)


def wrong_currency(currency: object) -> Iterator[Problem]:
    if not (isinstance(currency, str) and _CURRENCY.fullmatch(currency)):
        yield problem("currency", "bad-currency", "this must be a three-letter code such as USD")


@cache
def time_zones() -> frozenset[str]:
    """Return the names of all time zones.

    The names are cached, because reading them opens hundreds of files.
    """
    return frozenset(available_timezones())


def wrong_chips(where: str, chips: object) -> Iterator[Problem]:
    """Yield the problems with a number of chips, which must be at least 1."""
    yield from wrong_number(where, chips, 1, MOST_CHIPS, code="bad-chips")


@transaction.atomic
def renew_code(league: League, *, by: User | None = None) -> League:
    """Replace the league's join code. The old code stops working.

    Phones that are waiting for approval used the old code, so they have to send a new request.
    """
    bump_league(league.pk)
    league.code = _new_code()
    waiting = JoinRequest.objects.filter(league=league, state=JoinRequest.State.WAITING)
    waiting.update(state=JoinRequest.State.ENDED, decided_at=timezone.now(), email="")
    log_action(Kind.CODE_RENEWED, by=by, league=league)
    # Lock the journal first. When a unique column changes, PostgreSQL blocks every transaction that
    # references the row. The transaction that holds the journal's lock references the league when
    # it commits.
    league.save(update_fields=["code"])
    return league


def _new_code() -> str:
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if not League.objects.filter(code=code).exists():
            return code


def colour_of(player: UUID) -> int:
    """Return the number of the player's colour. Pages know it from the id, without a look-up."""
    return player.int % COLOURS


def distinct_colours(players: Iterable[UUID]) -> list[int]:
    """Return a colour for each line of a chart: the player's, or the next if others have it."""
    colours: list[int] = []
    for player in players:
        fewest = min(map(colours.count, range(COLOURS)))
        colour = colour_of(player)
        while colours.count(colour) > fewest:
            colour = (colour + 1) % COLOURS
        colours.append(colour)
    return colours


def new_player_id(league: League, key: UUID | None = None) -> UUID:
    """Return an id with one of the colours that the fewest players in the league have.

    It is random, or one of the `COLOURS` ids that belong to the key. If one of these is a player's
    id, it is returned again.
    """
    made = key or uuid4()
    first = made.int - colour_of(made)
    ids = [UUID(int=first + colour) for colour in range(COLOURS)]
    players = set(league.players.values_list("pk", flat=True))
    used = Counter(map(colour_of, players))
    known = [each for each in ids if each in players]
    return known[0] if known else min(ids, key=lambda each: used[colour_of(each)])

"""Record answers to planned nights: which players come, with which guests, and what they bring."""

from collections.abc import Iterator

from django.db import transaction
from django.utils import timezone

from league.change_version import bump_league
from league.common import row_limits
from league.common.errors import Problem, RefusedError, problem, refuse
from league.common.locks import lock_league
from league.common.text import tidy, wrong_name, wrong_text
from league.models import (
    LONGEST_PLACE,
    League,
    NightAnswer,
    PlannedNight,
    Player,
)
from league.planned_nights.messages import notify_moved_up
from league.planned_nights.waiting_list import Attendance, attendance, change
from rules.api import seen_as

MOST_GUESTS = 5
Says = NightAnswer.Says


@transaction.atomic
def answer_for(
    planned: PlannedNight,
    who: Player | str,
    says: str,
    *,
    guests: int | None = None,
    brings: str | None = None,
) -> NightAnswer:
    """Record an answer from a player, or from a new guest by name. The latest answer counts.

    `guests` and `brings` stay unchanged if they are None. Raises RefusedError.
    """
    planned = lock(planned)
    name = who if isinstance(who, str) else ""
    refuse(_problems(planned, who, says, guests or 0, brings or ""))
    player = find_by_name(planned.league, name) if name else who
    mine = {"player": player} if isinstance(player, Player) else {"player": None}
    rows = NightAnswer.objects.filter(planned_night=planned, **mine)
    answer = (rows if mine["player"] else rows.filter(name__iexact=tidy(name))).first()
    if answer is None:
        # Players' answers need no limit, because the number of players in a league is limited.
        if mine["player"] is None:
            guests_known = NightAnswer.objects.filter(planned_night=planned, player=None)
            refuse(row_limits.ANSWERS.exceeded(guests_known, where="planned_night"))
        new = {"name": "" if mine["player"] else tidy(name), **mine}
        answer = NightAnswer(planned_night=planned, **new)
    before = attendance_of(planned)
    change(answer, says, answer.guests if guests is None else guests, timezone.now())
    answer.brings = "" if says == Says.NO else answer.brings if brings is None else tidy(brings)
    answer.save()
    notify_moved_up(planned, before, attendance_of(planned))
    bump_league(planned.league_id)
    return answer


def answer_as_guest(
    planned: PlannedNight,
    name: str,
    says: str,
    *,
    guests: int | None = None,
    brings: str | None = None,
) -> NightAnswer:
    """Record an answer by name from a visitor without an account. Raises RefusedError.

    If a user has claimed the name, the answer requires that player's own link or a sign-in.
    """
    player = find_by_name(planned.league, name)
    if player and player.user_id is not None:
        text = "this player has joined: sign in, or use your personal link"
        raise RefusedError([problem("name", "name-joined", text)])
    return answer_for(planned, name, says, guests=guests, brings=brings)


def lock(planned: PlannedNight) -> PlannedNight:
    """Lock the league and then the planned night. Return the reloaded night."""
    lock_league(planned.league_id)
    rows = PlannedNight.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("league__book").get(pk=planned.pk)


def not_planned(planned: PlannedNight) -> Problem:
    """Return the problem with changing a night that has started or was cancelled."""
    if planned.state == PlannedNight.State.STARTED:
        return problem("planned_night", "night-started", "the night has already started")
    return problem("planned_night", "night-cancelled", "the night is cancelled")


def attendance_of(planned: PlannedNight) -> Attendance:
    """Return the current attendance from the database."""
    rows = NightAnswer.objects.filter(planned_night=planned).select_related("player__user")
    return attendance(planned.seats, rows.order_by("answered_at", "pk"))


def find_by_name(league: League, name: str) -> Player | None:
    """Return the player with this name, ignoring case, or None."""
    wanted = tidy(name)
    if not wanted or next(wrong_text("name", name), None):
        return None
    if player := Player.objects.filter(league=league, name__iexact=wanted).first():
        return player
    if wanted.isascii():
        return None
    seen = seen_as(wanted)  # names that differ only in invisible characters count as the same
    return next((each for each in league.players.all() if seen_as(each.name) == seen), None)


def _problems(
    planned: PlannedNight, who: Player | str, says: str, guests: int, brings: str
) -> Iterator[Problem]:
    if planned.state != PlannedNight.State.PLANNED:
        yield not_planned(planned)
    if isinstance(who, str):
        yield from wrong_name(who)
    elif who.league_id != planned.league_id:
        yield problem("player", "unknown-player", "the league has no such player")
    if says not in Says.values:
        yield problem("says", "unknown-word", f"this must be one of {', '.join(Says.values)}")
    if not 0 <= guests <= MOST_GUESTS:
        yield problem("guests", "out-of-range", f"this must be from 0 to {MOST_GUESTS}")
    yield from wrong_text("brings", brings, longest=LONGEST_PLACE, needed=False)

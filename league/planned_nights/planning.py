"""Plan, change, cancel and start nights."""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.db import transaction
from django.db.models import F, Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.change_version import bump_league
from league.common import row_limits
from league.common.errors import IdReusedError, Problem, RefusedError, problem, refuse, wrong_number
from league.common.locks import lock_league
from league.common.text import tidy, wrong_text
from league.models import (
    LONGEST_PLACE,
    LONGEST_REASON,
    MOST_SEATS,
    League,
    Night,
    NightAnswer,
    PlannedNight,
    Player,
    User,
)
from league.nights.opening import USUAL_BUY_IN, start_night
from league.notices.queueing import NoticeKind, Notification, notify
from league.people.leagues import add_player
from league.planned_nights.answer_links import give_links
from league.planned_nights.answers import attendance_of, lock, not_planned
from league.planned_nights.messages import (
    date_and_time,
    link_to,
    notify_cancelled,
    notify_changed,
    notify_moved_up,
    notify_planned,
)

# Players can verify the seat draw, because it is computed from a seed. The seed's hash is published
# when the night is planned, and the seed itself when the night starts. In between, the organizer
# can't change the seed, and the other players don't know it.


SEED_BYTES = 32


def new_seed() -> str:
    """Return a seed that can't be guessed."""
    return secrets.token_hex(SEED_BYTES)


def seed_hash(seed: str) -> str:
    """Return the hash of the seed that is published: SHA-256 in hex."""
    return sha256(seed.encode()).hexdigest()


def drawn_order(seed: str, players: Iterable[UUID]) -> list[UUID]:
    """Return the players sorted by SHA-256 of the seed and their id, as documented in the API."""
    return sorted(players, key=lambda player: sha256(f"{seed}{player}".encode()).digest())


MOST_AHEAD = timedelta(weeks=52)
# A planned night is cancelled if it has not started within this time.
LAPSES_AFTER = timedelta(days=2)
State = PlannedNight.State


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """The details of a planned night. If `seats` is None, there is no limit."""

    name: str = ""
    place: str = ""
    note: str = ""
    seats: int | None = None

    def tidied(self) -> dict[str, object]:
        """Return the details as fields for a row."""
        texts = {name: tidy(getattr(self, name)) for name in ("name", "place", "note")}
        return {**texts, "seats": self.seats}


@transaction.atomic
def plan(
    league: League, planned_id: UUID, starts_at: datetime, details: Details, *, by: User | None
) -> PlannedNight:
    """Plan a night, once for each id. Raises RefusedError or IdReusedError."""
    lock_league(league.pk)
    fields = {"starts_at": starts_at, **details.tidied()}
    if planned_night := PlannedNight.objects.filter(pk=planned_id).first():
        if planned_night.league_id != league.pk or any(
            getattr(planned_night, k) != v for k, v in fields.items()
        ):
            raise IdReusedError
        return planned_night
    others = PlannedNight.objects.filter(league=league, state=State.PLANNED, series=None)
    too_many = row_limits.PLANNED_NIGHTS.exceeded(others, where="planned_night")
    refuse([*wrong_moment(starts_at), *wrong_details(details), *too_many])
    bump_league(league.pk)
    planned = PlannedNight.objects.create(
        id=planned_id, league=league, seed=new_seed(), made_by=by, **fields
    )
    notify_planned(planned, by=by)
    return planned


@transaction.atomic
def cancel(planned: PlannedNight) -> PlannedNight:
    """Cancel the night. Raises RefusedError if it has started.

    Cancelling it twice changes nothing.
    """
    planned = lock(planned)
    if planned.state == State.STARTED:
        raise RefusedError(
            [problem("planned_night", "night-started", "the night has already started")]
        )
    if planned.state == State.PLANNED:
        planned.state, planned.sequence = State.CANCELLED, planned.sequence + 1
        planned.save(update_fields=["state", "sequence"])
        bump_league(planned.league_id)
        notify_cancelled(planned)
    return planned


@transaction.atomic
def start(
    planned: PlannedNight,
    night_id: UUID,
    sitting: Iterable[tuple[Player, int]],
    *,
    by: User | None,
    name: str = "",
    usual_buy_in: int = USUAL_BUY_IN,
) -> Night:
    """Open the night with these players seated, once for each id. New guests become players.

    Raises RefusedError or IdReusedError.
    """
    planned = lock(planned)
    if planned.state != State.PLANNED and planned.night_id != night_id:
        raise RefusedError([not_planned(planned)])
    opened = Night.objects.filter(pk=night_id, season__league=planned.league)
    if planned.state == State.PLANNED and opened.exists():
        raise IdReusedError  # the night was cancelled
    known = []
    for player, chips in sitting:
        rows = Player.objects.filter(league=planned.league)
        row = rows.filter(pk=player.pk).first() or rows.filter(name__iexact=player.name).first()
        if row is None:
            row = add_player(planned.league, player.name, player_id=player.pk, is_guest=True)
        known.append((row, chips))
    night = start_night(
        planned.league, night_id, known, by=by, name=name, usual_buy_in=usual_buy_in
    )
    if PlannedNight.objects.filter(night=night).exclude(pk=planned.pk).exists():
        raise IdReusedError
    planned.state, planned.night = State.STARTED, night
    planned.save(update_fields=["state", "night"])
    bump_league(planned.league_id)
    return night


def upcoming(league: League) -> QuerySet[PlannedNight]:
    """Return the upcoming nights with their answers, earliest first."""
    rows = PlannedNight.objects.filter(league=league, state=State.PLANNED)
    return with_answers(rows).order_by("starts_at", "pk")


def with_answers(rows: QuerySet[PlannedNight]) -> QuerySet[PlannedNight]:
    """Return the nights with their answers, in two queries."""
    answers = NightAnswer.objects.select_related("player").order_by("answered_at", "pk")
    return rows.select_related("league").prefetch_related(Prefetch("answers", answers))


def lapse(now: datetime) -> int:
    """Cancel the nights that were not started in time, and return their number."""
    rows = PlannedNight.objects.filter(state=State.PLANNED, starts_at__lt=now - LAPSES_AFTER)
    return rows.update(state=State.CANCELLED, sequence=F("sequence") + 1)


def as_players(planned: PlannedNight, answers: Iterable[NightAnswer]) -> list[Player]:
    """Return the people who answered, as players. New guests are unsaved players.

    If a guest's name now belongs to a player in the league, that player is returned.
    """
    named = {player.name.lower(): player for player in planned.league.players.all()}
    players = [
        answer.player
        or named.get(answer.name.lower())
        or Player(
            id=uuid5(planned.pk, answer.name.lower()),
            league=planned.league,
            name=answer.name,
            is_guest=True,
        )
        for answer in answers
    ]
    return list({player.pk: player for player in players}.values())


def wrong_details(details: Details) -> Iterator[Problem]:
    yield from wrong_text("name", details.name, needed=False)
    yield from wrong_text("place", details.place, longest=LONGEST_PLACE, needed=False)
    yield from wrong_text("note", details.note, longest=LONGEST_REASON, needed=False)
    if details.seats is not None:
        yield from wrong_number("seats", details.seats, 1, MOST_SEATS, code="out-of-range")


def wrong_moment(starts_at: datetime) -> Iterator[Problem]:
    now = timezone.now()
    if not now < starts_at <= now + MOST_AHEAD:
        weeks = MOST_AHEAD.days // 7
        text = f"this must be in the future, within {weeks} weeks"
        yield problem("starts_at", "out-of-range", text)


# Players who plan to come are notified when one of these fields changes.
MATTERS = frozenset({"starts_at", "place"})


@transaction.atomic
def change_planned(
    planned: PlannedNight, starts_at: datetime, details: Details, *, by: User | None
) -> PlannedNight:
    """Change the planned night. Unchanged details have no effect.

    Answers are kept. If seats are added, they go to players on the waiting list. No player loses a
    seat. Raises RefusedError.
    """
    planned = lock(planned)
    if planned.state != PlannedNight.State.PLANNED:
        raise RefusedError([not_planned(planned)])
    moved, before = starts_at != planned.starts_at, attendance_of(planned)
    wrong = [*(wrong_moment(starts_at) if moved else ()), *wrong_details(details)]
    taken = len(before.seated)
    if details.seats is not None and details.seats < taken:
        wrong.append(problem("seats", "seats-taken", f"{taken} seats are taken already"))
    refuse(wrong)
    fields = {"starts_at": starts_at, **details.tidied()}
    changed = {name for name, value in fields.items() if getattr(planned, name) != value}
    if not changed:
        return planned
    for name in changed:
        setattr(planned, name, fields[name])
    planned.moved, planned.sequence = planned.moved or moved, planned.sequence + 1
    planned.save(update_fields=[*changed, "moved", "sequence"])
    bump_league(planned.league_id)
    if changed & MATTERS:
        notify_changed(planned, by=by)
    notify_moved_up(planned, before, attendance_of(planned))
    return planned


@transaction.atomic
def update_planned(
    planned: PlannedNight, changes: Mapping[str, Any], *, by: User | None
) -> PlannedNight:
    """Change these details or `starts_at`. The others keep their current values.

    Raises the same errors as `change_planned`.
    """
    planned = lock(planned)
    names = ("starts_at", "name", "place", "note", "seats")
    details = {name: changes.get(name, getattr(planned, name)) for name in names}
    return change_planned(planned, details.pop("starts_at"), Details(**details), by=by)


REMIND_BEFORE = timedelta(days=1)


def remind_all() -> None:
    """Remind players with an account who have not answered.

    Each player gets one reminder, a day before the night. E-mails contain a link for answering
    without a sign-in. Push notifications open the page for signed-in users.
    """
    now = timezone.now()
    nights = PlannedNight.objects.filter(
        state=PlannedNight.State.PLANNED, starts_at__gt=now, starts_at__lte=now + REMIND_BEFORE
    )
    for planned in with_answers(nights).order_by("starts_at", "pk"):
        answered = [answer.player_id for answer in planned.answers.all() if answer.player_id]
        rows = Player.objects.filter(league=planned.league_id, user__is_active=True)
        rows = rows.exclude(pk__in=answered).select_related("user")
        silent = list(rows.order_by("name"))
        tokens = give_links(planned.league, silent) if silent else {}
        when = f"{planned}: {date_and_time(planned)}"
        lines = [line for line in (when, planned.place, _("You haven't answered yet.")) if line]
        answers = f"{settings.SITE_URL}/answers"
        messages = [
            Notification(
                user=player.user,
                key=f"planned:{planned.pk}:{player.pk}",
                title=_("Are you coming?"),
                body=when,
                link=link_to(planned),
                lines=[*lines, f"{answers}/{tokens[player.pk]}"] if settings.SITE_URL else lines,
            )
            for player in silent
            if player.user
        ]
        notify(NoticeKind.ANSWER_WANTED, planned.league, messages)

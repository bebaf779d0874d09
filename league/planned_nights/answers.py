"""Answers to planned nights: who comes, their seats, links to answer, and notifications.

Attendance is computed from the answers and not stored: a seat that becomes free goes to the first
on the waiting list. A link answers without an account. Its token is derived from the link's id and
the service's secret key: calendars and reminders can show it again although only its hash is
stored, and reading the database is not enough to forge one.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.audit_log import Kind, log_action
from league.change_version import bump_league
from league.common import bounds
from league.common.crypto import hashed
from league.common.errors import Problem, RefusedError, problem, refuse
from league.common.text import tidy, wrong_name, wrong_text
from league.models import (
    LONGEST_PLACE,
    League,
    Membership,
    NightAnswer,
    NightAnswerLink,
    PlannedNight,
    Player,
    User,
)
from league.notices.tell import NoticeKind, Notification, tell
from rules.api import seen_as


@dataclass(frozen=True, slots=True)
class Attendee:
    """A person who comes: the one who answered, or a guest, numbered from 1."""

    answer: NightAnswer
    guest: int = 0

    @property
    def since(self) -> datetime:
        """Return when the answer was yes."""
        if not self.guest:
            return self.answer.since
        return datetime.fromisoformat(self.answer.guests_since[self.guest - 1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendance:
    """The people with seats and those on the waiting list, in the order of their answers."""

    seated: list[Attendee]
    waiting: list[Attendee]
    maybe: list[NightAnswer]
    no: list[NightAnswer]

    def with_seats(self) -> frozenset[int]:
        """Return the keys of the answers of people who have a seat themselves."""
        return frozenset(each.answer.pk for each in self.seated if not each.guest)


def attendance(seats: int | None, answers: Iterable[NightAnswer]) -> Attendance:
    """Return the attendance: the first `seats` people have seats, or all without a limit."""
    given = list(answers)
    comers = sorted(_attendees(given), key=lambda each: (each.since, each.answer.pk, each.guest))
    limit = len(comers) if seats is None else seats
    return Attendance(
        seated=comers[:limit],
        waiting=comers[limit:],
        maybe=[each for each in given if each.says == Says.MAYBE],
        no=[each for each in given if each.says == Says.NO],
    )


def change(answer: NightAnswer, says: str, guests: int, at: datetime) -> None:
    """Return a changed answer. An earlier yes keeps its place, and so do its guests."""
    if says != answer.says:
        answer.since, answer.guests_since = at, []
    kept = list(answer.guests_since[:guests]) if says == Says.YES else []
    more = guests - len(kept) if says == Says.YES else 0
    answer.says, answer.guests_since = says, [*kept, *[at.isoformat()] * more]
    answer.answered_at = at


def _attendees(answers: Iterable[NightAnswer]) -> Iterator[Attendee]:
    for each in answers:
        if each.says == Says.YES:
            yield from (Attendee(each, guest) for guest in range(each.guests + 1))


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
    """Record a player's answer, or that of a new guest by name. The latest answer counts.

    Guests and things to bring stay unchanged unless given. Raises RefusedError.
    """
    planned = lock(planned)
    name = who if isinstance(who, str) else ""
    refuse(_problems(planned, who, says, guests or 0, brings or ""))
    player = known_as(planned.league, name) if name else who
    mine = {"player": player} if isinstance(player, Player) else {"player": None}
    rows = NightAnswer.objects.filter(planned_night=planned, **mine)
    answer = (rows if mine["player"] else rows.filter(name__iexact=tidy(name))).first()
    if answer is None:
        if mine["player"] is None:  # Players have a limit of their own, and may always answer.
            guests_known = NightAnswer.objects.filter(planned_night=planned, player=None)
            refuse(bounds.ANSWERS.exceeded(guests_known, where="planned_night"))
        new = {"name": "" if mine["player"] else tidy(name), **mine}
        answer = NightAnswer(planned_night=planned, **new)
    before = attendance_of(planned)
    change(answer, says, answer.guests if guests is None else guests, timezone.now())
    answer.brings = "" if says == Says.NO else answer.brings if brings is None else tidy(brings)
    answer.save()
    tell_moved_up(planned, before, attendance_of(planned))
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
    """Record the answer of a guest without an account, by name. Raises RefusedError.

    A name that a user has claimed requires that user's own link or a sign-in.
    """
    player = known_as(planned.league, name)
    if player and player.user_id is not None:
        text = "whoever has this name has joined: sign in, or use your own link"
        raise RefusedError([problem("name", "name-joined", text)])
    return answer_for(planned, name, says, guests=guests, brings=brings)


def lock(planned: PlannedNight) -> PlannedNight:
    """Lock the league and the planned night, in this order. Return the night as it is then."""
    lock_league(planned.league)
    rows = PlannedNight.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("league__book").get(pk=planned.pk)


def lock_league(league: League) -> None:
    """Lock the league before anything is counted."""
    League.objects.select_for_update(no_key=True).get(pk=league.pk)


def not_planned(planned: PlannedNight) -> Problem:
    """Return the problem for changes to a night that is not planned any more."""
    if planned.state == PlannedNight.State.STARTED:
        return problem("planned_night", "night-started", "the night has begun")
    return problem("planned_night", "night-cancelled", "the night is called off")


def attendance_of(planned: PlannedNight) -> Attendance:
    """Return the attendance from the database."""
    rows = NightAnswer.objects.filter(planned_night=planned).select_related("player__user")
    return attendance(planned.seats, rows.order_by("answered_at", "pk"))


def known_as(league: League, name: str) -> Player | None:
    """Return the player with this name, ignoring case."""
    wanted = tidy(name)
    if not wanted or next(wrong_text("name", name), None):
        return None
    if found := Player.objects.filter(league=league, name__iexact=wanted).first():
        return found
    if wanted.isascii():
        return None
    seen = seen_as(wanted)  # invisible joiners do not make a different name
    return next((each for each in league.players.all() if seen_as(each.name) == seen), None)


def _problems(
    planned: PlannedNight, who: Player | str, says: str, guests: int, brings: str
) -> Iterator[Problem]:
    if planned.state != PlannedNight.State.PLANNED:
        yield not_planned(planned)
    if isinstance(who, str):
        yield from wrong_name("name", who)
    elif who.league_id != planned.league_id:
        yield problem("player", "unknown-player", "the league has no such player")
    if says not in Says.values:
        yield problem("says", "unknown-word", f"this must be one of {', '.join(Says.values)}")
    if not 0 <= guests <= MOST_GUESTS:
        yield problem("guests", "out-of-range", f"this must be from 0 to {MOST_GUESTS}")
    yield from wrong_text("brings", brings, longest=LONGEST_PLACE, needed=False)


SALT = "league.planned_nights.answers"


@transaction.atomic
def share_answers(league: League, *, by: User | None) -> str:
    """Return the token of the league's link. Create the links that are missing."""
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    give_links(league, league.players.all())
    if token := league_token(league):
        return token
    # The secret key has changed, so the token can't be derived again: end the link.
    NightAnswerLink.objects.filter(league=league, player=None, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    [token] = _create_links(league, [None], by)
    log_action(Kind.ANSWERS_SHARED, by=by, league=league)
    return token


@transaction.atomic
def unshare_answers(league: League, *, by: User | None) -> int:
    """End all answer links, including those of players. Return how many ended."""
    links = NightAnswerLink.objects.filter(league=league, revoked_at=None)
    if ended := links.update(revoked_at=timezone.now()):
        log_action(Kind.ANSWERS_UNSHARED, by=by, league=league)
    return ended


def league_token(league: League) -> str:
    """Return the token of the league's link, or "" without a link."""
    link = NightAnswerLink.objects.filter(league=league, player=None, revoked_at=None).first()
    return _valid_token(link) if link else ""


def player_token(player: Player | None) -> str:
    """Return the token of the player's own link, or "" without a link."""
    if player is None:
        return ""
    link = (
        NightAnswerLink.objects.filter(player=player, revoked_at=None).order_by("-made_at").first()
    )
    return _valid_token(link) if link else ""


def player_tokens(league: League) -> dict[UUID, str]:
    """Return the tokens of the players' own links, by player."""
    rows = NightAnswerLink.objects.filter(league=league, player__isnull=False, revoked_at=None)
    return {
        link.player_id: token for link in rows if link.player_id and (token := _valid_token(link))
    }


@transaction.atomic
def give_links(league: League, players: Iterable[Player]) -> dict[UUID, str]:
    """Return the tokens of these players' own links, by player. Missing links are created."""
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    asked = list(players)
    rows = NightAnswerLink.objects.filter(league=league, player__in=asked, revoked_at=None)
    known = {link.player_id: token for link in rows if (token := _valid_token(link))}
    missing = [player for player in asked if player.pk not in known]
    made = zip(missing, _create_links(league, missing, None), strict=True)
    told = {player.pk: token for player, token in made}
    return {player.pk: known.get(player.pk) or told[player.pk] for player in asked}


def link_of(token: str) -> NightAnswerLink | None:
    """Return the link of the token, with its league and player."""
    links = NightAnswerLink.objects.filter(token_hash=hashed(token), revoked_at=None)
    return links.select_related("league", "player").first()


def _create_links(league: League, players: Iterable[Player | None], by: User | None) -> list[str]:
    links = []
    for player in players:
        link = NightAnswerLink(id=uuid4(), league=league, player=player, made_by=by)
        link.token_hash = hashed(_token(link))
        links.append(link)
    NightAnswerLink.objects.bulk_create(links)
    return [_token(link) for link in links]


def _valid_token(link: NightAnswerLink) -> str:
    """Return the link's token, or "" if it was made with another secret key."""
    token = _token(link)
    return token if hashed(token) == link.token_hash else ""


def _token(link: NightAnswerLink) -> str:
    digest = salted_hmac(SALT, str(link.pk), algorithm="sha256").digest()
    return urlsafe_b64encode(digest[:24]).decode()


def when(planned: PlannedNight) -> str:
    """Return day and time in the league's time zone. The year is left out, since it is soon."""
    there = planned.starts_at.astimezone(ZoneInfo(planned.league.time_zone))
    return date_format(there, "l, j F, H:i")


def link_to(planned: PlannedNight) -> str:
    return f"/planned-nights/{planned.pk}"


def tell_planned(planned: PlannedNight, *, by: User | None) -> None:
    """Notify the members of the league about a new night, except the user who planned it."""
    members = Membership.objects.filter(league=planned.league, user__is_active=True)
    users = [each.user for each in members.select_related("user") if each.user != by]
    messages = [
        Notification(
            user=user,
            key=f"night-planned:{planned.pk}:{user.pk}",
            title=_("A night is planned"),
            body=_("%(when)s. Do you come?") % {"when": when(planned)},
            link=link_to(planned),
        )
        for user in users
    ]
    tell(NoticeKind.NIGHT_PLANNED, planned.league, messages)


def tell_changed(planned: PlannedNight, *, by: User | None) -> None:
    """Notify those who answered yes or maybe about a changed time or place, except its author."""
    where = f", {planned.place}" if planned.place else ""
    messages = [
        Notification(
            user=user,
            key=f"night-changed:{planned.pk}:{planned.sequence}:{user.pk}",
            title=_("A night has changed"),
            body=_("%(when)s%(where)s. Do you still come?")
            % {"when": when(planned), "where": where},
            link=link_to(planned),
        )
        for user in _who_might_come(planned)
        if user != by
    ]
    tell(NoticeKind.NIGHT_CHANGED, planned.league, messages)


def tell_cancelled(planned: PlannedNight) -> None:
    """Notify those who answered yes or maybe that the night is cancelled."""
    messages = [
        Notification(
            user=user,
            key=f"night-cancelled:{planned.pk}:{user.pk}",
            title=_("A night is called off"),
            body=f"{when(planned)}.",
            link=link_to(planned),
        )
        for user in _who_might_come(planned)
    ]
    tell(NoticeKind.NIGHT_CANCELLED, planned.league, messages)


def tell_moved_up(planned: PlannedNight, before: Attendance, after: Attendance) -> None:
    """Notify those on the waiting list who have a seat now."""
    waited = {each.answer.pk for each in before.waiting if not each.guest}
    moved = [each.answer for each in after.seated if not each.guest and each.answer.pk in waited]
    since = {each.player.user: each.since for each in moved if each.player and each.player.user}
    messages = [
        Notification(
            user=user,
            key=f"moved-up:{planned.pk}:{user.pk}:{int(since[user].timestamp())}",
            title=_("You have a seat"),
            body=_("A seat is free: you are in. %(when)s.") % {"when": when(planned)},
            link=link_to(planned),
        )
        for user in since
    ]
    tell(NoticeKind.MOVED_UP, planned.league, messages)


def _who_might_come(planned: PlannedNight) -> list[User]:
    coming = planned.answers.exclude(says=NightAnswer.Says.NO).filter(player__user__is_active=True)
    answers = coming.select_related("player__user")
    return [each.player.user for each in answers if each.player and each.player.user]

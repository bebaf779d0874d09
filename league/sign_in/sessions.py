"""Where somebody is signed in, and how that is ended: the rows that allauth keeps beside sessions.

They have the keys of sessions, so no backup has them; they go with their sessions.
"""

from contextlib import suppress

from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import OperationalError, transaction
from django.http import HttpRequest
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common import bounds
from league.models import Device, PushSubscription, User

SEEN_EVERY = 300  # seconds: when somebody was there is said in words


def saw(request: HttpRequest) -> None:
    """Note that the browser of this session is there, once in a while.

    A page is shown all the same where the database takes nothing just now.
    """
    key = request.session.session_key
    if not key or not cache.add(seen_key(key), 1, SEEN_EVERY):
        return
    with suppress(OperationalError):
        known = UserSession.objects.filter(session_key=key, user=request.user)
        if not known.update(last_seen_at=timezone.now()):
            UserSession.objects.create_from_request(request)
            _end_oldest(request.user)


def _end_oldest(user: object) -> None:
    rows = UserSession.objects.filter(user=user).order_by("-last_seen_at", "-pk")
    for each in rows[bounds.SESSIONS.most :]:
        each.end()


def seen_key(session_key: str) -> str:
    """Return what stands in the cache while a session counts as seen just now."""
    return f"session-seen:{session_key}"


def of_user(user: User) -> list[UserSession]:
    """Return where the user is signed in, those last seen first; what has ended goes."""
    rows: list[UserSession] = UserSession.objects.purge_and_list(user)
    return sorted(rows, key=lambda each: each.last_seen_at, reverse=True)


@transaction.atomic
def end(user: User, number: int) -> bool:
    """End one session of the user; tell whether there was one of this number."""
    found = UserSession.objects.filter(user=user, pk=number).first()
    if found is None:
        return False
    found.end()
    log_action(Kind.SESSIONS_ENDED, by=user)
    return True


@transaction.atomic
def end_others(user: User, session: SessionBase) -> int:
    """End every session of the user but this one; return how many.

    Sessions older than the list are not in it: they are found by what they hold.
    """
    mine = session.session_key
    keys = [each.session_key for each in _sessions(user) if each.session_key != mine]
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(user=user).exclude(session_key=mine).delete()
    log_action(Kind.SESSIONS_ENDED, by=user)
    return len(keys)


def end_all(user: User) -> None:
    """End every session of the user, as for one who is erased."""
    keys = [each.session_key for each in _sessions(user)]
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(user=user).delete()


def moved(old: str | None, new: str | None) -> None:
    """Let a phone that joined, or takes notices, go by the new key of its session."""
    if old and new and old != new:
        for model in (Device, PushSubscription):
            model._default_manager.filter(session_key=old).update(session_key=new)  # noqa: SLF001
        UserSession.objects.filter(session_key=old).delete()


def forget_ended() -> None:
    """Delete the rows whose sessions have expired or were ended."""
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()


def _sessions(user: User) -> list[Session]:
    rows = Session.objects.filter(expire_date__gt=timezone.now())
    signed_in = (each for each in rows.iterator(500) if "_auth_user_id" in each.get_decoded())
    return [each for each in signed_in if each.get_decoded()["_auth_user_id"] == str(user.pk)]

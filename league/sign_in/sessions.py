"""A user's sessions and how to end them, based on allauth's session rows.

The rows contain session keys, so backups omit them. Each row is deleted together with its session.
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
from league.common import row_limits
from league.models import Device, PushSubscription, User

SEEN_EVERY = 300  # in seconds; pages show only the approximate time of the last visit


def saw(request: HttpRequest) -> None:
    """Record at intervals that this session was seen.

    Errors are ignored, so pages are served even if the database is read-only or locked.
    """
    key = request.session.session_key
    if not key or not cache.add(seen_key(key), 1, SEEN_EVERY):
        return
    with suppress(OperationalError):
        known = UserSession.objects.filter(session_key=key, user=request.user)
        if not known.update(last_seen_at=timezone.now()):
            UserSession.objects.create_from_request(request)
            rows = UserSession.objects.filter(user=request.user).order_by("-last_seen_at", "-pk")
            for each in rows[row_limits.SESSIONS.most :]:
                each.end()


def seen_key(session_key: str) -> str:
    """Return the cache key that exists while a session counts as recently seen."""
    return f"session-seen:{session_key}"


def of_user(user: User) -> list[UserSession]:
    """Return the user's sessions, last seen first. Rows of ended sessions are deleted."""
    rows: list[UserSession] = UserSession.objects.purge_and_list(user)
    return sorted(rows, key=lambda each: each.last_seen_at, reverse=True)


@transaction.atomic
def end(user: User, number: int) -> bool:
    """End one of the user's sessions. Return whether the session existed."""
    user_session = UserSession.objects.filter(user=user, pk=number).first()
    if user_session is None:
        return False
    user_session.end()
    log_action(Kind.SESSIONS_ENDED, by=user)
    return True


@transaction.atomic
def end_others(user: User, session: SessionBase) -> int:
    """End all of the user's sessions except this one. Return how many were ended.

    Sessions that are older than allauth's list have no row in it, so they are found by their
    content.
    """
    mine = session.session_key
    keys = [each.session_key for each in _sessions(user) if each.session_key != mine]
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(user=user).exclude(session_key=mine).delete()
    log_action(Kind.SESSIONS_ENDED, by=user)
    return len(keys)


def end_all(user: User) -> None:
    """End all of the user's sessions, for an erasure."""
    keys = [each.session_key for each in _sessions(user)]
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(user=user).delete()


def update_session_key(old: str | None, new: str | None) -> None:
    """Update the session key of a phone that joined or receives notifications."""
    if old and new and old != new:
        for model in (Device, PushSubscription):
            model._default_manager.filter(session_key=old).update(session_key=new)  # noqa: SLF001
        UserSession.objects.filter(session_key=old).delete()


def delete_ended() -> None:
    """Delete rows whose sessions have expired or ended."""
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()


def _sessions(user: User) -> list[Session]:
    rows = Session.objects.filter(expire_date__gt=timezone.now())
    signed_in = (each for each in rows.iterator(500) if "_auth_user_id" in each.get_decoded())
    return [each for each in signed_in if each.get_decoded()["_auth_user_id"] == str(user.pk)]

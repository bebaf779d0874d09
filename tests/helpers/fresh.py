"""A test client's sign-in time."""

from typing import Any

from allauth.account.internal.flows import login
from allauth.usersessions.models import UserSession
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.cache import cache
from django.test import Client

from league.sign_in.sessions import SEEN_EVERY, seen_key


def signed_in_at(client: Client, user: AbstractBaseUser, at: float) -> None:
    """Set the client's sign-in time, in seconds since 1970."""
    session: Any = client.session
    session[login.AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "password", "at": at}]
    session[login._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(user.pk)
    session.save()
    told = {"user": user, "ip": "127.0.0.1"}
    UserSession.objects.get_or_create(session_key=session.session_key, defaults=told)
    cache.set(seen_key(session.session_key), 1, SEEN_EVERY)

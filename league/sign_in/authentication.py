"""How a user signs in, how recently, and the rate limits for codes, passwords and new accounts.

The counts are in the cache only. Each limit is by address, by name, or for the whole service;
docs/decisions/0022-who-may.md has the numbers. Guesses from elsewhere do not lock out users at an
address where they were seen lately.
"""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from league.common.client_ip import note_seen, were_seen
from league.models import League, Membership, User

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` tries per key within `seconds` of the first."""

    name: str
    most: int
    seconds: int


# A player at a table mistypes now and then; guessing takes millions of tries.
WRONG_CODES_HERE = Limit("wrong-codes", 20, 600)
WRONG_CODES_ANYWHERE = Limit("wrong-codes-anywhere", 200, 3600)
# In addition to the eight for one name from one address (AXES_FAILURE_LIMIT).
WRONG_PASSWORDS_HERE = Limit("wrong-passwords-here", 40, 900)
WRONG_PASSWORDS_OF_NAME = Limit("wrong-passwords-of-name", 100, 3600)
# For a signed-in user who enters the password again, from any address.
WRONG_PASSWORDS_AGAIN = Limit("wrong-passwords-again", 40, 3600)
SIGN_UPS_HERE = Limit("sign-ups", 20, 3600)
# All players of a table may answer from one address, and change their answers.
ANSWERS_HERE = Limit("answers-by-link", 60, 600)


def is_spent(limit: Limit, key: str = "") -> bool:
    """Return whether the limit is reached. Without the cache nothing is counted."""
    try:
        return int(cache.get(_key(limit, key), 0)) >= limit.most
    except RedisError as error:
        logger.warning("no requests are counted: %s", error)
        return False


def count(limit: Limit, key: str = "") -> None:
    """Count a try."""
    at = _key(limit, key)
    try:
        if not cache.add(at, 1, limit.seconds):
            cache.incr(at)
    except ValueError:  # it expired in between
        cache.add(at, 1, limit.seconds)
    except RedisError as error:
        logger.warning("no requests are counted: %s", error)


def may_try_code(address: str, league: League | None) -> bool:
    """Return whether the address may try a code. `league` is the league of the code, if any.

    Guesses from elsewhere do not block a league whose members were seen at the address. This
    reveals nothing about the code: a member seen there is in the league already.
    """
    if is_spent(WRONG_CODES_HERE, address):
        return False
    return not is_spent(WRONG_CODES_ANYWHERE) or (league is not None and _knows(league, address))


def note_wrong_code(address: str) -> None:
    """Count a wrong code for its address and for the whole service."""
    count(WRONG_CODES_HERE, address)
    count(WRONG_CODES_ANYWHERE)


def may_try_password(address: str, name: str) -> bool:
    """Return whether the address may try a password for this name, which need not exist.

    Guesses at one name from many addresses lock it wherever its owner was not seen lately.
    """
    if is_spent(WRONG_PASSWORDS_HERE, address):
        return False
    return not is_spent(WRONG_PASSWORDS_OF_NAME, _called(name)) or _is_at(name, address)


def note_wrong_password(address: str, name: str) -> None:
    """Count a wrong password for its address and for its name."""
    count(WRONG_PASSWORDS_HERE, address)
    if not _is_at(name, address):
        count(WRONG_PASSWORDS_OF_NAME, _called(name))


def may_try_password_again(address: str, user: User) -> bool:
    """Return whether the signed-in user may enter the password again.

    No address is exempt here: where a stolen session is used, its user counts as seen.
    """
    spent = is_spent(WRONG_PASSWORDS_HERE, address)
    return not spent and not is_spent(WRONG_PASSWORDS_AGAIN, str(user.pk))


def note_wrong_password_again(address: str, user: User) -> None:
    """Count a wrong password of a session for its address and for its user."""
    count(WRONG_PASSWORDS_HERE, address)
    count(WRONG_PASSWORDS_AGAIN, str(user.pk))


def note_signed_in(address: str, user: User) -> None:
    """Record the address at which a user has signed in."""
    note_seen(user.pk, address)


def may_sign_up(address: str) -> bool:
    """Return whether another account may be created from the address."""
    return not is_spent(SIGN_UPS_HERE, address)


def note_sign_up(address: str) -> None:
    """Count a new account for its address."""
    count(SIGN_UPS_HERE, address)


def _knows(league: League, address: str) -> bool:
    members = Membership.objects.filter(league=league).values_list("user", flat=True)
    return _were_seen(list(members), address)


def _is_at(name: str, address: str) -> bool:
    users = User.objects.filter(username=name) if "\0" not in name else User.objects.none()
    return _were_seen(list(users.values_list("pk", flat=True)), address)


def _were_seen(users: list[int], address: str) -> bool:
    try:
        return were_seen(users, address)
    except RedisError:
        return False


def _called(name: str) -> str:
    return name.strip().lower()


def _key(limit: Limit, key: str) -> str:
    """Return the cache key. Names are hashed, since a cache key can't contain all characters."""
    return f"{limit.name}:{sha256(key.encode(errors='surrogatepass')).hexdigest()}"


# No username or address is longer.
LONGEST = 254


def user_of_email(email: str) -> User | None:
    """Return the user who verified this address."""
    rows = EmailAddress.objects.filter(email=email.lower(), verified=True, user__is_active=True)
    found = rows.select_related("user").first()
    return found.user if found and isinstance(found.user, User) else None


def user_meant(typed: str) -> User | None:
    """Return the user with this username, or else the one with this verified address."""
    named = User.objects.filter(username=typed).first()
    return named or (user_of_email(typed) if "@" in typed else None)


def free_username(name: str, user: User | None = None) -> str:
    """Return the username if it is free. `user` is its owner, None for a new user.

    Raises ValidationError if another user has it, in any case of its letters, and if it could be an
    e-mail address: the owner of the address could not sign in with it.
    """
    if "@" in name:
        text = _("A username can't contain @. Add your e-mail address separately.")
        raise ValidationError(text, code="address")
    if any(other != user for other in User.objects.filter(username__iexact=name)):
        raise ValidationError(_("That username is taken."), code="unique")
    return name


def name_tried(request: HttpRequest | None, credentials: Mapping[str, Any] | None = None) -> str:
    """Return the name under which guesses are counted: an address counts as its username.

    See AXES_USERNAME_CALLABLE.
    """
    given = (credentials or {}).get("username") or (request.POST.get("username") if request else "")
    typed = str(given or "").strip()[:LONGEST]
    meant = user_meant(typed) if "\0" not in typed else None
    return meant.username if meant else typed


class VerifiedEmail(ModelBackend):
    """Authenticates by a verified address and the password.

    An address that is another user's username is rejected: guesses are counted for the user with
    that username, so they must not open another account.
    """

    def authenticate(  # type: ignore[override] # by other credentials than a name
        self,
        request: HttpRequest | None,
        email: str | None = None,
        password: str | None = None,
        **_others: Any,
    ) -> User | None:
        if not email or not password:
            return None
        user = user_of_email(email)
        if user is None or user != user_meant(email):
            User().set_password(password)  # takes as long as a wrong password
            return None
        return user if user.check_password(password) else None


def has_a_way_in(user: User, *, lost_passkey: int | None = None, linked: bool = True) -> bool:
    """Return whether the user can sign in again. A phone that joined by a code can't.

    `lost_passkey` is not counted, nor are linked services if `linked` is false. Codes of a second
    step never count.
    """
    passkeys = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
    return (
        user.has_usable_password()
        or passkeys.exclude(pk=lost_passkey).exists()
        or (linked and SocialAccount.objects.filter(user=user).exists())
    )


def is_fresh(request: Any) -> bool:
    """Return whether the user signed in within `ACCOUNT_REAUTHENTICATION_TIMEOUT` seconds.

    Joining a league by its code is not a sign-in.
    """
    records = get_authentication_records(request, request.user)
    latest = max((each["at"] for each in records), default=0)
    return bool(0 <= time.time() - latest < app_settings.REAUTHENTICATION_TIMEOUT)


def note_sign_in(request: Any, user: AbstractBaseUser, method: str) -> None:
    """Record in the session that the user has just signed in."""
    record_authentication(request, user, method=method)

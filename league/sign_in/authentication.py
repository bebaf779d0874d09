"""How users sign in, and the time of their last sign-in."""

import time
from collections.abc import Mapping
from typing import Any

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.models import User

# User names and e-mail addresses are never longer than this.
LONGEST = 254


def user_of_email(email: str) -> User | None:
    """Return the user who verified this address."""
    rows = EmailAddress.objects.filter(email=email.lower(), verified=True, user__is_active=True)
    address = rows.select_related("user").first()
    return address.user if address and isinstance(address.user, User) else None


def find_user(typed: str) -> User | None:
    """Return the user with this username, or else the user with this verified address."""
    named = User.objects.filter(username=typed).first()
    return named or (user_of_email(typed) if "@" in typed else None)


def free_username(name: str, user: User | None = None) -> str:
    """Return the username if it is free. `user` is its owner, or None for a new user.

    Raises ValidationError if another user has the name (ignoring case). A name that could be an
    e-mail address is also rejected, because otherwise the owner of that address could not sign in
    with it.
    """
    if "@" in name:
        text = _("A username can't contain @. Add your e-mail address separately.")
        raise ValidationError(text, code="address")
    if any(other != user for other in User.objects.filter(username__iexact=name)):
        raise ValidationError(_("That username is taken."), code="unique")
    return name


def name_tried(request: HttpRequest | None, credentials: Mapping[str, Any] | None = None) -> str:
    """Return the name under which failed sign-ins are counted.

    An address counts as its owner's username. See AXES_USERNAME_CALLABLE.
    """
    given = (credentials or {}).get("username") or (request.POST.get("username") if request else "")
    typed = str(given or "").strip()[:LONGEST]
    user = find_user(typed) if "\0" not in typed else None
    return user.username if user else typed


class VerifiedEmail(ModelBackend):
    """Authenticates with a verified e-mail address and the password.

    An address that is another user's username is rejected. Failed sign-ins are counted for the user
    with that username, so the address must not give access to a different account.
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
        if user is None or user != find_user(email):
            User().set_password(password)  # takes the same time as checking a wrong password
            return None
        return user if user.check_password(password) else None


def can_sign_in_again(user: User, *, lost_passkey: int | None = None, linked: bool = True) -> bool:
    """Return whether the user can sign in again.

    A phone that joined with a code can't sign in again. The passkey `lost_passkey` does not count,
    and linked services count only if `linked` is true. Second-factor codes never count.
    """
    passkeys = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
    return (
        user.has_usable_password()
        or passkeys.exclude(pk=lost_passkey).exists()
        or (linked and SocialAccount.objects.filter(user=user).exists())
    )


def is_fresh(request: Any) -> bool:
    """Return whether the user signed in within `ACCOUNT_REAUTHENTICATION_TIMEOUT` seconds.

    Joining a league with its code is not a sign-in.
    """
    records = get_authentication_records(request, request.user)
    latest = max((each["at"] for each in records), default=0)
    return bool(0 <= time.time() - latest < app_settings.REAUTHENTICATION_TIMEOUT)


def record_sign_in(request: Any, user: AbstractBaseUser, method: str) -> None:
    """Record in the session that the user has just signed in."""
    record_authentication(request, user, method=method)

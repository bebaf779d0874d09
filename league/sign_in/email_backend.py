"""Sign in with an e-mail address instead of a name, once the address is proven."""

from collections.abc import Mapping
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.models import User

# A name is at most as long; what is longer is nobody's.
LONGEST = 254


def user_of_email(email: str) -> User | None:
    """Return whose address it is, if somebody has proven it."""
    rows = EmailAddress.objects.filter(email=email.lower(), verified=True, user__is_active=True)
    found = rows.select_related("user").first()
    return found.user if found and isinstance(found.user, User) else None


def user_meant(typed: str) -> User | None:
    """Return whom somebody means who typed this name, or this address, to sign in."""
    named = User.objects.filter(username=typed).first()
    return named or (user_of_email(typed) if "@" in typed else None)


def free_username(name: str, user: User | None = None) -> str:
    """Return a username that someone chooses, `user` if it is not a new one.

    Raises ValidationError for one that is another user's in any case of its letters, and for one
    that could be an e-mail address: the owner of the address could not sign in by it.
    """
    if "@" in name:
        text = _("A username can't contain @. Add your e-mail address separately.")
        raise ValidationError(text, code="address")
    if any(other != user for other in User.objects.filter(username__iexact=name)):
        raise ValidationError(_("That username is taken."), code="unique")
    return name


def name_tried(request: HttpRequest | None, credentials: Mapping[str, Any] | None = None) -> str:
    """Return under which name guesses are counted: an address and its name are one account.

    See AXES_USERNAME_CALLABLE.
    """
    given = (credentials or {}).get("username") or (request.POST.get("username") if request else "")
    typed = str(given or "").strip()[:LONGEST]
    meant = user_meant(typed) if "\0" not in typed else None
    return meant.username if meant else typed


class VerifiedEmail(ModelBackend):
    """Takes a proven address and the password; an address that is not proven opens nothing.

    Nor does one that is somebody's name: guesses are counted for whoever is meant, and for nobody
    else's account.
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
            User().set_password(password)  # as long as a wrong one takes: it says nothing
            return None
        return user if user.check_password(password) else None

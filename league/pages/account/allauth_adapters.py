"""Adapters for allauth: sign-up, wrong passwords, links, e-mails and encryption of secrets.

The settings refer to the adapters. allauth creates a new instance for each call.
"""

import logging
from datetime import timedelta
from typing import Any, ClassVar
from urllib.parse import urlsplit

import requests
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.stages import AuthenticateStage
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.base import AuthError
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from kombu.exceptions import OperationalError

from league.audit_log import Kind, log_action
from league.common.client_ip import address_of
from league.common.crypto import cipher
from league.models import LogbookEntry, User
from league.pages.account.fresh_sign_in import sign_in_again
from league.sending import mail
from league.sign_in.authentication import (
    find_user,
    free_username,
    is_fresh,
    name_tried,
    record_sign_in,
)
from league.sign_in.rate_limits import (
    count_wrong_password,
    count_wrong_reauthentication,
    may_reauthenticate,
    may_sign_up,
    may_try_password,
)
from league.tasks import send_secret_mail

logger = logging.getLogger(__name__)

BACKEND = "django.contrib.auth.backends.ModelBackend"
PASSWORD = _lazy("Your password was changed.")
EMAIL = _lazy("Your e-mail address was changed.")
FACTOR = _lazy("Two-factor authentication was turned on or off for your account.")
PASSKEYS = _lazy("Your passkeys were changed.")
SERVICES = _lazy("Another way to sign in to your account was linked.")
NOTIFICATIONS = {
    "account/email/password_changed": PASSWORD,
    "account/email/password_set": PASSWORD,
    "account/email/password_reset": PASSWORD,
    "account/email/email_changed": EMAIL,
    "account/email/email_deleted": EMAIL,
    "mfa/email/totp_activated": FACTOR,
    "mfa/email/totp_deactivated": FACTOR,
    "mfa/email/recovery_codes_generated": _lazy(
        "New recovery codes were created for your account."
    ),
    "mfa/email/webauthn_removed": PASSKEYS,
    "socialaccount/email/account_connected": SERVICES,
}


class Account(DefaultAccountAdapter):
    """Account adapter. A username is required, and an e-mail address is optional."""

    error_messages: ClassVar[dict[str, Any]] = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": _lazy("Wrong username or password."),
        "email_password_mismatch": _lazy("Wrong e-mail or password."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        if settings.SIGN_UP != "open":
            return False
        if request.method == "POST" and not may_sign_up(address_of(request)):
            refused = render(request, "account/sign_up_limit.html", status=429)
            raise ImmediateHttpResponse(refused)
        return True

    def clean_username(self, username: str, shallow: bool = False) -> str:
        return free_username(str(super().clean_username(username, shallow)))

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address for rate limits.

        For an IPv6 network, this is the first address of the network.
        """
        return address_of(request).partition("/")[0] or "::"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Reject sign-ins after too many wrong passwords, in addition to the limits of axes."""
        if not may_try_password(address_of(request), name_tried(request, credentials)):
            raise ImmediateHttpResponse(locked_out(request, HttpResponse(), None))

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        if not getattr(request, "axes_locked_out", False):
            _note_failure(request, Kind.WRONG_PASSWORD)
            count_wrong_password(address_of(request), name_tried(request, credentials))

    def reauthenticate(self, user: AbstractBaseUser, password: str) -> bool:
        """Check the password by username only, so that wrong passwords are counted.

        allauth also tries the user's e-mail address, verified or not. A user who entered somebody
        else's address could guess that account's password here, and the guesses would not be
        counted if they were correct.
        """
        request = context.request
        at = address_of(request)
        if not isinstance(user, User) or not may_reauthenticate(at, user):
            # the axes middleware returns the lockout page in response
            request.axes_locked_out = True
            return False
        authenticated = authenticate(request, username=user.username, password=password)
        if authenticated is None and not getattr(request, "axes_locked_out", False):
            _note_failure(request, Kind.WRONG_PASSWORD)
            count_wrong_reauthentication(at, user)
        return bool(authenticated == user)

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Apply our rule to allauth's views: a recent sign-in is enough.

        allauth's own rule ignores the sign-in itself. It allows accounts without a password or a
        second factor to change everything without signing in again.
        """
        if not is_fresh(context.request):
            raise ImmediateHttpResponse(sign_in_again(context.request))
        return False

    def get_login_stages(self) -> list[str]:
        return ["league.pages.account.allauth_adapters.SecondStepStage"]

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        if not hasattr(user, "backend"):
            user.backend = BACKEND
        super().login(request, user)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return reverse("home")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        return reverse("account_email" if self.request.user.is_authenticated else "sign-in")

    def get_reset_password_from_key_url(self, key: str) -> str:
        return _reached_at(super().get_reset_password_from_key_url(key), self.request)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return _reached_at(
            super().get_email_confirmation_url(request, emailconfirmation), self.request
        )

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the e-mail in the worker, so that response times don't reveal whether it is sent.

        The e-mail contains a link that gives access to an account, so it is not stored in a table.
        """
        message: EmailMessage = self.render_mail(template_prefix, email, context)
        if not mail.are_sent():
            return
        try:
            send_secret_mail.delay(str(message.subject), str(message.body), email)
        except OperationalError:  # the broker is down; the user can request another e-mail
            logger.warning("An e-mail was not sent: the queue can't be reached.")

    def send_notification_mail(
        self,
        template_prefix: str,
        user: AbstractBaseUser,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        if isinstance(user, User):
            mail.write_change(user, str(NOTIFICATIONS[template_prefix]), to=email)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return the methods by which the user can sign in again, quickest first."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if user.is_authenticated and SocialAccount.objects.filter(user=user).exists():
            at = reverse("reauthenticate-oidc")
            methods.append({"id": "oidc", "description": _("Use another service"), "url": at})
        return methods


def locked_out(request: HttpRequest, _response: HttpResponse, _credentials: object) -> HttpResponse:
    """Return the response after too many wrong passwords. See AXES_LOCKOUT_CALLABLE."""
    if getattr(request, "axes_failures_since_start", 0) == settings.AXES_FAILURE_LIMIT:
        _note_failure(request, Kind.LOCKED_OUT)
    wait: timedelta = settings.AXES_COOLOFF_TIME
    context = {"minutes": int(wait.total_seconds() // 60)}
    locked = render(request, "account/sign_in_locked.html", context, status=429)
    locked.headers["Retry-After"] = str(int(wait.total_seconds()))
    return locked


def _note_failure(request: HttpRequest, kind: LogbookEntry.Kind) -> None:
    """Log a failed sign-in for the account in question, if it exists.

    The typed text is never logged because it may be the password.
    """
    typed = request.POST.get("username", "").strip()
    known = request.user if isinstance(request.user, User) else None
    if user := known or (find_user(typed) if "\0" not in typed else None):
        log_action(kind, by=user)


def _reached_at(address: str, request: HttpRequest) -> str:
    """Return the URL with the service's public address if SITE_URL is set."""
    ours = request.build_absolute_uri("/").rstrip("/")
    return address.replace(ours, settings.SITE_URL, 1) if settings.SITE_URL else address


class SecondStepStage(AuthenticateStage):
    """Requires a code only from users who have set up TOTP. A passkey needs no second step."""

    def _should_handle(self, request: HttpRequest) -> bool:
        has_totp = self.login.user and SecondFactor().is_mfa_enabled(self.login.user, ["totp"])
        return bool(has_totp) and super()._should_handle(request)


class SecondFactor(DefaultMFAAdapter):
    """TOTP codes and passkeys. TOTP secrets are encrypted with a key derived from `SECRET_KEY`."""

    def encrypt(self, text: str) -> str:
        return cipher("two-factor").encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return cipher("two-factor").decrypt(encrypted_text.encode()).decode()
        except InvalidToken as error:
            # If the secret is empty, anyone can compute the codes.
            raise PermissionDenied(
                "These codes need the old SECRET_KEY. Run `manage.py password_link` to remove them."
            ) from error

    def get_totp_issuer(self) -> str:
        return _("Dealer's Choice")

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        return str(user.get_username())

    def generate_authenticator_name(self, user: AbstractBaseUser, type: str) -> str:  # noqa: A002
        return _("Passkey")

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        host = context.request.get_host().partition(":")[0]
        return {"id": host, "name": _("Dealer's Choice")}


class Oidc(DefaultSocialAccountAdapter):
    """OpenID Connect adapter. Links an identity to the signed-in user or creates an account."""

    def get_requests_session(self) -> requests.Session:
        """Return a session for requests to the provider.

        The session forbids redirects, and allows plain HTTP only to this machine.
        """
        session: requests.Session = super().get_requests_session()
        session.max_redirects = 0
        session.mount("http://", _OnThisMachine())
        return session

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Store only the provider's identity. Addresses are verified by our own e-mail.

        A user who is already signed in and uses this identity counts as freshly signed in.
        """
        sociallogin.account.extra_data = {}
        sociallogin.email_addresses = []
        if not request.user.is_authenticated:
            return
        if sociallogin.user == request.user:
            record_sign_in(request, request.user, "socialaccount")
        elif sociallogin.state.get("process") == "connect" and not is_fresh(request):
            messages.error(request, _("Sign in again to link this account."))
            raise ImmediateHttpResponse(redirect("socialaccount_connections"))

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, error: Any = None, **details: Any
    ) -> None:
        """Log the error for the operator. The page shows no details."""
        if error != AuthError.CANCELLED:
            logger.warning("Signing in by OIDC failed: %s", type(details.get("exception")).__name__)

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: Any) -> Any:
        sociallogin.user.username = str(data.get("username") or "")
        return sociallogin.user

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        return reverse("socialaccount_connections")


class _OnThisMachine(requests.adapters.HTTPAdapter):
    """Transport adapter that allows plain HTTP only to this machine."""

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> Any:
        host = urlsplit(request.url or "").hostname
        if host not in ("localhost", "127.0.0.1", "::1"):
            raise requests.exceptions.InvalidURL("the provider's address must start with https://")
        return super().send(request, *args, **kwargs)

"""Log account changes reported by allauth's signals."""

from typing import Any

from allauth.account import signals as account
from allauth.account.models import EmailAddress
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from allauth.socialaccount import signals as social
from allauth.socialaccount.models import SocialLogin
from django.dispatch import receiver
from django.http import HttpRequest

from league.audit_log import Kind, log_action
from league.common.client_ip import address_of
from league.models import User
from league.sign_in.rate_limits import count_sign_up, record_known_address

ADDED = {Authenticator.Type.TOTP: Kind.SECOND_FACTOR_ADDED}
REMOVED = {
    Authenticator.Type.TOTP: Kind.SECOND_FACTOR_REMOVED,
    Authenticator.Type.WEBAUTHN: Kind.PASSKEY_REMOVED,
}


@receiver(account.user_logged_in)
def signed_in(request: HttpRequest, user: User, **_: Any) -> None:
    record_known_address(address_of(request), user)
    log_action(Kind.SIGNED_IN, by=user)


@receiver(account.user_signed_up)
def signed_up(request: HttpRequest, **_: Any) -> None:
    count_sign_up(address_of(request))


@receiver([account.password_changed, account.password_set])
def password_changed(user: User, **_: Any) -> None:
    log_action(Kind.PASSWORD_CHANGED, by=user)


@receiver(account.password_reset)
def password_reset(user: User, **_: Any) -> None:
    log_action(Kind.PASSWORD_RESET, by=user)


@receiver([account.email_added, account.email_removed, account.email_changed])
def email_changed(user: User, **_: Any) -> None:
    log_action(Kind.EMAIL_CHANGED, by=user)


@receiver(account.email_confirmed)
def email_confirmed(email_address: EmailAddress, **_: Any) -> None:
    log_action(Kind.EMAIL_CHANGED, by=email_address.user)


@receiver(mfa.authenticator_added)
def authenticator_added(user: User, authenticator: Authenticator, **_: Any) -> None:
    if kind := ADDED.get(authenticator.type):
        log_action(kind, by=user)


@receiver(mfa.authenticator_removed)
def authenticator_removed(user: User, authenticator: Authenticator, **_: Any) -> None:
    """Log the removal.

    Recovery codes belong to the second factor and are deleted together with it.
    """
    if kind := REMOVED.get(authenticator.type):
        log_action(kind, by=user)
    if authenticator.type == Authenticator.Type.TOTP:
        codes = Authenticator.Type.RECOVERY_CODES
        Authenticator.objects.filter(user=user, type=codes).delete()


@receiver(mfa.authenticator_reset)
def recovery_codes_made(user: User, **_: Any) -> None:
    log_action(Kind.RECOVERY_CODES_MADE, by=user)


@receiver(social.social_account_added)
def service_linked(sociallogin: SocialLogin, **_: Any) -> None:
    log_action(Kind.SIGN_IN_LINKED, by=sociallogin.user)

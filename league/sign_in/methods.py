"""By what somebody signs in: a password, passkeys, a linked service."""

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount

from league.models import User


def has_a_way_in(user: User, *, lost_passkey: int | None = None, linked: bool = True) -> bool:
    """Tell whether the user can sign in again; a phone that joined by a code can't.

    `lost_passkey` is one that is to go; without `linked`, linked services do not count. A code is
    no way in, it is asked for after one.
    """
    passkeys = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
    return (
        user.has_usable_password()
        or passkeys.exclude(pk=lost_passkey).exists()
        or (linked and SocialAccount.objects.filter(user=user).exists())
    )

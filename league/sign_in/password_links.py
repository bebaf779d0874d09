"""Links that set a new password, for users who forgot theirs and have no e-mail address.

The link grants access to the account, so a host can create one only if the host gains no additional
access: docs/decisions/0027-signing-in.md.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common.crypto import hashed, new_token
from league.common.errors import Problem, problem, refuse
from league.models import League, Membership, PasswordLink, Role, User

LASTS = timedelta(hours=1)
# A sign-in requires these after the password, so the password alone does not grant access.
ASKED_AFTER = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


def others(league: League, host: User) -> QuerySet[Membership]:
    """Return the other members with a password, by name. Phones that joined by code have none."""
    members = Membership.objects.filter(league=league).exclude(user=host)
    with_password = members.exclude(user__password__startswith=UNUSABLE_PASSWORD_PREFIX)
    return with_password.select_related("user").order_by("user__username")


def helped(members: Iterable[Membership], league: League, host: User) -> list[User]:
    """Return the members for whom this host may create a link."""
    return [each.user for each in members if not list(_problems(each.user, league, host))]


@transaction.atomic
def make_for_member(league: League, user: User, *, by: User) -> str:
    """Create a link as a host and return its token.

    Raises RefusedError if only the operator may create one.
    """
    refuse(_problems(user, league, by))
    log_action(Kind.PASSWORD_LINK_MADE, by=by, of=user, league=league)
    return make(user, by=by)


@transaction.atomic
def make(user: User, *, by: User | None) -> str:
    """Create a link and return its token, which is not stored. An earlier link becomes invalid."""
    PasswordLink.objects.filter(user=user).delete()
    token = new_token()
    PasswordLink.objects.create(user=user, token_hash=hashed(token), made_by=by)
    return token


def user_of(token: str) -> User | None:
    """Return the user whose password the link sets, or None if it is used, expired or unknown."""
    link = _open(token)
    return link.user if link else None


@transaction.atomic
def use(token: str, password: str) -> User | None:
    """Set the password and end the link. Return None if the link is no longer valid.

    Changing the password ends every session. A host's link closes the user's payment methods,
    because a
    host who keeps the link could sign in as the member. The operator's link opens them again.
    """
    link = _open(token)
    if link is None or not _unused(token).update(used_at=timezone.now()):
        return None
    link.user.set_password(password)
    if link.made_by is None:
        link.user.host_reset_at = None
    elif not is_mfa_enabled(link.user, ASKED_AFTER):
        link.user.host_reset_at = timezone.now()
    link.user.save(update_fields=["password", "host_reset_at"])
    log_action(Kind.PASSWORD_LINK_USED, by=link.user)
    return link.user


def _open(token: str) -> PasswordLink | None:
    """Return the link if it is valid and the host who created it would still be allowed to."""
    rows = _unused(token).filter(user__is_active=True)
    link = rows.select_related("user", "made_by").first()
    host = link.made_by if link else None
    return None if link and host and list(_lost(link.user, host)) else link


def _unused(token: str) -> QuerySet[PasswordLink]:
    young = timezone.now() - LASTS
    return PasswordLink.objects.filter(token_hash=hashed(token), used_at=None, made_at__gt=young)


def _problems(user: User, league: League, host: User) -> Iterator[Problem]:
    """Yield why this host may not create a link for the user as a member of this league."""
    member = Membership.objects.filter(user=user, league=league).exists()
    if user == host or not member:
        yield problem("user", "not-a-member", "there is no such other member")
    else:
        yield from _lost(user, host)


def _lost(user: User, host: User) -> Iterator[Problem]:
    """Yield a problem if the account grants access to more than the host already has."""
    theirs = Membership.objects.filter(user=user)
    leagues = theirs.values("league")
    hosted = Membership.objects.filter(user=host, role=Role.HOST, league__in=leagues)
    if user.is_superuser or user.is_staff or theirs.filter(role=Role.HOST).exists():
        yield problem("user", "host", "for a host only whoever keeps the service makes a link")
    elif not user.has_usable_password():
        yield problem("user", "no-password", "this phone joined by the code and has no password")
    elif hosted.count() < max(theirs.count(), 1):  # a former member is in no league
        yield problem("user", "other-leagues", "the account opens leagues of other hosts too")
    elif EmailAddress.objects.filter(user=user, verified=True).exists():
        yield problem("user", "has-email", "a letter brings this member a new password")

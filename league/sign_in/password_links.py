"""Links that set a new password, for users who forgot it and have no e-mail address.

A link grants access to the account, so a host can create one only if this does not give the host
additional access: docs/decisions/0027-signing-in.md.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common.crypto import hashed, new_token
from league.common.errors import Problem, RefusedError, problem, refuse
from league.models import League, Membership, PasswordLink, Role, User

LASTS = timedelta(hours=1)
# Second factors. Sign-in requires one of them after the password, so the password alone does not
# grant access.
ASKED_AFTER = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
# Reasons why a host can't create a link, by code.
TEXTS = {
    "administrator": "only the command line can create a link for an administrator",
    "no-password": "this player joined with a code and has no password",
    "other-leagues": "this member is also in another host's league: ask the administrator",
    "has-email": "this member can reset their password by e-mail",
}


def others(league: League, host: User) -> QuerySet[Membership]:
    """Return the other members who have a password, sorted by name.

    Phones that joined with a code have no password.
    """
    members = Membership.objects.filter(league=league).exclude(user=host)
    with_password = members.exclude(user__password__startswith=UNUSABLE_PASSWORD_PREFIX)
    return with_password.select_related("user").order_by("user__username")


def eligible(members: Iterable[Membership], host: User) -> list[User]:
    """Return the users among `members` that the host may create a link for."""
    users = [member.user for member in members]
    codes = _codes([user.pk for user in users], host)
    return [user for user in users if not codes[user.pk]]


@transaction.atomic
def make_for_member(league: League, user: User, *, by: User) -> str:
    """Create a link as a host and return its token.

    Raises RefusedError if only the operator may create the link.
    """
    is_member = Membership.objects.filter(user=user, league=league).exists()
    if user == by or not is_member:
        raise RefusedError([problem("user", "not-a-member", "this member doesn't exist")])
    refuse(_account_problems(user, by))
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
    """Return the user whose password the link sets, or None if the link is invalid."""
    link = _open(token)
    return link.user if link else None


@transaction.atomic
def use(token: str, password: str) -> User | None:
    """Set the password and end the link. Return None if the link is no longer valid.

    Changing the password ends every session. A host's link locks the user's payment methods,
    because a host who keeps the link could sign in as the member. The operator's link unlocks them
    again.
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
    """Return the link if it is valid and its host would still be allowed to create it."""
    rows = _unused(token).filter(user__is_active=True)
    link = rows.select_related("user", "made_by").first()
    host = link.made_by if link else None
    return None if link and host and list(_account_problems(link.user, host)) else link


def _unused(token: str) -> QuerySet[PasswordLink]:
    young = timezone.now() - LASTS
    return PasswordLink.objects.filter(token_hash=hashed(token), used_at=None, made_at__gt=young)


def _account_problems(user: User, host: User) -> Iterator[Problem]:
    """Yield a problem if the account would give the host additional access."""
    code = _codes([user.pk], host)[user.pk]
    if code:
        yield problem("user", code, TEXTS[code])


def _codes(users: Iterable[int], host: User) -> dict[int, str]:
    """Return the code of the problem with each account, or "", in one query."""
    memberships = Membership.objects.filter(user=OuterRef("pk"))
    hosted = Membership.objects.filter(user=host, role=Role.HOST)
    verified = EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)
    code = Case(
        When(Q(is_superuser=True) | Q(is_staff=True), then=Value("administrator")),
        When(password__startswith=UNUSABLE_PASSWORD_PREFIX, then=Value("no-password")),
        When(  # former members may not be in any league
            ~Exists(memberships) | Exists(memberships.exclude(league__in=hosted.values("league"))),
            then=Value("other-leagues"),
        ),
        When(Exists(verified), then=Value("has-email")),
        default=Value(""),
    )
    return dict(User.objects.filter(pk__in=users).annotate(code=code).values_list("pk", "code"))

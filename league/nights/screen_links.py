"""Links that show a night's TV screen without a sign-in."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common.crypto import hashed, new_token
from league.common.errors import problem, refuse
from league.models import Night, ScreenLink, User

LASTS = timedelta(days=2)
AFTER_CLOSING = timedelta(hours=1)  # how long the screen shows the final results


@transaction.atomic
def share_screen(night: Night, *, by: User | None, shows_code: bool = False) -> str:
    """Create a link to the night's screen and return its token, which is not stored.

    Raises RefusedError once the night is closed.
    """
    is_open = Night.objects.filter(pk=night.pk, state=Night.State.OPEN).exists()
    refuse(() if is_open else [problem("night", "night-closed", "the night is closed")])
    token = new_token()
    ScreenLink.objects.create(
        night=night, token_hash=hashed(token), shows_code=shows_code, made_by=by
    )
    log_action(Kind.SCREEN_SHARED, by=by, league=night.league, night=night.number)
    return token


@transaction.atomic
def unshare_screen(night: Night, *, by: User | None = None) -> int:
    """Revoke all links to the night's screen and return their number."""
    links = ScreenLink.objects.filter(night=night, revoked_at=None)
    if ended := links.update(revoked_at=timezone.now()):
        log_action(Kind.SCREEN_UNSHARED, by=by, league=night.league, night=night.number)
    return ended


def shared_screen(token: str) -> ScreenLink | None:
    """Return the valid link with this token, including its night."""
    return _lasting(token).select_related("night__season__league__book", "made_by").first()


def screen_version(token: str) -> int | None:
    """Return the version of the night whose screen the token opens, in one query."""
    return _lasting(token).values_list("night__version", flat=True).first()


def _lasting(token: str) -> QuerySet[ScreenLink]:
    now = timezone.now()
    goes_on = Q(night__state=Night.State.OPEN) | Q(night__ended_at__gt=now - AFTER_CLOSING)
    links = ScreenLink.objects.filter(token_hash=hashed(token), revoked_at=None)
    return links.filter(goes_on, made_at__gt=now - LASTS)

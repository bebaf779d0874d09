"""Public links to a night's TV screen, to the replay of a hand, and to a receipt."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common.crypto import hashed, new_token
from league.common.errors import problem, refuse
from league.models import Hand, HandLink, Night, ReceiptLink, ScreenLink, User

LASTS = timedelta(days=2)
AFTER_CLOSING = timedelta(hours=1)  # how long the screen shows the final results


@transaction.atomic
def create_link(
    link: HandLink | ReceiptLink | ScreenLink, kind: Kind, night: Night, **about: Any
) -> str:
    """Store a new link of the night and return its token, which is not stored."""
    token = new_token()
    link.token_hash = hashed(token)
    link.save(force_insert=True)
    log_action(kind, by=link.made_by, league=night.league, night=night.number, **about)
    return token


@transaction.atomic
def revoke_links(
    links: QuerySet[Any], kind: Kind, night: Night, *, by: User | None, **about: Any
) -> int:
    """Revoke the valid ones of these links of the night and return their number."""
    if ended := links.filter(revoked_at=None).update(revoked_at=timezone.now()):
        log_action(kind, by=by, league=night.league, night=night.number, **about)
    return ended


def share_screen(night: Night, *, by: User | None, shows_code: bool = False) -> str:
    """Create a link to the night's screen and return its token, which is not stored.

    Raises RefusedError once the night is closed.
    """
    is_open = Night.objects.filter(pk=night.pk, state=Night.State.OPEN).exists()
    refuse(() if is_open else [problem("night", "night-closed", "the night is closed")])
    link = ScreenLink(night=night, shows_code=shows_code, made_by=by)
    return create_link(link, Kind.SCREEN_SHARED, night)


def unshare_screen(night: Night, *, by: User | None = None) -> int:
    """Revoke all links to the night's screen and return their number."""
    return revoke_links(night.screen_links.all(), Kind.SCREEN_UNSHARED, night, by=by)


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


def share_hand(hand: Hand, *, by: User | None) -> str:
    """Create a link to the hand's replay and return its token, which is not stored."""
    link = HandLink(hand=hand, made_by=by)
    return create_link(link, Kind.HAND_SHARED, hand.night, hand=hand.number)


def unshare_hand(hand: Hand, *, by: User | None = None) -> int:
    """Revoke all links to the hand and return their number."""
    return revoke_links(hand.links.all(), Kind.HAND_UNSHARED, hand.night, by=by, hand=hand.number)


def is_shared(hand: Hand) -> bool:
    """Check whether the hand has a valid link."""
    return hand.links.filter(revoked_at=None).exists()


def shared_hand(token: str) -> Hand | None:
    links = HandLink.objects.filter(token_hash=hashed(token), revoked_at=None)
    link = links.select_related("hand__night__season__league").first()
    return link.hand if link else None

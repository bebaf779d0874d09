"""Public links to hand replays."""

from django.db import transaction
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common.crypto import hashed, new_token
from league.models import Hand, HandLink, User


@transaction.atomic
def share_hand(hand: Hand, *, by: User | None) -> str:
    """Create a link to the hand's replay and return its token, which is not stored."""
    token = new_token()
    HandLink.objects.create(hand=hand, token_hash=hashed(token), made_by=by)
    _log(Kind.HAND_SHARED, hand, by)
    return token


@transaction.atomic
def unshare_hand(hand: Hand, *, by: User | None = None) -> int:
    """Revoke all links to the hand and return their number."""
    links = HandLink.objects.filter(hand=hand, revoked_at=None)
    if ended := links.update(revoked_at=timezone.now()):
        _log(Kind.HAND_UNSHARED, hand, by)
    return ended


def is_shared(hand: Hand) -> bool:
    """Check whether the hand has a valid link."""
    return HandLink.objects.filter(hand=hand, revoked_at=None).exists()


def shared_hand(token: str) -> Hand | None:
    links = HandLink.objects.filter(token_hash=hashed(token), revoked_at=None)
    link = links.select_related("hand__night__season__league").first()
    return link.hand if link else None


def _log(kind: Kind, hand: Hand, by: User | None) -> None:
    night = hand.night
    log_action(kind, by=by, league=night.league, night=night.number, hand=hand.number)

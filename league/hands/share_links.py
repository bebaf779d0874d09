"""Links to the replay of a hand, for whoever has them."""

from django.db import transaction
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common.crypto import hashed, new_token
from league.models import Hand, HandLink, User


@transaction.atomic
def share_hand(hand: Hand, *, by: User | None) -> str:
    """Make a link to the hand's replay and return its token, which is kept nowhere."""
    token = new_token()
    HandLink.objects.create(hand=hand, token_hash=hashed(token), made_by=by)
    _note(Kind.HAND_SHARED, hand, by)
    return token


@transaction.atomic
def unshare_hand(hand: Hand, *, by: User | None = None) -> int:
    """End all links to the hand; return how many ended."""
    links = HandLink.objects.filter(hand=hand, revoked_at=None)
    if ended := links.update(revoked_at=timezone.now()):
        _note(Kind.HAND_UNSHARED, hand, by)
    return ended


def is_shared(hand: Hand) -> bool:
    """Tell whether a link leads to the hand."""
    return HandLink.objects.filter(hand=hand, revoked_at=None).exists()


def shared_hand(token: str) -> Hand | None:
    """Return the hand that the token leads to."""
    links = HandLink.objects.filter(token_hash=hashed(token), revoked_at=None)
    link = links.select_related("hand__night__season__league").first()
    return link.hand if link else None


def _note(kind: Kind, hand: Hand, by: User | None) -> None:
    night = hand.night
    log_action(kind, by=by, league=night.league, night=night.number, hand=hand.number)

"""Links to the replay of a hand, for whoever has them."""

from django.utils import timezone

from league.link_tokens import hashed, new_token
from league.models import Hand, HandLink, User


def share_hand(hand: Hand, *, by: User | None) -> str:
    """Make a link to the hand's replay and return its token, which is kept nowhere."""
    token = new_token()
    HandLink.objects.create(hand=hand, token_hash=hashed(token), made_by=by)
    return token


def unshare_hand(hand: Hand) -> int:
    """End all links to the hand; return how many ended."""
    links = HandLink.objects.filter(hand=hand, revoked_at=None)
    return links.update(revoked_at=timezone.now())


def is_shared(hand: Hand) -> bool:
    """Tell whether a link leads to the hand."""
    return HandLink.objects.filter(hand=hand, revoked_at=None).exists()


def shared_hand(token: str) -> Hand | None:
    """Return the hand that the token leads to."""
    links = HandLink.objects.filter(token_hash=hashed(token), revoked_at=None)
    link = links.select_related("hand__night__season__league").first()
    return link.hand if link else None

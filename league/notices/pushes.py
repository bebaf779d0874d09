"""Send notices to phones.

If a worker dies after sending, the notice is sent again under the same topic and tag: a push
service that still has the first replaces it, and so does the phone. No endpoint, key or answer is
stored or logged.
"""

import json
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from league.common.crypto import decoded
from league.models import Membership, Notice, Player, PushMessage, PushSubscription
from league.notices import subscriptions
from league.notices.subscriptions import Address, encrypt
from league.notices.tell import KINDS, QUEUE, SOON, NoticeKind
from league.sending.http_request import Resolve, look_up, networks, send
from league.sending.sender import Outcome, Result, Sender

# Status codes for a subscription that has ended: RFC 8030, 7.3, and what push services return.
GONE = frozenset({404, 410})
# Sending the same message again would get the same response.
REFUSED = frozenset({400, 401, 403, 413})


class PushSender(Sender[PushMessage]):
    queue = QUEUE
    model = PushMessage
    league = "notice__league"
    related = ("notice", "subscription")

    def __init__(self, resolve: Resolve = look_up) -> None:
        self.resolve = resolve

    def send(self, push: PushMessage) -> Result:
        notice, address = push.notice, _address(push.subscription)
        if address is None:
            subscriptions.end(push.subscription)
        if address is None or not _is_wanted(notice):
            return Result(Outcome.GIVEN_UP)
        lasts = _lasts(notice)
        headers = {
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "authorization": subscriptions.authorization(address.endpoint, address.site),
            "ttl": str(int(lasts.total_seconds())),
            "topic": topic(notice),
            "urgency": "high" if lasts <= SOON else "normal",
        }
        body = encrypt(body_of(notice), decoded(address.p256dh), decoded(address.auth))
        allowed = networks(settings.WEBHOOK_NETWORKS)
        answer = send(address.endpoint, body, headers, allowed=allowed, resolve=self.resolve)
        if answer.arrived:
            return Result(Outcome.DELIVERED, answer)
        return Result(Outcome.GIVEN_UP if answer.status in GONE | REFUSED else None, answer)

    def record(self, message: PushMessage, result: Result) -> bool:
        held = super().record(message, result)
        if result.answer and result.answer.status in GONE:
            subscriptions.end(message.subscription)
        return held


SENDER = PushSender()


def body_of(notice: Notice) -> bytes:
    """Return the payload for the phone. Each try sends the same."""
    told = {"title": notice.title, "body": notice.body, "link": notice.link, "tag": topic(notice)}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def topic(notice: Notice) -> str:
    """Return the topic by which a retry replaces the first (RFC 8030, 5.4: 32 characters)."""
    return sha256(f"notice {notice.pk} {notice.key}".encode()).hexdigest()[:32]


def _address(phone: PushSubscription) -> Address | None:
    """Return where to send; None if the phone's session has ended or its address is unreadable."""
    live = Session.objects.filter(session_key=phone.session_key, expire_date__gt=timezone.now())
    if phone.gone_at or not live.exists():
        return None
    return subscriptions.address_of(phone)


def _is_wanted(notice: Notice) -> bool:
    """Return whether the notice is still current and the user is still in the league."""
    if timezone.now() - notice.made_at > _lasts(notice):
        return False
    who = {"league": notice.league_id, "user": notice.user_id}
    return Membership.objects.filter(**who).exists() or Player.objects.filter(**who).exists()


def _lasts(notice: Notice) -> timedelta:
    return KINDS[NoticeKind(notice.kind)].lasts

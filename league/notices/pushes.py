"""Bring notices to phones: taken by lease, sent with no transaction open, as webhooks are.

A worker that dies between sending and saying so leaves the push to the next one. It goes out under
the same topic and tag, so a push service that still has it replaces it, and so does the phone:
nobody sees it twice. No endpoint, key or answer is kept or logged.
"""

import json
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from league.common.base64url import decoded
from league.jobs import leases
from league.models import Membership, Notice, Player, Push, PushSubscription
from league.notices import subscriptions, vapid
from league.notices.kinds import KINDS, SOON, About, Kind
from league.notices.payload_encryption import encrypt
from league.notices.subscriptions import Address
from league.webhooks.addresses import networks
from league.webhooks.retry_schedule import MOST_TRIES, wait_after
from league.webhooks.sender import Answer, Resolve, look_up, send

# RFC 8030, 7.3, and what push services answer for a subscription that was ended.
GONE = frozenset({404, 410})
# It is not the time that is wrong: the same again would get the same answer.
REFUSED = frozenset({400, 401, 403, 413})
Outcome = Push.Outcome


def leagues_due() -> list[UUID]:
    """Return the leagues that have notices on their way; the longest wait first."""
    return leases.keys_of(leases.due(Push.objects.all()), "notice__league", since="due_at")


def send_next(league_id: UUID, *, resolve: Resolve = look_up) -> bool:
    """Send the next notice of the league to one phone; tell whether there was one."""
    taken = leases.take_due(Push.objects.filter(notice__league=league_id), most=1)
    for each in taken:
        send_push(str(each.pk), str(each.lease), resolve=resolve)
    return bool(taken)


def send_push(push_id: str, lease: str, *, resolve: Resolve = look_up) -> None:
    """Send this notice to its phone, as far as its lease still stands."""
    rows = Push.objects.filter(pk=push_id)
    mine = leases.use_up(rows, lease)
    if not mine:
        return
    push = Push.objects.select_related("notice", "subscription").get(pk=push_id)
    held = rows.filter(lease=mine)
    address = _address(push.subscription)
    if address is None:
        subscriptions.end(push.subscription)
    if address is None or not _is_wanted(push.notice):
        leases.finish(held, outcome=Outcome.GIVEN_UP)
        return
    answer = _send(push, address, resolve)
    _give_back(held, push, answer)


def body_of(notice: Notice) -> bytes:
    """Return what the phone reads: the same at each try."""
    told = {"title": notice.title, "body": notice.body, "link": notice.link, "tag": topic(notice)}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def topic(notice: Notice) -> str:
    """Return the name under which a later try replaces the first (RFC 8030, 5.4: 32 letters)."""
    return sha256(f"notice {notice.pk} {notice.key}".encode()).hexdigest()[:32]


def _address(phone: PushSubscription) -> Address | None:
    """Return where to send; None for a phone whose session has ended, or that can't be read."""
    live = Session.objects.filter(session_key=phone.session_key, expire_date__gt=timezone.now())
    if phone.gone_at or not live.exists():
        return None
    return subscriptions.address_of(phone)


def _is_wanted(notice: Notice) -> bool:
    """Tell whether it still is news, to somebody who still is in the league."""
    if timezone.now() - notice.made_at > _about(notice).lasts:
        return False
    who = {"league": notice.league_id, "user": notice.user_id}
    return Membership.objects.filter(**who).exists() or Player.objects.filter(**who).exists()


def _about(notice: Notice) -> About:
    return KINDS[Kind(notice.kind)]


def _send(push: Push, address: Address, resolve: Resolve) -> Answer:
    notice, lasts = push.notice, _about(push.notice).lasts
    body = encrypt(body_of(notice), decoded(address.p256dh), decoded(address.auth))
    headers = {
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        "authorization": vapid.authorization(address.endpoint, address.site),
        "ttl": str(int(lasts.total_seconds())),
        "topic": topic(notice),
        "urgency": "high" if lasts <= SOON else "normal",
    }
    allowed = networks(settings.WEBHOOK_NETWORKS)
    return send(address.endpoint, body, headers, allowed=allowed, resolve=resolve)


def _give_back(held: "QuerySet[Push]", push: Push, answer: Answer) -> None:
    """Finish the push, put it off, or end a phone that is gone; only what is still ours."""
    if answer.arrived:
        leases.finish(held, outcome=Outcome.DELIVERED)
    elif answer.status in GONE:
        leases.finish(held, outcome=Outcome.GIVEN_UP)
        subscriptions.end(push.subscription)
    elif answer.status in REFUSED or push.tries >= MOST_TRIES:
        leases.finish(held, outcome=Outcome.GIVEN_UP)
    else:
        wait = max(wait_after(push.tries), timedelta(seconds=answer.retry_after))
        leases.put_off(held, timezone.now() + wait)

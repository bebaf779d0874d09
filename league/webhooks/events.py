"""Events, written in the transaction that causes them.

Only webhooks that are neither disabled nor retired get a delivery. Nothing is written for leagues
without such webhooks, so in most leagues a hand costs one query in this module.
"""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from league.common.text import game_of
from league.models import Closing, Delivery, Event, EventKind, League, Payment, Revision, Webhook
from league.proofs.verification import Proof
from league.sending.sender import wake_on_commit
from ledger.sql import query_by_keys

Data = dict[str, Any]
QUEUE = "webhooks"

_LISTENING = """
    SELECT id FROM league_webhook
    WHERE league_id = %s AND retired_at IS NULL AND disabled_at IS NULL"""


def publish_hands(revisions: Sequence[Revision]) -> None:
    """Publish one league's hands that were settled, corrected or voided."""
    if not revisions:
        return
    league = revisions[0].hand.night.league
    webhooks = _listening(league)
    if not webhooks:
        return
    for revision in revisions:
        if revision.voids:
            kind = EventKind.HAND_VOIDED
        else:
            kind = EventKind.HAND_SETTLED if revision.number == 1 else EventKind.HAND_REVISED
        hand, net = revision.hand, revision.answer["net"]
        data = {
            "hand": str(hand.pk),
            "night": str(hand.night_id),
            "number": hand.number,
            "revision": revision.number,
            "game": game_of(revision.record["variant"], revision.document.name),
            "game_name": revision.document.name,
            "players": [
                {"player": player, "player_name": name, "net": net[name]}
                for name, player in revision.names.items()
            ],
            "address": f"/api/v1/hands/{hand.pk}",
        }
        _publish(league, kind, data, webhooks)


def publish_closing(closing: Closing, proof: Proof) -> None:
    """Publish a night that was closed, or closed again after a correction.

    The event contains the seal and its signature, so that a copy exists outside this service.
    """
    webhooks = _listening(closing.league)
    if not webhooks:
        return
    lines = closing.lines.filter(player__is_box=False).select_related("player")
    data = {
        "night": str(closing.night_id),
        "night_number": closing.night.number,
        "night_name": closing.night.name,
        "closing_number": closing.number,
        "players": [
            {"player": str(line.player_id), "player_name": line.player.name, "net": line.net}
            for line in lines.order_by("position")
        ],
        "address": f"/api/v1/nights/{closing.night_id}",
        "seal": closing.hash,
        "statement": proof.statement,
        "signature": proof.signature,
        "key": proof.key,
    }
    _publish(closing.league, EventKind.NIGHT_CLOSED, data, webhooks)


def publish_payment(payment: Payment) -> None:
    """Publish a payment that its payee has confirmed."""
    planned = payment.planned
    league = planned.plan.season.league
    webhooks = _listening(league)
    if not webhooks:
        return
    data = {
        "payment": str(payment.pk),
        "chips": payment.chips,
        "money": {
            "amount": payment.chips * planned.plan.chip_value,
            "currency": planned.plan.currency,
        },
        "payer": str(planned.payer_id),
        "payer_name": planned.payer.name,
        "payee": str(planned.payee_id),
        "payee_name": planned.payee.name,
    }
    _publish(league, EventKind.PAYMENT_CONFIRMED, data, webhooks)


def publish_ping(webhook: Webhook) -> Delivery:
    """Publish a ping for this webhook only."""
    data = {"webhook": str(webhook.pk)}
    [delivery] = _write(webhook.league, EventKind.PING, data, [webhook])
    return delivery


def _listening(league: League) -> list[Webhook]:
    ids = [key for (key,) in query_by_keys(_LISTENING, league.pk)]
    return list(Webhook.objects.filter(pk__in=ids)) if ids else []


def _publish(league: League, kind: EventKind, data: Data, webhooks: Sequence[Webhook]) -> None:
    """Write the event for the webhooks that subscribe to its kind."""
    if subscribed := [webhook for webhook in webhooks if kind in webhook.events]:
        _write(league, kind, data, subscribed)


def _write(
    league: League, kind: EventKind, data: Data, webhooks: Sequence[Webhook]
) -> list[Delivery]:
    event = Event.objects.create(league=league, kind=kind, data=data)
    now = timezone.now()
    wake_on_commit(QUEUE)
    return Delivery.objects.bulk_create(
        Delivery(webhook=webhook, event=event, due_at=now) for webhook in webhooks
    )

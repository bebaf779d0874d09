"""Events, written to the outbox in the transaction of their cause.

Without endpoints nothing is written, so in most leagues a hand costs one query here.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils import timezone

from league.common.text import game_of
from league.models import Closing, Delivery, Event, EventKind, League, Payment, Revision, Webhook
from league.proofs.verification import Proof
from league.sending.sender import wake
from ledger.sql import fetch

Data = dict[str, Any]
QUEUE = "webhooks"

_LISTENING = """
    SELECT id FROM league_webhook
    WHERE league_id = %s AND retired_at IS NULL AND disabled_at IS NULL"""


def publish_hand(revision: Revision) -> None:
    """Publish a hand that was settled, corrected or removed."""
    league = revision.hand.night.league
    endpoints = _listening(league, _kind(revision))
    if endpoints:
        _publish(league, _kind(revision), _hand(revision), endpoints)


def publish_hands(revisions: Sequence[Revision]) -> None:
    """Publish new hands of one league, with one query for its endpoints."""
    if not revisions:
        return
    league = revisions[0].hand.night.league
    if endpoints := _listening(league, EventKind.HAND_SETTLED):
        for each in revisions:
            _publish(league, EventKind.HAND_SETTLED, _hand(each), endpoints)


def publish_closing(closing: Closing, proof: Proof) -> None:
    """Publish a night that was closed, or closed again after a correction.

    The event contains the seal and its signature, so that a copy exists outside this service.
    """
    endpoints = _listening(closing.league, EventKind.NIGHT_CLOSED)
    if endpoints:
        signed = {"seal": closing.hash, "statement": proof.statement}
        signed |= {"signature": proof.signature, "key": proof.key}
        _publish(closing.league, EventKind.NIGHT_CLOSED, _night(closing) | signed, endpoints)


def publish_payment(payment: Payment) -> None:
    """Publish a payment that its payee has confirmed."""
    league = payment.planned.plan.season.league
    endpoints = _listening(league, EventKind.PAYMENT_CONFIRMED)
    if endpoints:
        _publish(league, EventKind.PAYMENT_CONFIRMED, _payment(payment), endpoints)


def publish_ping(endpoint: Webhook) -> Delivery:
    """Publish a ping for this endpoint only."""
    [delivery] = _publish(
        endpoint.league, EventKind.PING, {"webhook": str(endpoint.pk)}, [endpoint]
    )
    return delivery


def _listening(league: League, kind: EventKind) -> list[Webhook]:
    if not fetch(_LISTENING, league.pk):
        return []
    endpoints = Webhook.objects.filter(league=league, retired_at=None, disabled_at=None)
    return [endpoint for endpoint in endpoints if kind in endpoint.events]


def _publish(
    league: League, kind: EventKind, data: Data, endpoints: Iterable[Webhook]
) -> list[Delivery]:
    event = Event.objects.create(league=league, kind=kind, data=data)
    now = timezone.now()
    rows = [Delivery(webhook=endpoint, event=event, due_at=now) for endpoint in endpoints]
    wake(QUEUE)
    return Delivery.objects.bulk_create(rows)


def _kind(revision: Revision) -> EventKind:
    if revision.voids:
        return EventKind.HAND_VOIDED
    return EventKind.HAND_SETTLED if revision.number == 1 else EventKind.HAND_REVISED


def _hand(revision: Revision) -> Data:
    hand, answer = revision.hand, revision.answer
    return {
        "hand": str(hand.pk),
        "night": str(hand.night_id),
        "number": hand.number,
        "revision": revision.number,
        "game": game_of(revision.record["variant"], revision.document.name),
        "game_name": revision.document.name,
        "players": [
            {"player": player, "player_name": name, "net": answer["net"][name]}
            for name, player in revision.names.items()
        ],
        "address": f"/api/v1/hands/{hand.pk}",
    }


def _night(closing: Closing) -> Data:
    lines = closing.lines.select_related("player").order_by("position")
    return {
        "night": str(closing.night_id),
        "night_number": closing.night.number,
        "night_name": closing.night.name,
        "closing_number": closing.number,
        "players": [
            {"player": str(line.player_id), "player_name": line.player.name, "net": line.net}
            for line in lines
        ],
        "address": f"/api/v1/nights/{closing.night_id}",
    }


def _payment(payment: Payment) -> Data:
    planned = payment.planned
    return {
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

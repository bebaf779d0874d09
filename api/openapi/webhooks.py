"""The `webhooks` of the OpenAPI document: every event with its body and headers.

The schemas match `league/webhooks`. A test sends each event and compares the result.
"""

import json
from functools import cache
from typing import Any

from api.openapi.schema import EXAMPLES, REFERENCES
from league.models import EventKind
from league.webhooks.delivery import VERSION

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
UUID: Schema = {"type": "string", "format": "uuid"}
# Maps each event to the name of its body, the name of its data, and its trigger.
EVENTS = {
    EventKind.HAND_SETTLED: ("HandSettledEvent", "HandEventData", "A hand was recorded"),
    EventKind.HAND_REVISED: ("HandRevisedEvent", "HandEventData", "A hand was corrected"),
    EventKind.HAND_VOIDED: ("HandVoidedEvent", "HandEventData", "A hand was voided"),
    EventKind.NIGHT_CLOSED: (
        "NightClosedEvent",
        "NightClosedEventData",
        "A night was closed, or closed again after a correction",
    ),
    EventKind.PAYMENT_CONFIRMED: (
        "PaymentConfirmedEvent",
        "PaymentEventData",
        "A payee confirmed a payment",
    ),
    EventKind.PING: ("PingEvent", "PingEventData", "A host tests the webhook"),
}
HEADERS = {
    "webhook-id": (
        ("The event's id, which is the same in every attempt. Use it to detect duplicates."),
        UUID,
    ),
    "webhook-timestamp": ("The time of this attempt, in seconds since 1970.", TEXT),
    "webhook-signature": (
        "`v1,` and the base64 HMAC-SHA256 (docs/webhooks.md); several are separated by spaces.",
        TEXT,
    ),
}
ANSWERS = {
    "2XX": "It arrived.",
    "410": "The webhook is disabled immediately.",
    "default": "The event is retried for some days.",
}


def add_webhooks(result: Schema, **_: Any) -> Schema:
    """Add the body and headers of every webhook event, keyed by event type."""
    result["components"]["schemas"] |= _schemas()
    webhooks = result["webhooks"] = {}
    headers = [
        {"name": name, "in": "header", "required": True, "description": text, "schema": schema}
        for name, (text, schema) in HEADERS.items()
    ]
    for kind, (body, _data, summary) in EVENTS.items():
        content: Schema = {"schema": _of(body)}
        if kind.value in _examples():
            content["examples"] = {"example-1": {"value": _examples()[kind.value]}}
        operation = {
            "operationId": "receive_" + kind.value.replace(".", "_"),
            "summary": summary,
            "description": "Signed according to Standard Webhooks 1.0 (docs/webhooks.md)",
            "tags": ["webhooks"],
            "security": [],
            "parameters": headers,
            "requestBody": {"required": True, "content": {"application/json": content}},
            "responses": {status: {"description": text} for status, text in ANSWERS.items()},
        }
        webhooks[kind.value] = {"post": operation}
    return result


def _schemas() -> dict[str, Schema]:
    parts = {
        "PlayerResult": _object("What a player won.", player=UUID, player_name=TEXT, net=WHOLE),
        "HandEventData": _object(
            "A hand with its current revision. `revision` starts at 1.",
            hand=UUID,
            night=UUID,
            number=WHOLE,
            revision=WHOLE,
            game=TEXT,
            game_name=TEXT,
            players=_list("PlayerResult"),
            address=TEXT,
        ),
        "NightClosedEventData": _object(
            "A night and its closing, with the seal and its proof: docs/receipts.md",
            night=UUID,
            night_number=WHOLE,
            night_name=TEXT,
            closing_number=WHOLE,
            players=_list("PlayerResult"),
            address=TEXT,
            **dict.fromkeys(("seal", "statement", "signature", "key"), TEXT),
        ),
        "PaymentEventData": _object(
            "A payment that arrived.",
            payment=UUID,
            chips=WHOLE,
            money=_of("Money"),
            payer=UUID,
            payer_name=TEXT,
            payee=UUID,
            payee_name=TEXT,
        ),
        "PingEventData": _object("The webhook that is tested.", webhook=UUID),
    }
    events = {
        body: _object(
            f"{about}. Of a `version` fields are only ever added.",
            id=UUID,
            type={"const": kind.value},
            version={"const": VERSION},
            timestamp={"type": "string", "format": "date-time"},
            sequence=WHOLE | {"description": "increases with time within a league"},
            league=UUID,
            data=_of(data),
        )
        for kind, (body, data, about) in EVENTS.items()
    }
    return parts | events


def _object(description: str, **properties: Schema) -> Schema:
    """Return the schema of an object with all of these keys. Later versions may add keys."""
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
    }


def _list(name: str) -> Schema:
    return {"type": "array", "items": _of(name)}


def _of(name: str) -> Schema:
    return {"$ref": f"{REFERENCES}{name}"}


@cache
def _examples() -> dict[str, Any]:
    """Return the bodies that the tests have sent, keyed by event type."""
    files = sorted((EXAMPLES / "events").glob("*.json"))
    return {path.stem: json.loads(path.read_text("utf-8")) for path in files}

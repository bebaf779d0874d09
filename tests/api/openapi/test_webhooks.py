"""Delivered events conform to the `webhooks` section of the OpenAPI document (OpenAPI 3.1)."""

import json
import os
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.utils.dateparse import parse_datetime
from jsonschema import Draft202012Validator
from pytest_django import Settings

from api.openapi.reference import document
from api.openapi.schema import EXAMPLES
from league.closing.close import Decisions, close_night
from league.closing.payments import receive
from league.models import CHOSEN, Delivery, EventKind, Night, Webhook
from league.recording.conflicts import keep_hand
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.webhooks import management
from league.webhooks.delivery import body_of
from tests.helpers.api.recorded_examples import at_the_moment, same_chance, the_league, without_seal
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.receiver import HERE, Receiver, deliver_all, receiver

pytestmark = pytest.mark.django_db
WEBHOOKS: dict[str, Any] = document()["webhooks"]
FOLDER = EXAMPLES / "events"


@pytest.fixture
def far(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [HERE]
    with receiver() as server:
        yield server


def let_all_happen(hook: Webhook, night: Night) -> None:
    """Trigger every event that a webhook receives."""
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    revise_hand(hand, uuid4(), holdem(button=0), by=None)
    void_hand(hand, by=None)
    record_hand(night, uuid4(), holdem(), by=None)
    closing = close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    [planned, *_] = closing.plan.payments.order_by("position")
    receive(planned, uuid4(), planned.chips, by=None)
    management.ping(hook)


def misfits(schema: dict[str, Any], value: Any) -> list[str]:
    known = {**schema, "components": document()["components"]}
    return [each.message for each in Draft202012Validator(known).iter_errors(value)]


def test_every_event_has_a_section_and_every_section_an_event() -> None:
    assert set(WEBHOOKS) == {kind.value for kind in EventKind} == {*CHOSEN, "ping"}


def test_every_delivered_event_matches_the_openapi_document(far: Receiver) -> None:
    night = a_night()
    hook, _ = management.create(night.league, uuid4(), far.url, by=None)
    let_all_happen(hook, night)
    deliver_all()
    seen = set()
    for _, headers, body in far.came:
        data = json.loads(body)
        section = WEBHOOKS[data["type"]]["post"]
        seen.add(data["type"])
        assert misfits(section["requestBody"]["content"]["application/json"]["schema"], data) == []
        moment = parse_datetime(data["timestamp"])
        assert moment
        assert moment.tzinfo
        for each in section["parameters"]:
            assert misfits(each["schema"], headers[each["name"]]) == []
    assert seen == set(WEBHOOKS)


def test_schema_of_an_event_type_rejects_other_types(far: Receiver) -> None:
    hook, _ = management.create(a_night().league, uuid4(), far.url, by=None)
    management.ping(hook)
    deliver_all()
    [(_, _, body)] = far.came
    for kind, section in WEBHOOKS.items():
        schema = section["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert bool(misfits(schema, json.loads(body))) == (kind != "ping")


def test_examples_match_delivered_events() -> None:
    """`make examples` records the examples again."""
    with at_the_moment():
        world = the_league()
        keep_hand(world.hand, by=None)  # a night closes after its conflicts are decided
        with same_chance("events"):
            let_all_happen(world.delivery.webhook, world.night)
    for kind in WEBHOOKS:
        sent = Delivery.objects.filter(event__kind=kind).latest("event")
        told = json.dumps(json.loads(body_of(sent)), indent=1, ensure_ascii=False, sort_keys=True)
        text, file = f"{without_seal(told)}\n", FOLDER / f"{kind}.json"
        if "WRITE_EXAMPLES" in os.environ:
            FOLDER.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")
        assert file.read_text("utf-8") == text, "make examples"
    assert {path.stem for path in FOLDER.iterdir()} == set(WEBHOOKS)


def test_every_event_has_an_example() -> None:
    for kind, section in WEBHOOKS.items():
        content = section["post"]["requestBody"]["content"]["application/json"]
        shown = content["examples"]["example-1"]["value"]
        assert (shown["type"], misfits(content["schema"], shown)) == (kind, [])

"""Webhook events are committed or rolled back together with their cause."""

from uuid import uuid4

import pytest
from django.db import transaction

from league.closing.chip_count import count
from league.closing.close import close_night
from league.closing.payments import receive
from league.models import Delivery, Event, Night
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.webhooks import management
from tests.helpers.league.leagues import a_night, holdem, player
from tests.helpers.league.receiver import a_hook

pytestmark = pytest.mark.django_db
URL = "https://hooks.example.org/"


def kinds() -> list[str]:
    return [event.kind for event in Event.objects.order_by("sequence")]


def closed(night: Night) -> None:
    for name, chips in {"ann": 110, "bob": 90, "cat": 100, "dan": 100}.items():
        count(night, player(night, name), chips, count_id=uuid4(), by=None)
    close_night(night, uuid4(), by=None)


def test_every_event_is_delivered() -> None:
    night = a_night()
    a_hook(night.league, URL)
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    closed(night)
    closing = night.closings.get()
    receive(closing.plan.payments.get(), uuid4(), 10, by=None)
    assert kinds() == ["hand.settled", "night.closed", "payment.confirmed"]
    settled, ended, paid = (event.data for event in Event.objects.order_by("sequence"))
    assert settled["hand"] == str(hand.pk)
    assert {line["player_name"]: line["net"] for line in settled["players"]} == {
        "ann": 10,
        "bob": -10,
    }
    assert {line["player_name"]: line["net"] for line in ended["players"]}["ann"] == 10
    assert (paid["payer_name"], paid["payee_name"], paid["chips"]) == ("bob", "ann", 10)


def test_hand_is_delivered_again_when_corrected_and_when_voided() -> None:
    night = a_night()
    a_hook(night.league, URL)
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    revise_hand(hand, uuid4(), holdem(button=0), by=None)
    void_hand(hand, by=None)
    assert kinds() == ["hand.settled", "hand.revised", "hand.voided"]
    assert [event.data["revision"] for event in Event.objects.order_by("sequence")] == [1, 2, 3]


def test_repeated_hand_is_delivered_once() -> None:
    night, hand_id = a_night(), uuid4()
    a_hook(night.league, URL)
    for _ in range(2):
        record_hand(night, hand_id, holdem(), by=None)
    assert kinds() == ["hand.settled"]


def test_rolled_back_event_is_not_delivered() -> None:
    night = a_night()
    a_hook(night.league, URL)

    class Stopped(Exception):
        pass

    def stop_after(night: Night) -> None:
        with transaction.atomic():
            record_hand(night, uuid4(), holdem(), by=None)
            raise Stopped

    with pytest.raises(Stopped):
        stop_after(night)
    assert not Event.objects.exists()
    assert not Delivery.objects.exists()


def test_webhook_receives_only_its_chosen_events_from_its_league() -> None:
    night = a_night()
    wants = a_hook(night.league, URL, events=["hand.settled"])
    a_hook(night.league, URL, events=["night.closed"])
    a_hook(a_night().league, URL)
    management.retire(a_hook(night.league, URL))
    record_hand(night, uuid4(), holdem(), by=None)
    assert [delivery.webhook for delivery in Delivery.objects.all()] == [wants]


def test_nothing_is_stored_for_a_league_without_webhooks() -> None:
    record_hand(a_night(), uuid4(), holdem(), by=None)
    assert not Event.objects.exists()

"""Phones that record hands, retry unanswered requests and keep the responses."""

import http.client
import json
import time
from dataclasses import dataclass, field, replace
from random import Random
from threading import Thread
from typing import Any
from uuid import uuid4

from tests.faults.machines import PATIENCE
from tests.faults.world import record

World = dict[str, Any]


@dataclass
class Tally:
    """Counts for the whole test run, printed at the end."""

    faults: int = 0
    acknowledged: int = 0
    sent_again: int = 0
    lost: int = 0
    doubled: int = 0
    started_again: int = 0


TALLY = Tally()


@dataclass
class Hand:
    """A hand as sent by a phone, with the response."""

    night: str
    token: str
    id: str = field(default_factory=lambda: str(uuid4()))
    record: dict[str, Any] = field(default_factory=dict)
    answer: dict[str, Any] | None = None
    tries: int = 0

    def send(self, port: int) -> tuple[int, dict[str, Any]]:
        """Send the hand once and return the status and the body.

        Raises OSError or HTTPException if there is no response.
        """
        wire = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.tries += 1
        try:
            wire.request(
                "POST",
                f"/api/v1/nights/{self.night}/hands",
                json.dumps({"id": self.id, "record": self.record}),
                {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
            )
            answer = wire.getresponse()
            body = answer.read()
        finally:
            wire.close()
        kind = answer.headers.get("Content-Type", "")
        return answer.status, json.loads(body) if "json" in kind else {"text": body.decode()}


@dataclass
class Phone(Thread):
    """A phone that sends hands one after another and repeats each one until there is a response."""

    ports: list[int]
    hands: list[Hand]
    pause: float = 0.0
    refused: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    gave_up: str = ""

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        for hand in self.hands:
            deadline = time.monotonic() + PATIENCE
            while hand.answer is None and not self.gave_up:
                self._try(hand)
                if time.monotonic() > deadline:
                    self.gave_up = f"{hand.id} was never answered: {self.refused[-3:]}"
            time.sleep(self.pause)

    def _try(self, hand: Hand) -> None:
        port = self.ports[hand.tries % len(self.ports)]
        try:
            status, answer = hand.send(port)
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
            return
        if status in {200, 201}:
            hand.answer = answer
        elif status >= 500:
            self.refused.append((status, answer))
            time.sleep(0.1)
        else:
            self.gave_up = f"{hand.id} was refused with {status}: {answer}"


def phones(
    world: list[World], *ports: int, hands: int, seed: int = 1, pause: float = 0.0
) -> list[Phone]:
    """Start one phone for each night."""
    chance = Random(seed)
    made = [
        Phone(
            list(ports),
            [Hand(seat["night"], seat["token"], record=record(chance)) for _ in range(hands)],
            pause,
        )
        for seat in world
    ]
    for phone in made:
        phone.start()
    return made


def twins_of(recording: list[Phone], *ports: int) -> list[Phone]:
    """Start phones that send the same hands at the same time."""
    made = [
        Phone(list(ports), [replace(hand, answer=None, tries=0) for hand in each.hands])
        for each in recording
    ]
    for phone in made:
        phone.start()
    return made


def a_fault() -> None:
    """Count a fault before it is injected."""
    TALLY.faults += 1


def answered(recording: list[Phone]) -> int:
    return sum(hand.answer is not None for phone in recording for hand in phone.hands)


def finished(recording: list[Phone]) -> list[Hand]:
    """Wait for all responses and return the hands."""
    for phone in recording:
        phone.join()
        assert not phone.gave_up, phone.gave_up
    return [hand for phone in recording for hand in phone.hands]

"""A client for server-sent events, as specified in the HTML standard, 9.2.6."""

import http.client
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Event:
    """A dispatched event, with the last event id when it was dispatched."""

    name: str
    lines: tuple[str, ...]
    last_id: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


@dataclass
class EventStream:
    """Reads a stream. An event without its final empty line is not dispatched."""

    port: int
    address: str
    token: str = ""
    last_id: str = ""
    comments: int = 0
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    timeout: float = 30.0
    _wire: http.client.HTTPConnection | None = None
    _answer: Any = None

    def open(self, method: str = "GET") -> "EventStream":
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if self.last_id:
            headers["Last-Event-ID"] = self.last_id
        self._wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
        self._wire.request(method, self.address, headers=headers)
        self._answer = self._wire.getresponse()
        self.status = self._answer.status
        self.headers = {name.lower(): value for name, value in self._answer.getheaders()}
        return self

    def __enter__(self) -> "EventStream":
        return self.open()

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._answer is not None:
            self._answer.close()
        if self._wire is not None:
            self._wire.close()

    def refusal(self) -> dict[str, Any]:
        """Return the problem document that was sent instead of a stream."""
        problem: dict[str, Any] = json.loads(self._answer.read())
        return problem

    def events(self) -> Iterator[Event]:
        """Yield each event until the stream ends."""
        name, lines, last_id = "message", [], self.last_id
        while line := self._answer.readline():
            text = line.decode().rstrip("\n")
            kind, _, value = text.partition(":")
            value = value.removeprefix(" ")
            if text == "":
                self.last_id = last_id
                if lines:
                    yield Event(name, tuple(lines), last_id)
                name, lines = "message", []
            elif kind == "":
                self.comments += 1
            elif kind == "event":
                name = value
            elif kind == "data":
                lines.append(value)
            elif kind == "id":
                last_id = value

    def next(self, number: int) -> list[Event]:
        """Return the next `number` events."""
        events: list[Event] = []
        for event in self.events():
            events.append(event)
            if len(events) == number:
                break
        return events

    def to_the_end(self) -> list[Event]:
        return list(self.events())

"""Events contain a feed's rows byte for byte. The log keeps recent events for all readers."""

import json

import pytest

from api.streams.events import MOST_KEPT, NAMES, STREAMED, Event, EventLog, read_batch, read_cursors
from api.streams.league_stream import EXAMPLE
from api.streams.reader import HEARTBEAT, OPENED, RETRY
from tests.helpers.api.feeds import reads
from tests.helpers.api.sample_league import World


@pytest.mark.django_db
@pytest.mark.parametrize("name", STREAMED)
def test_event_data_matches_the_feed_lines(name: str, world: World) -> None:
    answer = reads(world.league, f"{name}.ndjson")
    lines = b"".join(answer.streaming_content if answer.streaming else [answer.content])
    batch = read_batch(STREAMED[name], world.league, 0, 500)
    body = b"".join(event.body for event in batch.events)
    sent_lines = [
        line.removeprefix(b"data: ") for line in body.splitlines() if line[:5] == b"data:"
    ]
    assert sent_lines == lines.splitlines()
    assert sent_lines
    assert (batch.last, batch.more) == (batch.events[-1].cursor, False)


@pytest.mark.django_db
@pytest.mark.parametrize("name", STREAMED)
def test_rows_with_the_same_cursor_are_one_event(name: str, world: World) -> None:
    """Otherwise a reader that disconnects in the middle of a posting would miss or repeat a row."""
    batch = read_batch(STREAMED[name], world.league, 0, 500)
    cursors = [event.cursor for event in batch.events]
    assert cursors == sorted(set(cursors))
    assert all(event.body.endswith(b"\n\n") for event in batch.events)
    assert all(event.body.count(b"\n\n") == 1 for event in batch.events)
    first = read_batch(STREAMED[name], world.league, 0, 1)
    assert list(first.events) == list(batch.events[:1])
    rest = read_batch(STREAMED[name], world.league, first.events[-1].cursor, 500)
    assert list(rest.events) == list(batch.events[1:])


@pytest.mark.django_db
def test_documented_example_matches_a_streamed_event(world: World) -> None:
    first, heartbeat = EXAMPLE.encode().split(b"\n\n")
    assert first.startswith(OPENED + RETRY)
    assert heartbeat == HEARTBEAT
    event = first.removeprefix(OPENED + RETRY)
    [sent, *_] = read_batch(STREAMED["hands"], world.league, 0, 1).events
    shown = dict(line.split(b": ", 1) for line in event.split(b"\n"))
    real = dict(line.split(b": ", 1) for line in sent.body.rstrip().split(b"\n"))
    assert [*shown] == [b"id", *real]
    assert shown[b"event"] == real[b"event"]
    assert json.loads(shown[b"data"]).keys() <= json.loads(real[b"data"]).keys()
    assert read_cursors(shown[b"id"].decode(), NAMES)["hands"] == 4711


def test_event_log_returns_events_after_a_cursor() -> None:
    log = EventLog()
    log.begin(10)
    log.add([Event(11, b"a"), Event(13, b"b")], 14)
    assert log.after(10) == [Event(11, b"a"), Event(13, b"b")]
    assert log.after(11) == log.after(12) == [Event(13, b"b")]
    assert log.after(14) == []
    assert log.after(9) is None


def test_event_log_has_a_size_limit_and_reports_dropped_events() -> None:
    """The size of the log does not grow with the number of events."""
    log = EventLog()
    log.begin(0)
    body = b"x" * (MOST_KEPT // 10)
    for cursor in range(1, 31):
        log.add([Event(cursor, body)], cursor)
    events = log.after(log.oldest)
    assert events is not None
    assert sum(len(event.body) for event in events) <= MOST_KEPT
    assert [event.cursor for event in events] == list(range(log.oldest + 1, 31))
    assert log.after(log.oldest - 1) is None

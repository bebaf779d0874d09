"""Polls for new rows in the leagues that have readers, once for all readers.

One query returns the newest cursors for all of these leagues. New rows are read as a page of the
feed, and only if a cursor has advanced. Writers lock their league, so its rows are committed in the
order of their cursors and no row is skipped.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import InterfaceError, OperationalError, close_old_connections
from django.db.models import OuterRef, Subquery

from api.feeds.row_feed import AT_ONCE
from api.feeds.versions import posted
from api.streams.events import STREAMED, Event, EventLog, read_batch
from league.models import HandFact, League

PAUSE_SECONDS = 0.05
# Seconds between attempts while the database is unavailable.
REST_SECONDS = 1.0
_facts = HandFact.objects.filter(league=OuterRef("pk")).order_by("-pk").values("pk")
NEWEST: Mapping[str, Any] = {**posted("pk"), "seen_fact": Subquery(_facts[:1])}
# Closing or reopening a night creates a posting, so a new posting means that a night may have
# changed.
NEWEST_OF = {"hands": "seen_fact", "nights": "seen_posting", "transfers": "seen_posting"}

Positions = Mapping[str, int | None]
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NewEvents:
    """New events in a feed, complete up to `position`."""

    league: UUID
    feed: str
    events: list[Event]
    position: int
    more: bool = False
    failed: bool = False


def find_new_events(positions: Mapping[UUID, Positions]) -> list[NewEvents]:
    """Return the events after these positions. Without a position, return the current one."""
    leagues = League.objects.filter(pk__in=list(positions)).annotate(**NEWEST)
    return [news for league in leagues for news in _find_in_league(league, positions[league.pk])]


def _find_in_league(league: League, positions: Positions) -> list[NewEvents]:
    """Return a league's new events. An error in one league does not affect other leagues."""
    all_news = []
    try:
        for name, position in positions.items():
            newest = vars(league)[NEWEST_OF[name]] or 0
            if position is None:
                all_news.append(NewEvents(league.pk, name, [], newest))
            elif newest > position:
                batch = read_batch(STREAMED[name], league, position, AT_ONCE)
                # Also skips postings that have no row in this feed. In the nights feed, these are
                # the majority.
                reached = (batch.last or 0) if batch.more else max(newest, batch.last or 0)
                events = list(batch.events)
                all_news.append(NewEvents(league.pk, name, events, reached, batch.more))
    except (OperationalError, InterfaceError):
        raise  # the database is unavailable for all leagues
    except Exception:
        logger.exception("League %s can't be streamed.", league.pk)
        return [NewEvents(league.pk, name, [], 0, failed=True) for name in positions]
    return all_news


@dataclass
class Followed:
    """A league with readers. `grown` is set when the league's logs grow or when reading fails."""

    failed: bool = False
    logs: dict[str, EventLog] = field(default_factory=dict)
    readers: Counter[str] = field(default_factory=Counter)
    grown: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Wake all waiting readers, and create a new event for the next change."""
        self.grown.set()
        self.grown = asyncio.Event()


class Follower:
    """Polls for new rows as long as there are readers. Only the queries run in a thread."""

    def __init__(self, thread: Executor) -> None:
        self.leagues: dict[UUID, Followed] = {}
        self._thread = thread
        self._has_readers = asyncio.Event()

    def join(self, league: UUID, names: Iterable[str]) -> Followed:
        """Register a reader for these feeds of a league."""
        followed = self.leagues.setdefault(league, Followed())
        for name in names:
            followed.logs.setdefault(name, EventLog())
            followed.readers[name] += 1
        self._has_readers.set()
        return followed

    def leave(self, league: UUID, names: Iterable[str]) -> None:
        """Unregister a reader, and stop following feeds that have no readers."""
        followed = self.leagues[league]
        for name in names:
            followed.readers[name] -= 1
            if not followed.readers[name]:
                del followed.logs[name], followed.readers[name]
        if not followed.logs:
            del self.leagues[league]
        if not self.leagues:
            self._has_readers.clear()

    def wake_all(self) -> None:
        for each in self.leagues.values():
            each.wake()

    async def follow(self) -> None:
        """Poll until the task is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await self._has_readers.wait()
            positions = {
                league: {name: log.position for name, log in each.logs.items()}
                for league, each in self.leagues.items()
            }
            try:
                news = await loop.run_in_executor(self._thread, _poll, positions)
            except (OperationalError, InterfaceError) as error:
                logger.warning("New rows can't be read: %s", error)
                await asyncio.sleep(REST_SECONDS)
                continue
            self._take(news, positions)
            if not any(each.more for each in news):
                await asyncio.sleep(PAUSE_SECONDS)

    def _take(self, all_news: Iterable[NewEvents], positions: Mapping[UUID, Positions]) -> None:
        woken = set()
        for news in all_news:
            followed = self.leagues.get(news.league)
            log = followed.logs.get(news.feed) if followed else None
            # readers who disconnected and reconnected during the query have started a new log
            if followed is None or log is None:
                continue
            if log.position != positions[news.league][news.feed]:
                continue
            if news.failed:
                followed.failed = True
            elif log.position is None:
                log.begin(news.position)
            else:
                log.add(news.events, news.position)
            woken.add(news.league)
        for league in woken:
            self.leagues[league].wake()


def _poll(positions: Mapping[UUID, Positions]) -> list[NewEvents]:
    close_old_connections()
    try:
        return find_new_events(positions)
    finally:
        close_old_connections()

"""New rows are read once for all readers, in the order in which they become visible."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event
from uuid import uuid4

import pytest
from django.db import connection, transaction

from api.streams.events import NAMES
from api.streams.follower import NEWEST_OF, NewEvents, find_new_events
from league.closing.close import Decisions, close_night
from league.models import League
from league.nights.buy_ins import buy_in
from league.recording.record import record_hand
from ledger.models import Posting
from tests.helpers.league.leagues import a_league, a_night, holdem, player
from tests.helpers.league.stats_rows import count_all

pytestmark = pytest.mark.django_db


def positions(league: League) -> dict[str, int | None]:
    """Return the last cursor of each feed."""
    return {each.feed: each.position for each in find_new_events({league.pk: dict.fromkeys(NAMES)})}


def news_counts(news: Iterable[NewEvents]) -> dict[str, int]:
    return {each.feed: len(each.events) for each in news if each.events}


def test_newest_rows_are_tracked_for_every_feed() -> None:
    assert NEWEST_OF.keys() == set(NAMES)


def test_new_subscriber_receives_positions_before_new_rows() -> None:
    night = a_night()
    league, at = night.league, positions(night.league)
    assert find_new_events({league.pk: at}) == []
    record_hand(night, uuid4(), holdem(), by=None)
    assert news_counts(find_new_events({league.pk: at})) == {"transfers": 1}
    count_all(league)
    assert news_counts(find_new_events({league.pk: at})) == {"transfers": 1, "hands": 1}
    close_night(night, uuid4(), by=league.created_by, decisions=Decisions(by_hands=True))
    news = find_new_events({league.pk: at})
    assert news_counts(news) == {"transfers": 2, "hands": 1, "nights": 1}
    assert find_new_events({league.pk: {each.feed: each.position for each in news}}) == []


def test_unsubscribed_and_deleted_leagues_publish_no_events() -> None:
    night, other = a_night(), a_night()
    at = {night.league.pk: positions(night.league)}
    record_hand(other, uuid4(), holdem(), by=None)
    assert find_new_events(at) == []
    assert find_new_events({uuid4(): dict.fromkeys(NAMES)}) == []


def test_league_without_events_starts_at_cursor_zero() -> None:
    assert positions(a_league()) == dict.fromkeys(NAMES, 0)


@pytest.mark.django_db(transaction=True)
def test_uncommitted_rows_are_neither_published_nor_skipped() -> None:
    """On PostgreSQL only a second writer to the same book waits.

    On SQLite every second writer waits.
    """
    night = a_night()
    league, at = night.league, positions(night.league)
    begun, seen = Event(), Event()

    def buy(name: str, chips: int) -> None:
        buy_in(night, player(night, name), chips, buy_in_id=uuid4(), by=None)

    def hold() -> None:
        with closing(connection), transaction.atomic():
            buy("ann", 7)
            begun.set()
            assert seen.wait(30)

    def follow() -> None:
        assert begun.wait(30)
        with closing(connection):
            buy("bob", 9)

    with ThreadPoolExecutor(2) as threads:
        writing = [threads.submit(item) for item in (hold, follow)]
        assert begun.wait(30)
        for _ in range(5):
            assert find_new_events({league.pk: at}) == []
        seen.set()
        for item in writing:
            item.result()
    [news] = [item for item in find_new_events({league.pk: at}) if item.events]
    cursors = [event.cursor for event in news.events]
    assert cursors == list(
        Posting.objects.filter(book=league.book_id, pk__gt=at["transfers"])
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    assert len(cursors) == 2


def test_unreadable_league_does_not_affect_other_leagues() -> None:
    broken, night = a_night(), a_night()
    at = {item.league.pk: positions(item.league) for item in (broken, night)}
    by_hands = Decisions(by_hands=True)
    close_night(broken, uuid4(), by=broken.league.created_by, decisions=by_hands)
    record_hand(night, uuid4(), holdem(), by=None)
    League.objects.filter(pk=broken.league.pk).update(time_zone="No/Where")
    news = find_new_events(at)
    assert news_counts(item for item in news if item.league == night.league.pk) == {"transfers": 1}
    failed = [item for item in news if item.failed]
    assert {(item.league, item.feed) for item in failed} == {
        (broken.league.pk, name) for name in NAMES
    }

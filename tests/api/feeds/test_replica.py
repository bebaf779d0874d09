"""Choosing the database to read a feed from. tests/faults reads from a lagging replica."""

from api.feeds import replica
from api.feeds.replica import REPLICA, SOURCE, Router
from ledger.models import Posting

ROUTER = Router()


def read_from() -> str:
    return ROUTER.db_for_read(Posting)


def test_only_reads_in_the_replica_block_use_the_replica() -> None:
    assert read_from() == SOURCE
    with replica.reading():
        assert read_from() == REPLICA
        assert ROUTER.db_for_write(Posting) == SOURCE
    assert read_from() == SOURCE


def test_streamed_response_keeps_reading_from_its_first_database() -> None:
    with replica.reading():
        pages = replica.pin_database(read_from() for _ in range(2))
    assert next(pages) == REPLICA
    assert read_from() == SOURCE
    assert list(pages) == [REPLICA]
    assert list(replica.pin_database(iter([read_from()]))) == [SOURCE]


def test_replica_is_never_migrated() -> None:
    assert not ROUTER.allow_migrate(REPLICA, "league")
    assert ROUTER.allow_migrate(SOURCE, "league")

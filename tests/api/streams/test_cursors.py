"""A reader's cursors in `id`, `Last-Event-ID` and `cursor` (docs/streams.md)."""

import pytest

from api.streams.events import NAMES, STREAMED, read_cursors, written


def test_stream_cursor_for_one_feed_matches_the_feed_cursor() -> None:
    assert written({"hands": 4711}) == "4711"
    assert read_cursors("4711", ["hands"]) == {"hands": 4711}
    assert read_cursors("hands:4711", ["hands"]) == {"hands": 4711}


def test_stream_cursor_for_several_feeds_names_each_feed() -> None:
    at = {"hands": 4711, "transfers": 812}
    assert written(at) == "hands:4711,transfers:812"
    assert read_cursors(written(at), at) == at


def test_feed_that_is_not_in_the_cursor_starts_at_its_beginning() -> None:
    assert read_cursors("transfers:812", NAMES) == {"hands": 0, "nights": 0, "transfers": 812}


WRONG = [
    *("", "x", "-1", "1", "١", "hands", "hands:", "hands:-1", "hands:1,hands:2", "results:1"),
    *("hands:1,", f"hands:{2**63}", "hands:1,nights:1,transfers:1,hands:1", "9" * 5000),
]


@pytest.mark.parametrize("text", WRONG)
def test_invalid_cursor_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_cursors(text, NAMES)


def test_first_column_of_every_streamed_feed_is_its_cursor() -> None:
    """Rows with the same cursor become one event, whose id is that cursor."""
    assert set(STREAMED) == set(NAMES)
    assert {each.columns[0].name for each in STREAMED.values()} == {"cursor"}

"""Readers get good texts spoilt at random, for READER_SECONDS each: no crash and no hang.

`make fuzz` takes a minute for each. A text that was found to break one is kept below, by name.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType

import pytest

from tests.readers.targets import LONGEST, READERS, seeds
from tests.rules.history.test_other_formats import LOG

SECONDS = float(os.environ.get("READER_SECONDS", "60"))
# Of processor time, for a text of at most LONGEST characters.
DEADLINE = 10
PIECES = (
    *("", "\0", "\ud800", "\ufeff", "é", "\u2028", "\r", "\n", "\t", " ", '"', '""', "'", ",", "|"),
    *("[", "]", "{", "}", "[[", "{}", "[]", "null", "true", "NaN", "Infinity", "1e999", "-0.0"),
    *(
        "-1",
        "0",
        "1",
        "2.5",
        "99999999999999999999",
        "1e308",
        "0x10",
        "1_000",
        "٣",
        "¼",
        "1" * 5000,
    ),
    *("As", "10h", "??", "*1", "p1", "p9", "p0", "cbr 1", "f", "cc", "d db", "sm", "#", "=", "-- "),
)


@contextmanager
def deadline() -> Iterator[None]:
    def too_long(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, DEADLINE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def spoilt(chance: Random, texts: list[str]) -> str:
    """A text with a few places in it changed, doubled, taken out or taken from another one."""
    text = chance.choice(texts)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 1, 1, 2, 5, 20, 200)))
        other = chance.choice(texts)
        at = chance.randrange(len(other) + 1)
        new = chance.choice(
            (
                chance.choice(PIECES),
                chance.choice(PIECES) * chance.choice((1, 2, 50)),
                text[start:end] * 2,
                other[at : at + chance.randrange(60)],
                chr(chance.randrange(0x10FFFF)),
                "",
            )
        )
        text = text[:start] + new + text[end:]
    return text[:LONGEST]


@pytest.mark.readers
@pytest.mark.parametrize("name", READERS)
def test_a_reader_neither_crashes_nor_hangs(name: str) -> None:
    chance, texts, read = Random(), [each for each in seeds(name) if each], READERS[name]
    for text in texts:
        read(text)
    ends, tried = time.monotonic() + SECONDS, 0
    while time.monotonic() < ends:
        text = spoilt(chance, texts)
        try:
            with deadline():
                read(text)
        except Exception as error:
            raise AssertionError(f"{name} broke on {text!r}") from error
        tried += 1
    print(f"{name}: {tried} texts")  # noqa: T201


FOUND = {
    "an order of more digits than Python reads": ("csv", f"entry,at,order\nx,t,{'1' * 5000}\n"),
    "a raised digit for an order": ("csv", "entry,at,order\nx,t,\u00b2\n"),
    "a hand numbered with more digits than Python reads": (
        "csv",
        LOG.replace("hand #7", f"hand #{'7' * 5000}"),
    ),
}
"""What has broken a reader once: by what was wrong, the reader and the text."""


@pytest.mark.parametrize("what", FOUND)
def test_what_broke_a_reader_once_is_read_or_refused(what: str) -> None:
    name, text = FOUND[what]
    with deadline():
        READERS[name](text)

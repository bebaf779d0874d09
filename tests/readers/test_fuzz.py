"""Parsers neither crash nor hang on randomly corrupted input.

Each parser gets corrupted valid examples for READER_SECONDS. Then it gets strings with a repeated
part, for which the time per character may not grow. `make fuzz` spends a minute on each parser.
Strings that used to crash a parser are listed below by name.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType

import pytest

from tests.helpers.rules.poker_now import LOG
from tests.readers.growth import GROWS, growth
from tests.readers.targets import LINEAR, LONGEST, READERS, seeds

SECONDS = float(os.environ.get("READER_SECONDS", "60"))
# Seconds of processor time for a text of up to LONGEST characters.
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


def corrupted(chance: Random, texts: list[str]) -> str:
    """Return one of the texts with a few random changes.

    Parts are changed, repeated, removed or copied from a different text.
    """
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
def test_parser_does_not_crash_or_hang(name: str) -> None:
    chance, texts, read = Random(), [each for each in seeds(name) if each], READERS[name]
    for text in texts:
        read(text)
    ends, tried = time.monotonic() + SECONDS, 0
    while time.monotonic() < ends:
        text = corrupted(chance, texts)
        try:
            with deadline():
                read(text)
        except Exception as error:
            raise AssertionError(f"{name} broke on {text!r}") from error
        tried += 1
    print(f"{name}: {tried} texts")  # noqa: T201


# --- time per character -------------------------------------------------------------------------

# parsers that reuse another parser's valid examples
ALIKE = {"toml": "document", "log": "csv", "ledger": "csv", "fields": "record", "words": "record"}


def swollen(chance: Random, texts: list[str]) -> Callable[[int], str]:
    """Return a function that builds a text of any length by repeating one or two parts."""
    text = corrupted(chance, texts)
    cuts = sorted(chance.randrange(len(text) + 1) for _ in range(3))
    parts = [_part(chance, text) for _ in range(chance.choice((1, 1, 2)))]

    def made(length: int) -> str:
        pieces = [part * (length // len(parts) // len(part)) for part in parts]
        second = pieces[1] if len(pieces) > 1 else ""
        return text[: cuts[0]] + pieces[0] + text[cuts[1] : cuts[2]] + second + text[cuts[2] :]

    return made


def _part(chance: Random, text: str) -> str:
    start = chance.randrange(len(text) + 1)
    taken = text[start : start + chance.choice((1, 1, 2, 3, 8, 40))]
    said = chance.choice((taken, taken, chance.choice(PIECES)[:50]))
    return said or "\n"


@pytest.mark.readers
@pytest.mark.parametrize("name", LINEAR)
def test_parsing_time_grows_linearly(name: str) -> None:
    kind = name if name in ("phh", "ohh", "pokerstars") else ALIKE.get(name, "")
    texts = [each for each in (seeds(kind) if kind else _all_seeds()) if each]
    chance = Random()
    ends, tried = time.monotonic() + SECONDS, 0
    while time.monotonic() < ends:
        made = swollen(chance, texts)
        with deadline():
            found = growth(LINEAR[name], made, long=LONGEST)
        assert found < GROWS, f"{name}: {made(200)!r}"
        tried += 1
    print(f"{name}: {tried} texts that grow")  # noqa: T201


def _all_seeds() -> list[str]:
    return [text for name in READERS for text in seeds(name)]


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
def test_text_that_once_crashed_a_parser_is_read_or_refused(what: str) -> None:
    name, text = FOUND[what]
    with deadline():
        READERS[name](text)

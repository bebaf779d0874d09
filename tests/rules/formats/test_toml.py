"""The fast parser for plain TOML agrees with the library or leaves the text to it."""

import tomllib
from decimal import Decimal
from random import Random

import pytest

from rules.formats.toml import read_simple
from tests.helpers.rules.hands import public_files

PLAIN = """variant = 'NT'
antes = [0, 2.50, -3]
names = ["it's", "", "é"]
others = ['a # b', '']
none = []
actions = [
  # Pre-flop

  "d dh p1 Ac2d",  # Ivey
	"p1 f" , # "quoted", said
  "p2 cc"
]
time = 21:55:24
yes = true
# a comment

[2]
hand = 3023606844
text = "x"
"""
PIECES = (
    *(
        "'",
        '"',
        "#",
        "[",
        "]",
        ",",
        "=",
        "\\",
        ".",
        "-",
        "0",
        "1",
        "1.0",
        "true",
        "nan",
        "inf",
        "{}",
    ),
    *("\t", "\n", "é", "\x00", "\x7f", "''", '""', "1_0", "+1", "01", ":", " "),
)


def library(text: str) -> object:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError:
        return None


def test_plain_text_is_parsed_as_the_library_does() -> None:
    assert read_simple(PLAIN) == library(PLAIN)


@pytest.mark.parametrize("path", public_files(), ids=lambda path: path.stem)
def test_public_files_are_parsed_as_the_library_does(path: object) -> None:
    text = path.read_text("utf-8")  # type: ignore[attr-defined]
    assert read_simple(text) in (None, library(text))


def test_corrupted_text_is_parsed_as_the_library_does_or_left_to_it() -> None:
    """The fast parser accepts no text that the library rejects, and never reads it differently."""
    chance = Random(3)
    plain = 0
    for _ in range(4_000):
        text = PLAIN
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice(PIECES) + text[at + chance.randint(0, 3) :]
        parsed = read_simple(text)
        plain += parsed is not None
        assert parsed is None or parsed == library(text), text
    assert plain > 200

"""All parsers of external text as functions of one string, with valid examples.

A parser may reject a text with its own exception. It may not crash or take long for a small text.
"""

import contextlib
import json
from collections.abc import Callable
from datetime import UTC
from pathlib import Path

from config.observability.logs import redacted
from league.common.text import contains_words, in_words, shown, tidy, too_deep, unstorable
from league.pages.parts.forms import option_in
from league.pages.record import read_form
from league.pages.record.fill_form import pasted
from league.pages.record.read_form import UnreadableFieldError, read
from rules import rename_players, settle
from rules.cards import parse_card
from rules.documents.catalog import slugs, source_text
from rules.documents.documents import check
from rules.documents.toml_text import line_of, parse
from rules.errors import GameError
from rules.formats import fitting
from rules.formats.amounts import Chip, read_number
from rules.formats.files import convert, read_lines, read_text
from rules.formats.hands import Imported
from rules.formats.ledgers import read_ledger
from rules.formats.ohh.importer import read_ohh
from rules.formats.phh import read_phh
from rules.formats.pokerstars.text_reader import read_pokerstars
from rules.history import replay_many
from rules.history.actions import read_action, read_cards
from rules.json_text import read_json
from tests.helpers.rules.poker_now import LEDGER, LOG, read_log
from tests.helpers.rules.poker_stars import ROOM

ROOT = Path(__file__).parents[2]
LONGEST = 20_000  # maximum text length in characters for which the deadline applies


def card(text: str) -> None:
    with contextlib.suppress(KeyError):
        assert 0 <= parse_card(text) < 60


def record(text: str) -> None:
    for hand in read_lines(text):
        if hand.record is not None:
            json.dumps(settle(hand.record))


def document(text: str) -> None:
    check(text)


def phh(text: str) -> None:
    _replayed(read_phh(text))


def ohh(text: str) -> None:
    _replayed(read_ohh(text))


def pokerstars(text: str) -> None:
    _replayed(read_pokerstars(text))


def csv(text: str) -> None:
    for amounts in ("cents", "units"):
        _replayed(read_log(text, amounts).hands)
        read_ledger(text, amounts)


def _replayed(found: list[Imported]) -> None:
    json.dumps(replay_many([each.record for each in found if each.record is not None][:20]))


READERS: dict[str, Callable[[str], None]] = {
    each.__name__: each for each in (card, record, document, phh, ohh, pokerstars, csv)
}


def seeds(name: str) -> list[str]:
    """Return valid examples for a parser."""
    histories = (ROOT / "docs/history.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in histories]
    vectors = [path.read_text("utf-8") for path in sorted(ROOT.glob("tests/vectors/**/*.jsonl"))]
    lines = [json.loads(line) for text in vectors for line in text.splitlines()[:3]]
    return {
        "card": lambda: ["As", "10h", "td", "??", "*1"],
        "record": lambda: [
            *(json.dumps(item["record"]) for item in lines if "record" in item),
            *histories,
        ],
        "document": lambda: [source_text(slug) for slug in slugs()],
        "phh": lambda: [convert([item], "phh")[0] for item in records],
        "ohh": lambda: [convert([item], "ohh")[0] for item in records],
        "pokerstars": lambda: [ROOM, convert(records, "pokerstars")[0]],
        "csv": lambda: [LOG, LEDGER],
    }[name]()


# --- parsers without the code that uses their results -------------------------------------------


def action(text: str) -> None:
    read_action.__wrapped__(text)
    read_cards.__wrapped__(text)
    read_number(text)


def toml(text: str) -> None:
    with contextlib.suppress(GameError):
        parse(text)
    for place in range(50):
        line_of(text, f"deal/{place}")


def log(text: str) -> None:
    read_log(text, "units")


def ledger(text: str) -> None:
    read_ledger(text, "cents")


def file(text: str) -> None:
    """Parse an uploaded import file and preview it."""
    for hand in read_text(text, "", "units"):
        if isinstance(hand.record, dict):
            fitting.content_hash(hand.record)
            fitting.played_at(hand.record, UTC)
            fitting.in_chips(hand.record, Chip(2, units=25))
            rename_players(hand.record, {"ann": "eve"})


def words(text: str) -> None:
    """Parse names, notes and other displayed strings."""
    tidy(text)
    shown(text)
    contains_words(text, "ann")
    in_words({"ann": "eve"}, ["ann", "annabel"])(text)
    redacted(text)
    with contextlib.suppress(ValueError, RecursionError):
        parsed = read_json(text)
        too_deep(parsed)
        list(unstorable(parsed))


def fields(text: str) -> None:
    """Parse the hand form: a field, the name of a field, a complete record."""
    read_form.cards(text)
    option_in(text)
    with contextlib.suppress(UnreadableFieldError):
        read({**{name: [text] for name in text.split("&")}, "players/0/down": [text]})
    with contextlib.suppress(UnreadableFieldError):
        pasted(text)


def _phh(text: str) -> None:
    read_phh(text)


def _ohh(text: str) -> None:
    list(read_ohh(text))


def _pokerstars(text: str) -> None:
    read_pokerstars(text)


LINEAR: dict[str, Callable[[str], None]] = {
    **{each.__name__: each for each in (action, toml, log, ledger, file, words, fields)},
    "phh": _phh,
    "ohh": _ohh,
    "pokerstars": _pokerstars,
}
"""What reads a text must be done with it after a time that grows as the text does."""

"""Whatever reads texts from outside, each as a function of one text; and good texts to begin with.

A reader may refuse, in its own way; it may not crash, nor take long over a small text.
"""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

from rules import settle
from rules.cards import parse_card
from rules.catalog import slugs, source_text
from rules.documents import check
from rules.formats.files import convert, read_lines
from rules.formats.imported import Imported
from rules.formats.ohh import read_ohh
from rules.formats.phh import read_phh
from rules.formats.pokernow import read_log
from rules.formats.pokernow_ledger import read_ledger
from rules.history import replay_many
from tests.rules.history.test_other_formats import LEDGER, LOG

ROOT = Path(__file__).parents[2]
LONGEST = 20_000  # characters: what a deadline is meant for


def card(text: str) -> None:
    with contextlib.suppress(KeyError):
        assert 0 <= parse_card(text) < 60


def record(text: str) -> None:
    for each in read_lines(text):
        if each.record is not None:
            json.dumps(settle(each.record))


def document(text: str) -> None:
    check(text)


def phh(text: str) -> None:
    _replayed(read_phh(text))


def ohh(text: str) -> None:
    _replayed(read_ohh(text))


def csv(text: str) -> None:
    for amounts in ("cents", "units"):
        _replayed(read_log(text, amounts).hands)
        read_ledger(text, amounts)


def _replayed(found: list[Imported]) -> None:
    json.dumps(replay_many([each.record for each in found if each.record is not None][:20]))


READERS: dict[str, Callable[[str], None]] = {
    each.__name__: each for each in (card, record, document, phh, ohh, csv)
}


def seeds(name: str) -> list[str]:
    """Good texts for a reader."""
    histories = (ROOT / "docs/history.jsonl").read_text("utf-8").splitlines()
    told = [json.loads(line) for line in histories]
    vectors = [path.read_text("utf-8") for path in sorted(ROOT.glob("tests/vectors/*.jsonl"))]
    lines = [json.loads(line) for text in vectors for line in text.splitlines()[:3]]
    return {
        "card": lambda: ["As", "10h", "td", "??", "*1"],
        "record": lambda: [
            *(json.dumps(each["record"]) for each in lines if "record" in each),
            *histories,
        ],
        "document": lambda: [source_text(slug) for slug in slugs()],
        "phh": lambda: [convert([each], "phh")[0] for each in told],
        "ohh": lambda: [convert([each], "ohh")[0] for each in told],
        "csv": lambda: [LOG, LEDGER],
    }[name]()

"""POST /api/v1/games/check"""

from collections.abc import Callable
from time import process_time
from typing import Any

import pytest
from django.test import Client

from rules.documents import catalog, documents
from tests.helpers.api.clients import refusal, reported_errors, send
from tests.helpers.league.house_games import CROSS

AT = "/api/v1/games/check"


def faults(body: Any) -> list[dict[str, Any]]:
    errors: list[dict[str, Any]] = send(Client(), AT, body).json()["errors"]
    return errors


def test_playable_game_returns_a_form_and_rules_without_errors() -> None:
    body = send(Client(), AT, {"text": CROSS}).json()
    assert body["errors"] == []
    assert body["document"] == documents.parse(CROSS)
    assert body["form"]["down"] == {"least": 5, "most": 5}
    assert body["rules"]["name"] == "Grandma's Cross"


def test_document_is_returned_as_game_text() -> None:
    body = send(Client(), AT, {"document": catalog.document("nightmare")}).json()
    assert documents.parse(body["text"]) == catalog.document("nightmare")


def test_all_errors_in_a_document_are_reported() -> None:
    text = CROSS.replace('"bet"', '"bett"', 1).replace('"high"', '"hihg"')
    assert [(each["line"], each["word"]) for each in faults({"text": text})] == [
        (4, "bett"),
        (8, "hihg"),
    ]
    assert faults({"document": {"name": "x", "sahres": ["high"]}})[0]["could_be"] == ["shares"]


@pytest.mark.parametrize("body", [{}, [], {"text": 1, "document": {}}, {"copy": "nightmare"}, "{"])
def test_body_without_a_game_is_refused(body: Any) -> None:
    assert reported_errors(send(Client(), AT, body))


def test_unsupported_method_is_refused() -> None:
    refusal(Client().get(AT), 405)


# Documents that would slow down the server are rejected immediately.

SLOTS = " ".join(f"s{number}" for number in range(20))
# Created on demand, because every test worker imports this module.
HUGE: dict[str, Callable[[], Any]] = {
    "64 kB": lambda: {"text": CROSS + "# " + "x" * 66_000},
    "10,000 rows": lambda: {"document": {"name": "x", "shares": ["high"], "board": ["a"] * 10_000}},
    "a million-line deal": lambda: {"text": "deal = [\n" + '"bet",\n' * 1_000_000 + "]"},
    "a million-step deal": lambda: {
        "document": {"name": "x", "shares": ["high"], "deal": [1] * 500_000}
    },
    "a million cards": lambda: {"text": CROSS.replace("5 down", "1000000 down")},
    "thousands of keys": lambda: {"text": "\n".join(f"a{number} = 1" for number in range(7_000))},
    "thousands of keys in a document": lambda: {"document": {f"a{n}": 1 for n in range(50_000)}},
    "a key of thousands of parts": lambda: {"text": ".".join(["a"] * 20_000) + " = 1"},
    "lists in lists": lambda: {"text": "a = " + "[" * 30_000},
    "thousands of tables": lambda: {"text": "[a]\n" + "[[a.b]]\n" * 8_000},
    "thousands of combinations": lambda: {
        "document": {
            "name": "x",
            "players": [2, 2],
            "deal": ["7 down", f"board {SLOTS}"],
            "board": [SLOTS],
            "hand": ["any 5"],
            "shares": ["high"],
        }
    },
    "thousands of choices": lambda: {
        "document": {
            "name": "x",
            "deal": ["5 down"],
            "shares": ["high"],
            "options": {letter: ["a", "b"] for letter in "abcdefghijkl"},
        }
    },
    "long words": lambda: {"document": {"name": "x", "shares": ["h" * 1_000_000]}},
}


@pytest.mark.parametrize("body", HUGE.values(), ids=HUGE.keys())
def test_too_expensive_document_is_refused_immediately(body: Callable[[], Any]) -> None:
    sent = body()
    started = process_time()
    answer = send(Client(), AT, sent)
    assert answer.status_code == 413 or answer.json()["errors"]
    assert process_time() - started < 10  # in processor time; without a limit it would take hours
    assert len(answer.content) < 100_000

"""Points documents: the included ones, and the errors in invalid ones."""

from typing import Any

import pytest

from league.scoring.points_document import catalog, read_document, wrong_document

SQUARE_ROOT = {
    "title": "Ours",
    "formula": "10 * sqrt(players / place)",
    "examples": [{"players": 9, "place": 1, "points": 30}],
}


@pytest.mark.parametrize("slug", catalog())
def test_catalog_document_matches_its_source(slug: str) -> None:
    """Each document states points from its source as examples. They are checked here."""
    assert not [*wrong_document(catalog()[slug])]
    assert catalog()[slug]["source"]


@pytest.mark.parametrize(
    ("change", "where", "code"),
    [
        ({"title": ""}, "document/title", "bad-text"),
        ({"title": "a" * 81}, "document/title", "bad-text"),
        ({"formula": "players +"}, "document/formula", "bad-formula"),
        ({"formula": "1 / (place - 2)"}, "document/formula", "no-value"),
        ({"attendance": -1}, "document/attendance", "bad-points"),
        ({"knockout": 1.5}, "document/knockout", "bad-points"),
        ({"bonus": 1}, "document/bonus", "unknown-key"),
        ({"examples": []}, "document/examples", "bad-examples"),
        ({"examples": [{"players": 9}]}, "document/examples/0", "bad-example"),
        (
            {"examples": [{"players": 9, "place": 1, "points": 31}]},
            "document/examples/0",
            "wrong-example",
        ),
        ({"source": "\0"}, "document/source", "wrong-type"),
    ],
)
def test_document_error_includes_its_path(change: dict[str, Any], where: str, code: str) -> None:
    problems = [*wrong_document(SQUARE_ROOT | change)]
    assert (where, code) in [(each["where"], each["code"]) for each in problems]


def test_problems_in_toml_text_are_reported() -> None:
    text = 'title = "Ours"\nformula = "place"\n[[examples]]\nplayers = 2\nplace = 1\npoints = 1.0\n'
    assert read_document(text) == (
        {
            "title": "Ours",
            "formula": "place",
            "examples": [{"players": 2, "place": 1, "points": "1.0"}],
        },
        [],
    )
    assert [each["code"] for each in read_document("title = ")[1]] == ["bad-toml"]
    assert [each["code"] for each in read_document("#" * 5000)[1]] == ["too-long"]

"""Properties of every game in the catalog."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rules.documents import catalog, documents, modifiers
from rules.documents.catalog import FOLDER
from rules.game import schema, shape
from rules.presentation import form, rules_page
from rules.settlement import odds
from tests.helpers.rules.table import played
from tests.helpers.stages import sample

ROOT = Path(__file__).parents[2]
SHARED = {"badugi", "hidugi", "pineapple"}  # names that a game shares with a scale or modifier
# Every run combines the games of one part with modifiers, and the nightly run all games.
PARTS = 4


class TestEveryGame:
    def test_game_is_valid_with_every_combination_of_options(
        self, subtests: pytest.Subtests
    ) -> None:
        for slug in catalog.slugs():
            with subtests.test(slug=slug):
                assert documents.check(catalog.source_text(slug)) == []

    def test_document_has_at_most_twenty_lines(self, subtests: pytest.Subtests) -> None:
        for slug in catalog.slugs():
            with subtests.test(slug=slug):
                lines = catalog.source_text(slug).splitlines()
                assert 5 <= len(lines) <= 25
                assert max(map(len, lines)) <= 100

    def test_file_is_named_after_the_slug_of_its_game(self, subtests: pytest.Subtests) -> None:
        for slug in catalog.slugs():
            with subtests.test(slug=slug):
                assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)

    def test_game_has_a_rules_page_for_every_choice(self, subtests: pytest.Subtests) -> None:
        for slug in catalog.slugs():
            with subtests.test(slug=slug):
                document, stated = catalog.document(slug), _stated(slug)
                for option in documents.own_options(document):
                    values = [c.word for c in option.choices] or [option.least, option.most]
                    for value in values:
                        page = rules_page.rules_page(slug, (), {**stated, option.name: value})
                        assert "None" not in rules_page.as_text(page)
                assert rules_page.rules_page(slug, (), stated)["sections"]

    @pytest.mark.parametrize("part", sample(range(PARTS), 1))
    def test_game_has_a_rules_page_with_every_fitting_modifier(
        self, part: int, subtests: pytest.Subtests
    ) -> None:
        for slug in catalog.slugs()[part::PARTS]:
            with subtests.test(slug=slug):
                stated = _stated(slug)
                for name, reason in form.modifiers_that_fit(slug).items():
                    if not reason:
                        assert rules_page.rules_page(slug, [name], stated)["modifiers"] == [name]

    @pytest.mark.parametrize("slug", catalog.slugs())
    def test_deal_has_a_declare_step_only_if_players_can_declare(self, slug: str) -> None:
        """The deal's steps include the declaration."""
        for names in ((), ("two-row",)):
            try:
                document = modifiers.apply(catalog.document(slug), names)
            except modifiers.ModifierFitError:
                continue
            for game in _games(document, _stated(slug)):
                declared = [step.verb for step in game.steps].count("declare")
                assert declared == (1 if game.declares else 0)

    @pytest.mark.parametrize("slug", catalog.slugs())
    @pytest.mark.parametrize("seats", ["fewest", "most"])
    def test_odds_can_be_computed_for_the_fewest_and_the_most_players(
        self, slug: str, seats: str
    ) -> None:
        """`odds` deals to the smallest and largest number of players that the document allows."""
        game = played(slug, **_stated(slug))
        if not game.compares_hands:
            with pytest.raises(odds.OddsError):
                odds.odds(game, players=2, deals=20)
            return
        players = game.players[seats == "most"]
        dealt = odds.odds(game, players=players, deals=20, seed=1)
        measured = [share.name for share in game.shares if not share.neighbour]
        assert [share["name"] for share in dealt["shares"]] == measured

    def test_every_document_matches_the_schema(self, subtests: pytest.Subtests) -> None:
        for slug in catalog.slugs():
            with subtests.test(slug=slug):
                assert list(misfits(schema.json_schema(), catalog.document(slug))) == []


def _stated(slug: str) -> dict[str, str]:
    """Return the first choice for each fact that the record must state."""
    response = catalog.document(slug).get("asked", {})
    return {name: words[0].partition(" =")[0] for name, words in response.items()}


def _games(document: dict[str, Any], stated: dict[str, str]) -> Iterator[Any]:
    for choice in document.get("options", {}).get("declare", [None]):
        yield documents.game(document, stated | ({"declare": choice} if choice else {}))


def test_name_or_alias_suggests_the_right_game_first(subtests: pytest.Subtests) -> None:
    """If a name is used in place of a slug, the slug is the first suggestion."""
    for slug in catalog.slugs():
        with subtests.test(slug=slug):
            document = catalog.document(slug)
            for name in (document["name"], *document.get("aliases", ())):
                assert catalog.candidates(name)[0] == catalog.candidates(name.upper())[0] == slug


def test_slugs_are_unique() -> None:
    files = [path.stem for path in FOLDER.glob("*/*.toml")]
    assert sorted(files) == sorted(set(files))


def test_game_names_are_unique() -> None:
    names = [catalog.document(slug)["name"] for slug in catalog.slugs()]
    assert sorted(names) == sorted(set(names))


# --- game names in code ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", sorted((ROOT / "rules").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_rules_code_does_not_mention_games(path: Path) -> None:
    """Games are documents. The code names no game outside of docstrings."""
    named = [(line, slug) for line, text in _texts(path) for slug in _games_in(text)]
    assert named == []


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(_first(node)) for node in ast.walk(tree) if hasattr(node, "body")}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings
        ):
            yield node.lineno, node.value


def _first(node: Any) -> object:
    """Return the docstring of a module, a class or a function, if it has one."""
    body = node.body if isinstance(node.body, list) else []
    return body[0].value if body and isinstance(body[0], ast.Expr) else None


@cache
def _game_names() -> re.Pattern[str]:
    names = {*catalog.slugs(), *(catalog.document(s)["name"].lower() for s in catalog.slugs())}
    words = "|".join(sorted(map(re.escape, names - SHARED), key=len, reverse=True))
    return re.compile(rf"(?<![\w-])({words})(?![\w-])")


def _games_in(text: str) -> list[str]:
    return _game_names().findall(text.lower())


# --- the schema ---------------------------------------------------------------------------------


def test_stored_schema_matches_the_generated_schema() -> None:
    """`python -m rules.game.schema > docs/game.schema.json` updates the stored schema."""
    assert (ROOT / "docs" / "game.schema.json").read_text("utf-8") == schema.as_text()


def test_name_or_alias_finds_exactly_one_game() -> None:
    """A search for "Hold'em" or "PLO" finds exactly one game."""
    names = [
        re.sub(r"[^a-z0-9]", "", name.lower())
        for slug in catalog.slugs()
        for name in (catalog.document(slug)["name"], *catalog.document(slug).get("aliases", ()))
    ]
    assert "plo" in names
    assert len(names) == len(set(names))


def test_schema_describes_every_key() -> None:
    assert set(schema.json_schema()["properties"]) == set(shape.KEYS)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"name": "X"},
        {"name": "X", "shares": "high"},
        {"name": "X", "shares": ["high"], "colour": "red"},
        {"name": "X", "shares": ["high"], "declare": "sometimes"},
        {"name": "X", "shares": ["high"], "players": [2]},
        {"name": "X", "shares": ["high"], "players": [0, 2]},
        {"name": "X", "shares": ["high"], "options": {"Low": ["best"]}},
        {"name": "X", "shares": ["high"], "options": {"low": []}},
    ],
    ids=json.dumps,
)
def test_schema_refuses_what_the_shape_check_refuses(document: dict[str, Any]) -> None:
    assert documents.check(document)
    assert list(misfits(schema.json_schema(), document))


TYPES: dict[str, Any] = {"object": dict, "array": list, "string": str, "integer": int}


def misfits(schema: dict[str, Any], value: Any, where: str = "") -> Iterator[str]:
    """Yield the paths where a value violates a schema, for the keywords that our schema uses."""
    if "type" in schema and not isinstance(value, TYPES[schema["type"]]):
        yield f"{where} is no {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} is none of {schema['enum']}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where} does not look like {schema['pattern']}"
    if "anyOf" in schema and not any(
        not list(misfits(one, value, where)) for one in schema["anyOf"]
    ):
        yield f"{where} is none of the kinds there are"
    yield from (
        f"{where}/{key} is missing" for key in schema.get("required", ()) if key not in value
    )
    yield from _out_of_bounds(schema, value, where)
    if isinstance(value, dict):
        yield from _misfits_inside(schema, value, where)
    if isinstance(value, list) and "items" in schema:
        for at, item in enumerate(value):
            yield from misfits(schema["items"], item, f"{where}/{at}")


BOUNDS = {
    "minimum": lambda value, least: value >= least,
    "maximum": lambda value, most: value <= most,
    "maxLength": lambda value, most: len(value) <= most,
    "minLength": lambda value, least: len(value) >= least,
    "maxItems": lambda value, most: len(value) <= most,
    "minItems": lambda value, least: len(value) >= least,
    "maxProperties": lambda value, most: len(value) <= most,
}


def _out_of_bounds(rules: dict[str, Any], value: Any, where: str) -> Iterator[str]:
    for word, holds in BOUNDS.items():
        if word in rules and not holds(value, rules[word]):
            yield f"{where}: {word} is {rules[word]}"


def _misfits_inside(rules: dict[str, Any], value: dict[str, Any], where: str) -> Iterator[str]:
    properties, others = rules.get("properties", {}), rules.get("additionalProperties", True)
    for key, item in value.items():
        if "propertyNames" in rules:
            yield from misfits(rules["propertyNames"], key, f"{where}/{key}")
        if key in properties:
            yield from misfits(properties[key], item, f"{where}/{key}")
        elif others is False:
            yield f"{where}/{key} is not known"
        elif isinstance(others, dict):
            yield from misfits(others, item, f"{where}/{key}")

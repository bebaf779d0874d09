"""Every problem type has a name, a page at its URL, and code that raises it.

tests/helpers/api/clients.py checks that each error in a test has a known problem type.
"""

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from api.http import problems
from api.http.problems import AT, KINDS, ProblemKind
from api.openapi.reference import document
from tests.helpers.api.clients import refusal
from tests.helpers.league.pages import html

ROOT = Path(__file__).parents[3]
NAMES = {name: each for name, each in vars(problems).items() if isinstance(each, ProblemKind)}

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("slug", sorted(KINDS))
def test_problem_type_is_the_url_of_its_page(client: Client, slug: str) -> None:
    """RFC 9457, 3.1.1: a type that can be dereferenced should lead to readable documentation."""
    kind = KINDS[slug]
    page = client.get(kind.type)
    assert page.status_code == 200
    text = unescape(html(page))
    assert all(each in text for each in (kind.title, kind.phrase, kind.type))
    assert re.fullmatch("[a-z]+(-[a-z]+)*", slug)
    assert kind.meaning.endswith(".")
    assert kind.remedy.endswith(".")


def test_index_page_links_to_all_problem_types(client: Client) -> None:
    text = html(client.get(AT))
    assert set(re.findall(f'href="{AT}/([a-z-]+)"', text)) == KINDS.keys()
    assert client.get(f"{AT}/nothing").status_code == 404
    assert client.post(AT).status_code == 405


def test_schema_lists_all_problem_types() -> None:
    schema = document()["components"]["schemas"]["Problem"]["properties"]["type"]
    assert set(schema["enum"]) == {each.type for each in KINDS.values()}


def test_every_problem_type_is_used_and_all_are_built_in_one_place() -> None:
    files = [path for at in ("api", "config") for path in (ROOT / at).rglob("*.py")]
    texts = {path.relative_to(ROOT): path.read_text("utf-8") for path in files}
    everywhere = "\n".join(texts.values())
    for name in NAMES:
        # once in the definition, and at least once where it is raised
        assert len(re.findall(rf"\b{name}\b", everywhere)) > 1, name
    makers = {str(path) for path, text in texts.items() if "application/problem+json" in text}
    builders = {"api/http/errors.py", "api/openapi/schema.py", "config/web/error_responses.py"}
    assert makers == builders
    assert set(NAMES.values()) == set(KINDS.values())


def test_different_errors_with_the_same_status_have_distinct_types(client: Client) -> None:
    unknown = {"HTTP_AUTHORIZATION": "Bearer dealer_unknown"}
    refusals = [
        refusal(client.get("/api/v1/leagues"), 401),
        refusal(client.get("/api/v1/leagues", **unknown), 401),
        refusal(client.post("/api/v1/settle", "{", content_type="application/json"), 400),
        refusal(client.get("/api/v1/games?no=1"), 400),
        refusal(client.post("/api/v1/settle", "{}", content_type="application/json"), 400),
        refusal(client.put("/api/v1/games"), 405),
        refusal(client.post("/api/v1/settle", "{}", content_type="text/plain"), 415),
        refusal(client.get("/api/v1/nothing"), 404),
    ]
    assert [problem["type"].removeprefix(f"{AT}/") for problem in refusals] == [
        "no-credentials",
        "bad-credentials",
        "not-json",
        "bad-parameter",
        "bad-content",
        "no-such-method",
        "wrong-media-type",
        "not-found",
    ]


def test_api_terms_are_marked_as_code_on_the_page(client: Client) -> None:
    for kind in KINDS.values():
        text = html(client.get(kind.type))
        assert "`" not in text
        for word in re.findall("`([^`]+)`", f"{kind.meaning} {kind.remedy}"):
            assert f"<code>{word}</code>" in text


def test_unexpected_error_returns_a_problem_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """The framework passes exceptions that no API view handles on to the service."""

    def fail() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("rules.documents.catalog.slugs", fail)
    client = Client(raise_request_exception=False)
    problem = refusal(client.get("/api/v1/games"), 500)
    assert problem["type"] == f"{AT}/server-error"
    assert "ZeroDivision" not in str(problem)


@pytest.mark.parametrize(("status", "mapped"), [(404, 404), (418, 400), (406, 400), (599, 500)])
def test_unlisted_status_maps_to_the_first_status_of_its_class(status: int, mapped: int) -> None:
    assert problems.kind_of_status(status).status == mapped

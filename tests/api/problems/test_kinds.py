"""Every kind of refusal has a name, a page at that name, and somebody who refuses so.

That each refusal is of a kind is held wherever one is tried: tests/helpers/api/clients.py.
"""

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from api.http.reference import document
from api.problems import kinds
from api.problems.kinds import AT, KINDS, ProblemKind
from tests.helpers.api.clients import refusal
from tests.helpers.league.pages import html

ROOT = Path(__file__).parents[3]
NAMES = {name: each for name, each in vars(kinds).items() if isinstance(each, ProblemKind)}

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("slug", sorted(KINDS))
def test_a_type_is_the_address_of_its_page(client: Client, slug: str) -> None:
    """RFC 9457, 3.1.1: where the type is a locator, it leads to words for people."""
    kind = KINDS[slug]
    page = client.get(kind.type)
    assert page.status_code == 200
    told = unescape(html(page))
    assert all(each in told for each in (kind.title, kind.phrase, kind.type))
    assert re.fullmatch("[a-z]+(-[a-z]+)*", slug)
    assert kind.meaning.endswith(".")
    assert kind.remedy.endswith(".")


def test_one_page_leads_to_all_of_them(client: Client) -> None:
    told = html(client.get(AT))
    assert set(re.findall(f'href="{AT}/([a-z-]+)"', told)) == KINDS.keys()
    assert client.get(f"{AT}/nothing").status_code == 404
    assert client.post(AT).status_code == 405


def test_the_schema_names_all_types() -> None:
    told = document()["components"]["schemas"]["Problem"]["properties"]["type"]
    assert set(told["enum"]) == {each.type for each in KINDS.values()}


def test_every_kind_is_used_and_nothing_else_makes_a_problem() -> None:
    files = [path for at in ("api", "config") for path in (ROOT / at).rglob("*.py")]
    texts = {path.relative_to(ROOT): path.read_text("utf-8") for path in files}
    everywhere = "\n".join(texts.values())
    for name in NAMES:
        # once where it is made, and where somebody refuses so
        assert len(re.findall(rf"\b{name}\b", everywhere)) > 1, name
    makers = {str(path) for path, text in texts.items() if "application/problem+json" in text}
    told = {"api/http/errors.py", "api/http/schema.py", "config/web/error_responses.py"}
    assert makers == told
    assert set(NAMES.values()) == set(KINDS.values())


def test_refusals_of_one_status_are_told_apart(client: Client) -> None:
    unknown = {"HTTP_AUTHORIZATION": "Bearer dealer_unknown"}
    told = [
        refusal(client.get("/api/v1/leagues"), 401),
        refusal(client.get("/api/v1/leagues", **unknown), 401),
        refusal(client.post("/api/v1/settle", "{", content_type="application/json"), 400),
        refusal(client.get("/api/v1/games?no=1"), 400),
        refusal(client.post("/api/v1/settle", "{}", content_type="application/json"), 400),
        refusal(client.put("/api/v1/games"), 405),
        refusal(client.post("/api/v1/settle", "{}", content_type="text/plain"), 415),
        refusal(client.get("/api/v1/nothing"), 404),
    ]
    assert [each["type"].removeprefix(f"{AT}/") for each in told] == [
        "no-credentials",
        "bad-credentials",
        "not-json",
        "bad-parameter",
        "bad-content",
        "no-such-method",
        "wrong-media-type",
        "not-found",
    ]


def test_words_of_the_api_are_code_on_the_page(client: Client) -> None:
    for kind in KINDS.values():
        told = html(client.get(kind.type))
        assert "`" not in told
        for word in re.findall("`([^`]+)`", f"{kind.meaning} {kind.remedy}"):
            assert f"<code>{word}</code>" in told


def test_what_should_not_happen_is_a_problem_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the API, which no view has refused: the framework leaves it to the service."""

    def fail() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("rules.documents.catalog.slugs", fail)
    client = Client(raise_request_exception=False)
    told = refusal(client.get("/api/v1/games"), 500)
    assert told["type"] == f"{AT}/server-error"
    assert "ZeroDivision" not in str(told)


@pytest.mark.parametrize(("status", "told"), [(404, 404), (418, 400), (406, 400), (599, 500)])
def test_a_status_that_is_not_listed_is_told_as_the_first_of_its_hundred(
    status: int, told: int
) -> None:
    assert kinds.kind_of_status(status).status == told

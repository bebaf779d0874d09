"""docs/api.md is correct: it lists every URL, and its three common tasks work as written."""

import json
import os
import re
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from api.openapi.reference import document
from api.openapi.schema import operations
from league.models import Role, Scope
from league.recording.record import record_hand
from tests.helpers.api.clients import send
from tests.helpers.api.routes import RULES, routes
from tests.helpers.api.sample_league import World, a_world, with_token
from tests.helpers.league.leagues import holdem

PAGE = (Path(__file__).parents[3] / "docs" / "api.md").read_text()
FEEDS = (Path(__file__).parents[3] / "docs" / "feeds.md").read_text()
WEBHOOKS = (Path(__file__).parents[3] / "docs" / "webhooks.md").read_text()
SHELL = re.findall(r"^```sh\n(curl .*?)```$", PAGE, re.MULTILINE | re.DOTALL)
PYTHON, *_ = re.findall(r"^```python\n(.*?)```$", PAGE, re.MULTILINE | re.DOTALL)
DOCUMENT = document()
SCHEMAS = DOCUMENT["components"]["schemas"]
PAGING = {"cursor", "page_size", "fields", "key"}
# List filters, keyed by path. The filters of feeds, figures, charts and odds are documented
# elsewhere.
FILTERED = {
    path: filters
    for path, verb, operation in operations(DOCUMENT)
    if verb == "get" and not re.search("feeds|stats|charts|odds|stream", path)
    if (
        filters := {
            parameter["name"]
            for parameter in operation.get("parameters", ())
            if parameter["in"] == "query" and parameter["name"] not in PAGING
        }
    )
}
KEPT_NAMES = ("slug", "token", "key", "name", "code")


@pytest.mark.parametrize(
    ("title", "component"),
    [("Settings of a league", "LeagueSettingsInput"), ("Import hands", "ImportInput")],
)
def test_every_field_of_a_long_body_is_documented(title: str, component: str) -> None:
    section = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    rows = "\n".join(line.split("|")[1] for line in section.splitlines() if line[:1] == "|")
    assert set(re.findall("`([a-z_]+)`", rows)) == SCHEMAS[component]["properties"].keys()


@pytest.mark.parametrize("path", sorted(FILTERED))
def test_every_filter_is_documented(path: str) -> None:
    section = PAGE.partition("## Filters")[2].partition("\n## ")[0]
    address = re.sub(r"{\w+}", "{id}", path.removeprefix("/api/v1/"))
    [row] = [line.split("|") for line in section.splitlines() if f"| `{address}` |" in line]
    filters = re.sub(r"\([^)]*\)", "", row[2])  # strip the notes in parentheses
    assert set(re.findall("`([a-z_]+)`", filters)) == FILTERED[path]


def test_documented_settle_example_has_the_documented_winner() -> None:
    match = re.search(r"curl [^\n]*settle .*?-d '(.*?)'\n```", PAGE, re.DOTALL)
    assert match
    assert send(Client(), "/api/v1/settle", match[1]).json()["won"] == {"ann": 20, "bob": 0}


@pytest.mark.parametrize(("name", "method"), sorted(RULES))
def test_every_url_is_documented(name: str, method: str) -> None:
    [route] = [str(route.pattern) for route in routes() if route.name == name]
    path = re.sub(
        r"<\w+:(\w+)>",
        lambda parameter: "{%s}" % (parameter[1] if parameter[1] in KEPT_NAMES else "id"),
        route,
    )
    if "webhooks" in path:  # webhooks have their own short table
        assert path.rpartition("/")[2] in WEBHOOKS
    else:
        assert f"`{method.upper()} {path}`" in PAGE + FEEDS


@pytest.fixture
def documented_world(
    transactional_db: None, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> World:
    cache.clear()
    world = a_world()
    program = with_token(world.league, Role.HOST, Scope.RECORD)
    monkeypatch.setenv("TOKEN", program.defaults["HTTP_AUTHORIZATION"].partition(" ")[2])
    monkeypatch.setenv("NIGHT", str(world.night.pk))
    monkeypatch.setenv("SEASON", str(world.night.season_id))
    return world


def curl(command: str, service: str) -> Any:
    """Send the request of a curl command from Python, because curl may not be installed."""
    words = shlex.split(re.sub(r"\$([A-Z]+)", lambda name: os.environ[name[1]], command))
    [address] = [word for word in words if word.startswith("localhost:8000")]
    after = {word: words[place + 1] for place, word in enumerate(words[:-1])}
    headers = [words[place + 1] for place, word in enumerate(words) if word == "-H"]
    request = Request(  # noqa: S310
        address.replace("localhost:8000", service),
        after["-d"].encode() if "-d" in words else None,
        dict(each.split(": ", 1) for each in headers),
    )
    with urlopen(request) as answer:  # noqa: S310
        return json.load(answer)


def test_documented_tasks_work_with_curl(documented_world: World, live_server: LiveServer) -> None:
    recorded, followed, exported = (curl(item, live_server.url) for item in SHELL[:3])
    assert recorded["answer"]["won"] == {"ann": 20, "bob": 0}
    assert [item["number"] for item in followed["results"]] == [1, 2]
    assert len(exported["results"]) == 3


def test_documented_tasks_work_in_python(documented_world: World, live_server: LiveServer) -> None:
    jobs: dict[str, Any] = {}
    exec(PYTHON.replace("http://localhost:8000", live_server.url), jobs)  # noqa: S102
    job, night = SimpleNamespace(**jobs), documented_world.night
    assert job.record(night.pk, holdem())[-1].startswith("ann wins")
    followed = job.follow(night.pk, seconds=0)
    assert len(next(followed)) == 2
    record_hand(night, uuid4(), holdem(), by=None)
    assert len(next(followed)) == 3
    assert {row[2:] for row in job.export(night.season_id)} == {("ann", 10), ("bob", -10)}

"""The two transports: HTTP and the `manage.py mcp` process.

The client comes from the SDK and uses both protocol revisions that the SDK supports.
"""

import json
import re
import shlex
from typing import Any
from urllib.request import Request, urlopen
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client as Browser
from mcp import Client
from pytest_django.live_server_helper import LiveServer

from api import mcp
from api.mcp.server import NAME
from api.mcp.tools import TOOLS
from league import VERSION
from league.models import Role, Scope, Token
from league.people.api_keys import revoke_token
from tests.helpers.api.assistants import (
    AT,
    Connected,
    Conversation,
    during,
    faults,
    over_http,
    over_stdio,
    problem_in,
    refused,
    results,
)
from tests.helpers.api.clients import send
from tests.helpers.api.sample_league import World, a_world, token_text
from tests.helpers.config.commands import plain_commands
from tests.helpers.fork_server import ROOT
from tests.helpers.league.stats_rows import count_all

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PAGE = (ROOT / "docs" / "mcp.md").read_text("utf-8")
NEVER = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def played() -> World:
    cache.clear()
    made = a_world()
    count_all(made.league)
    return made


@pytest.fixture
def text(played: World) -> str:
    return token_text(played.league, Role.VIEWER, Scope.READ)


def told_by(connected: Connected) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """Return the server info, the tools by name, and the result of the first tool."""

    async def ask(client: Client) -> Any:
        listed = await client.list_tools()
        league = await client.call_tool("league", {})
        assert client.server_info
        return client.server_info.model_dump(), listed.tools, league.structured_content

    server, tools, league = during(connected, ask)
    return server, {each.name: each for each in tools}, league


def test_tools_are_called_over_http(live_server: LiveServer, played: World, text: str) -> None:
    for mode in ("auto", "legacy"):
        server, tools, league = told_by(over_http(live_server.url, text, mode))
        assert (server["name"], server["version"]) == (NAME, VERSION)
        assert tools.keys() == TOOLS.keys()
        assert league["id"] == str(played.league.pk)
    ask = Conversation(over_http(live_server.url, text))
    assert ask("find_hands", player="Ann", came="won", page_size=1)["hands"]
    [league] = results(over_http(live_server.url, text), ("hand", {"hand": NEVER}))
    assert faults(league) == [("hand", "unknown-hand")]


def test_http_transport_refuses_a_revoked_token_immediately(
    live_server: LiveServer, played: World, text: str
) -> None:
    connected = over_http(live_server.url, text)
    assert Conversation(connected)("league")
    revoke_token(played.league, Token.objects.latest("created").id)
    assert refused(connected)


@pytest.mark.scheduled  # on every run, the documented commands below cover one mode
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_tools_are_called_over_stdio_with_a_token(mode: str, played: World, text: str) -> None:
    server, tools, league = told_by(over_stdio(mode=mode, DEALERS_CHOICE_TOKEN=text))
    assert (server["name"], server["version"]) == (NAME, VERSION)
    assert tools.keys() == TOOLS.keys()
    assert league["id"] == str(played.league.pk)


def test_documented_command_with_a_league_option_needs_no_token(played: World, text: str) -> None:
    [command] = [each for each in documented_commands() if "--league" in each]
    assert command[:4] == ["python", "manage.py", "mcp", "--league"]
    other = a_world()
    connected = over_stdio("--league", str(other.league.pk), DEALERS_CHOICE_TOKEN=text)
    asked = [("league", {}), ("hand", {"hand": str(played.hand.pk)})]
    own, foreign, wrong = results(connected, *asked, ("find_hands", {"player": "ann\u0001"}))
    assert own.structured_content
    assert own.structured_content["id"] == str(other.league.pk)
    assert faults(foreign) == [("hand", "unknown-hand")]
    assert faults(wrong) == [("player", "wrong-type")]


def documented_commands() -> list[list[str]]:
    commands = [each for page, each in plain_commands() if page == "mcp.md" and " mcp" in each]
    return [shlex.split(each) for each in commands if "manage.py" in each]


def test_documented_command_refuses_a_revoked_token_immediately(played: World, text: str) -> None:
    [command] = [each for each in documented_commands() if "--league" not in each]
    assert command == ["DEALERS_CHOICE_TOKEN=dealer_...", "python", "manage.py", "mcp"]
    token = Token.objects.latest("created")

    async def ask(client: Client) -> Any:
        before = await client.call_tool("league", {})
        await sync_to_async(revoke_token)(played.league, token.id)
        return before, await client.call_tool("league", {})

    before, after = during(over_stdio(DEALERS_CHOICE_TOKEN=text), ask)
    assert before.structured_content["id"] == str(played.league.pk)
    assert problem_in(after)["status"] == 401


@pytest.mark.parametrize(
    ("options", "token", "message"),
    [
        ({}, "", "Whose league? Put a token into DEALERS_CHOICE_TOKEN, or name a league"),
        ({}, "dealer_nothing", "DEALERS_CHOICE_TOKEN: The token is unknown, revoked or expired."),
        ({"league": UUID(NEVER)}, "", f"There is no league {NEVER}."),
    ],
)
def test_stdio_process_reports_missing_permission(
    options: dict[str, Any], token: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEALERS_CHOICE_TOKEN", token)
    with pytest.raises(CommandError, match=re.escape(message)) as refusal:
        call_command("mcp", **options)
    assert refusal.value.returncode == 2


def test_both_transports_report_a_missing_extra(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.mcp.find_spec", lambda name: None)
    client = Browser(headers={"Authorization": f"Bearer {text}"})
    response = send(client, AT, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert (response.status_code, response.json()["detail"]) == (501, mcp.MISSING)
    with pytest.raises(CommandError, match=re.escape(mcp.TO_TYPE)):
        call_command("mcp")


# --- docs/mcp.md ---------------------------------------------------------------------------------


def test_documentation_lists_every_tool() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == TOOLS.keys()


def test_documented_client_settings_connect(
    live_server: LiveServer, played: World, text: str
) -> None:
    """The settings for stdio start the documented command, which another test runs."""
    blocks = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    told = [json.loads(each.replace("dealer_...", text))["mcpServers"]["poker"] for each in blocks]
    here, there = told
    assert here["command"] == "dealers-choice"  # this entry point does the same as manage.py
    assert here["args"] == ["mcp"]
    assert here["env"] == {"DEALERS_CHOICE_TOKEN": text}
    headers = there["headers"]["Authorization"].removeprefix("Bearer ")
    assert there["url"].endswith(AT)
    assert Conversation(over_http(live_server.url, headers))("league")


def test_documented_example_works_with_curl(
    live_server: LiveServer, played: World, text: str
) -> None:
    """The test sends the command's request itself, because curl may not be installed."""
    [curl] = re.findall(r"^```sh\n(curl .*?)```$", PAGE, re.MULTILINE | re.DOTALL)
    words = shlex.split(curl.replace("$TOKEN", text).replace("\\\n", " "))
    headers = [words[at + 1].split(": ", 1) for at, word in enumerate(words) if word == "-H"]
    address = f"http://{words[2]}".replace("http://localhost:8000", live_server.url)
    body = words[words.index("-d") + 1].encode()
    with urlopen(Request(address, body, dict(headers))) as answer:  # noqa: S310
        told = json.load(answer)["result"]["structuredContent"]
    assert [each["results"][1]["player_name"] for each in told["hands"]] == ["ann"]

"""Access by MCP tools. A tool returns only what the API returns for the same token."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from api.mcp.tools import TOOLS
from league.games import odds
from league.models import Hand, League, Membership, Odds, Player, Role, Scope, Token
from league.people.api_keys import revoke_token
from tests.helpers.api.assistants import (
    AT,
    Conversation,
    faults,
    in_process,
    problem_in,
    refused,
    results,
)
from tests.helpers.api.clients import refusal, send
from tests.helpers.api.sample_league import (
    World,
    a_world,
    furnish,
    link_to,
    token_text,
    with_token,
)
from tests.helpers.league.house_games import crossed
from tests.helpers.league.leagues import holdem
from tests.helpers.security.bombs import TOO_MUCH

pytestmark = pytest.mark.django_db

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
MARK = "Hidden Valley"


@pytest.fixture
def text(world: World) -> str:
    cache.clear()
    return token_text(world.league, Role.VIEWER, Scope.READ)


@pytest.fixture(scope="module")
def foreign(world: World) -> World:
    """Another league whose names are easy to recognize."""
    made = a_world()
    furnish(made)
    for each in Player.objects.filter(league=made.league):
        Player.objects.filter(pk=each.pk).update(name=f"{MARK} {each.name}")
    League.objects.filter(pk=made.league.pk).update(name=MARK)
    return made


def usual(world: World) -> dict[str, dict[str, Any]]:
    """Valid arguments for each tool, for a league that has data for all of them."""
    return {
        "league": {},
        "nights": {"night": str(world.closed.pk)},
        "standings": {"season": str(world.night.season_id)},
        "stats": {"by": "player", "player": str(world.ann.pk)},
        "records": {"season": str(world.night.season_id)},
        "find_hands": {"night": str(world.night.pk), "player": str(world.ann.pk)},
        "hand": {"hand": str(world.hand.pk)},
        "balances": {},
        "games": {"dealt": True},
        "rules": {"game": world.game.slug},
        "odds": {"game": "texas-holdem"},
        "settle": {"record": holdem()},
    }


@pytest.mark.parametrize(
    ("scope", "mode"),
    [
        (Scope.READ, "auto"),
        (Scope.READ, "legacy"),
        *(
            pytest.param(scope, "auto", marks=pytest.mark.scheduled)
            for scope in Scope
            if scope != Scope.READ
        ),
    ],
)
def test_every_tool_returns_a_result_to_members(world: World, scope: Scope, mode: str) -> None:
    cache.clear()
    connected = in_process(token_text(world.league, Role.HOST, scope), mode)
    calls = usual(world)
    assert calls.keys() == TOOLS.keys()
    for result in results(connected, *calls.items()):
        assert not result.is_error, result.content
        assert result.structured_content


def test_no_tool_reveals_the_join_code(world: World) -> None:
    """The API shows the code to managing tokens. Tools are read-only, so they never show it."""
    connected = in_process(token_text(world.league, Role.HOST, Scope.MANAGE))
    content = json.dumps(
        [each.structured_content for each in results(connected, *usual(world).items())]
    )
    assert world.league.code not in content
    assert world.token not in content


# Each argument that takes an id or a name, with a value from a different league and the expected
# error.
FOREIGN = [
    ("nights", "night", lambda world: world.closed.pk),
    ("nights", "season", lambda world: world.night.season_id),
    ("nights", "player", lambda world: world.ann.pk),
    ("standings", "season", lambda world: world.night.season_id),
    ("stats", "season", lambda world: world.night.season_id),
    ("stats", "player", lambda world: world.ann.pk),
    ("stats", "dealer", lambda world: world.ann.pk),
    ("records", "season", lambda world: world.night.season_id),
    ("find_hands", "season", lambda world: world.night.season_id),
    ("find_hands", "night", lambda world: world.night.pk),
    ("find_hands", "player", lambda world: world.ann.pk),
    ("find_hands", "dealer", lambda world: world.ann.pk),
    ("find_hands", "player", lambda world: f"{MARK} ann"),
    ("hand", "hand", lambda world: world.hand.pk),
]


@pytest.mark.parametrize(("tool", "place", "of"), FOREIGN)
def test_data_from_other_leagues_is_reported_as_missing(
    tool: str, place: str, of: Any, text: str, foreign: World
) -> None:
    beside = {"by": "dealer"} if tool == "stats" else {}
    foreign_id, never = str(of(foreign)), str(uuid4())
    theirs, none = results(
        in_process(text), (tool, {**beside, place: foreign_id}), (tool, {**beside, place: never})
    )
    assert faults(theirs) == faults(none)
    assert [where for where, _ in faults(theirs)] == [place]
    problem = json.dumps(problem_in(theirs)).replace(foreign_id, "")
    assert problem == json.dumps(problem_in(none)).replace(never, "")
    assert MARK not in problem


def test_every_argument_for_an_id_or_a_name_is_tested() -> None:
    named = {"night", "season", "player", "dealer", "hand"}
    there = {
        (name, place)
        for name, tool in TOOLS.items()
        for place in tool.takes.model_fields
        if place in named
    }
    assert there == {(tool, place) for tool, place, _ in FOREIGN}


def test_lists_contain_no_data_from_other_leagues(text: str, foreign: World) -> None:
    calls = [("league", {}), ("nights", {}), ("standings", {}), ("find_hands", {}), ("records", {})]
    calls += [("balances", {}), ("games", {}), *(("stats", {"by": by}) for by in BY)]
    content = json.dumps([each.structured_content for each in results(in_process(text), *calls)])
    assert MARK not in content
    assert str(foreign.league.pk) not in content
    assert str(foreign.night.pk) not in content


BY = ("player", "game", "player-and-game", "dealer", "declaration", "seat", "flow")


def test_game_from_another_league_is_reported_as_unknown(
    text: str, world: World, foreign: World
) -> None:
    theirs = type(foreign.game).objects.get(pk=foreign.game.pk)
    type(theirs).objects.filter(pk=theirs.pk).update(slug="hidden-cross", name="Hidden cross")
    for tool in ("rules", "odds", "find_hands"):
        [result] = results(in_process(text), (tool, {"game": "hidden-cross"}))
        assert faults(result) == [("game", "unknown-game")]
    [played] = results(in_process(text), ("rules", {"game": world.game.slug}))
    assert played.structured_content
    assert played.structured_content["own"]


def test_missing_token_is_unauthorized(world: World) -> None:
    assert refused(in_process(""))
    refusal(send(Client(), AT, LIST), 401)
    refusal(Client().post(f"{AT}?key={link_to(world.league)}", {}), 403)


def ended(world: World, how: str) -> str:
    text = token_text(world.league, Role.PLAYER, Scope.READ)
    token = Token.objects.latest("created")
    if how == "revoked":
        revoke_token(world.league, token.id)
    elif how == "expired":
        Token.objects.filter(pk=token.pk).update(expiry=timezone.now() - timedelta(seconds=1))
    elif how == "of nobody's any more":
        Membership.objects.filter(league=world.league, user=token.user).delete()
    return "dealer_nothing" if how == "unknown" else text


@pytest.mark.parametrize("how", ["revoked", "expired", "of nobody's any more", "unknown"])
def test_invalid_token_is_refused(how: str, world: World) -> None:
    text = ended(world, how)
    headers = {"Authorization": f"Bearer {text}"}
    problem = refusal(send(Client(headers=headers), AT, LIST), 401)
    assert problem["detail"] == "The token is unknown, revoked or expired."
    assert refused(in_process(text))


def test_browser_session_does_not_authenticate_tools(doors: dict[str, Client]) -> None:
    refusal(send(doors["host"], AT, LIST), 401)


def test_server_does_not_provide_an_event_stream(text: str) -> None:
    client = Client(headers={"Authorization": f"Bearer {text}"})
    for method in ("get", "delete", "put"):
        answer = getattr(client, method)(AT)
        refusal(answer, 405)
        assert answer["Allow"] == "POST, OPTIONS"


def test_tools_do_not_change_the_database(world: World, text: str) -> None:
    """The only exception is the job that computes odds, which the API also stores."""
    before = [League.objects.values().get(pk=world.league.pk), Hand.objects.count()]
    asked = {name: each for name, each in usual(world).items() if name != "odds"}
    results(in_process(text), *asked.items())
    assert before == [League.objects.values().get(pk=world.league.pk), Hand.objects.count()]


@pytest.mark.parametrize(
    ("tool", "sent", "wrong"),
    [
        ("find_hands", {"plyer": "ann"}, ("plyer", "unknown-key")),
        ("find_hands", {"player": 7}, ("player", "wrong-type")),
        ("find_hands", {"player": "nobody"}, ("player", "unknown-player")),
        ("find_hands", {"player": "a" * 201}, ("player", "too-long")),
        ("find_hands", {"came": "triumphed"}, ("came", "bad-option")),
        ("find_hands", {"after": "2026-03-05T20:00:00"}, ("after", "wrong-type")),
        ("find_hands", {"after": "yesterday"}, ("after", "wrong-type")),
        ("find_hands", {"cursor": 0}, ("cursor", "wrong-type")),
        ("find_hands", {"cursor": "WzEwMDAwMDAwMDBd"}, ("cursor", "bad-cursor")),
        ("find_hands", {"page_size": 51}, ("page_size", "wrong-type")),
        ("hand", {}, ("hand", "missing")),
        ("hand", {"hand": "the last one"}, ("hand", "wrong-type")),
        ("stats", {"by": "luck"}, ("by", "bad-option")),
        ("stats", {"by": "game", "player": "ann"}, ("player", "unknown-key")),
        ("rules", {"game": "nightmere"}, ("game", "unknown-game")),
        ("odds", {"game": "nightmare", "players": 40}, ("players", "bad-option")),
        ("odds", {"game": "nightmare", "with": ["nothing"]}, ("with", "bad-game")),
        ("settle", {"record": {}}, ("record/variant", "missing")),
        ("settle", {"record": holdem(players=[])}, ("record/players", "no-players")),
    ],
)
def test_invalid_argument_is_reported_with_its_path(
    tool: str, sent: dict[str, Any], wrong: tuple[str, str], text: str
) -> None:
    [result] = results(in_process(text), (tool, sent))
    assert wrong in faults(result)
    assert all(error["text"] for error in problem_in(result)["errors"])


def test_tool_argument_with_a_control_character_is_refused(text: str) -> None:
    params = {"name": "find_hands", "arguments": {"player": "ann\u0000"}}
    client = Client(headers={"Authorization": f"Bearer {text}"})
    problem = refusal(send(client, AT, {**LIST, "method": "tools/call", "params": params}), 400)
    assert [each["where"] for each in problem["errors"]] == ["params/arguments/player"]


def test_misspelt_game_is_reported_with_suggestions(text: str) -> None:
    [result] = results(in_process(text), ("rules", {"game": "nightmere"}))
    assert "nightmare" in problem_in(result)["errors"][0]["text"]


def test_settle_tool_accepts_a_house_game(text: str, world: World) -> None:
    verdict = Conversation(in_process(text))("settle", record=crossed(world.game.slug))
    assert verdict["story"]
    assert sum(verdict["net"].values()) + verdict["carry"] == 0


@pytest.mark.parametrize("name", TOO_MUCH)
def test_settle_tool_refuses_a_game_that_is_too_complex(name: str, text: str) -> None:
    """The API rejects this too: docs/decisions/0021-bounded-work.md."""
    record = holdem(variant=TOO_MUCH[name])
    [result] = results(in_process(text), ("settle", {"record": record}))
    problem = problem_in(result)
    api = refusal(send(Client(), "/api/v1/settle", record), 422)
    assert (problem["status"], problem["detail"]) == (422, api["detail"])
    assert faults(result) == [(f"record/{each['where']}", each["code"]) for each in api["errors"]]


def test_odds_tool_returns_the_odds_computed_by_a_worker(
    text: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odds, "DEALS", 200)
    ask = Conversation(in_process(text))
    arguments = {"game": world.game.slug, "players": 3}
    assert ask("odds", **arguments)["state"] == "wanted"
    odds.find(Odds.objects.latest("asked_at").deal)
    response = ask("odds", **arguments)
    api = with_token(world.league, Role.VIEWER, Scope.READ).get(
        f"/api/v1/leagues/{world.league.pk}/house-games/{world.game.slug}/odds?players=3"
    )
    assert response == {"slug": world.game.slug, **api.json()}
    assert response["found"]["shares"]


def test_settle_tool_has_the_same_rate_limit_as_the_api(text: str, settings: Settings) -> None:
    settings.API_RATES = {**settings.API_RATES, "settle": "2/min"}
    cache.clear()
    asked = ("settle", {"record": holdem()})
    answers = results(in_process(text), asked, asked, asked)
    assert [each.is_error for each in answers] == [False, False, True]
    assert problem_in(answers[2])["status"] == 429
    cache.clear()


def test_tool_calls_are_counted_by_token(text: str, settings: Settings) -> None:
    settings.API_RATES = {**settings.API_RATES, "caller": "1/min"}
    cache.clear()
    client = Client(headers={"Authorization": f"Bearer {text}"})
    assert send(client, AT, LIST).status_code == 200
    refusal(send(client, AT, LIST), 429)
    cache.clear()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{", 400),
        ("[]", 400),
        ("7", 400),
        ('{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}', 400),
        ('{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}' + " " * 2**21, 413),
        ('{"jsonrpc": "2.0", "method": "notifications/initialized"}', 202),
    ],
)
def test_malformed_request_is_refused(body: str, status: int, text: str) -> None:
    client = Client(headers={"Authorization": f"Bearer {text}"})
    assert send(client, AT, body).status_code == status


def test_unknown_tool_or_method_returns_a_protocol_error(text: str) -> None:
    client = Client(headers={"Authorization": f"Bearer {text}"})
    for method, params in (("tools/call", {"name": "win"}), ("resources/list", {})):
        answer = send(client, AT, {**LIST, "method": method, "params": params}).json()
        assert answer["error"]["message"]


def test_list_pages_contain_every_row_once(text: str, world: World) -> None:
    names: list[str] = []
    cursor: dict[str, str] = {}
    ask = Conversation(in_process(text))
    while True:
        response = ask("league", page_size=2, **cursor)
        assert len(response["players"]) <= 2
        names += [each["name"] for each in response["players"]]
        if response["next_cursor"] is None:
            break
        cursor = {"cursor": response["next_cursor"]}
    assert names == list(world.league.players.order_by("name").values_list("name", flat=True))

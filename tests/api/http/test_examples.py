"""The examples of the OpenAPI document are exchanges that took place here: api/examples/*.json.

WRITE_EXAMPLES=1 writes them anew.
"""

import json
import os
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from api.http.reference import document
from api.http.schema import EXAMPLES, operations
from league.models import Role, Scope
from tests.helpers.api.clients import send
from tests.helpers.api.routes import in_days
from tests.helpers.api.sample_league import World, a_world, with_token
from tests.helpers.league.leagues import holdem
from tests.helpers.league.stats_rows import count_all

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
DAY = re.compile(r'"\d{4}-\d\d-\d\d"')
HASH = re.compile(r"\b[0-9a-f]{64}\b")
NEW = "7d0c4a5e-0000-4000-8000-00000000abcd"

ASKED: dict[str, tuple[str, Any]] = {
    "get_night": ("nights/{night_id}", None),
    "list_night_hands": ("nights/{night_id}/hands", None),
    "record_hand": (
        "nights/{night_id}/hands",
        {"id": NEW, "record": holdem()},
    ),
    "record_hands": (
        "nights/{night_id}/hands/batch",
        {"hands": [{"id": NEW, "record": holdem()}]},
    ),
    "record_buy_in": (
        "nights/{night_id}/buy-ins",
        {"id": NEW, "player": "{player_id}", "chips": 50},
    ),
    "list_season_standings": ("seasons/{season_id}/standings", None),
    "list_season_achievements": ("seasons/{season_id}/achievements", None),
    "get_plan": ("plans/{plan_id}", None),
    "confirm_payment": ("payments/{payment_id}/confirm", {}),
    "list_seasons": ("leagues/{league_id}/seasons", None),
    "plan_night": (
        "leagues/{league_id}/planned-nights",
        {"id": NEW, "starts_at": in_days(7), "name": "Friday", "place": "Ann's", "seats": 8},
    ),
    "settle_hand": ("settle?brief", holdem()),
}
_WRONG = holdem(players=[{"name": "ann", "paid": -1}])
WRONG: dict[str, Any] = {"record_hand": {"id": NEW, "record": _WRONG}, "settle_hand": _WRONG}


def exchange(client: Client, world: World, path: str, asked: Any) -> dict[str, Any]:
    ids = {key: str(each) for key, each in world.ids().items()}
    body = json.loads(json.dumps(asked).replace("{player_id}", ids["player_id"]))
    at = f"/api/v1/{path.format(**ids)}"
    answer = client.get(at) if asked is None else send(client, at, body)
    told = {"status": answer.status_code, "answer": answer.json()}
    return told if asked is None else {"asked": body, **told}


def settled(text: str) -> str:
    """Return the text with ids and times that are the same at every run."""
    seen: dict[str, str] = {}

    def numbered(found: re.Match[str]) -> str:
        return seen.setdefault(found[0], f"00000000-0000-4000-8000-{len(seen) + 1:012}")

    text = TIME.sub("2026-03-02T20:15:00Z", ID.sub(numbered, text))
    return HASH.sub("0" * 64, DAY.sub('"2026-03-02"', text))


@pytest.mark.django_db
@pytest.mark.parametrize("operation", sorted(ASKED))
def test_an_example_is_what_was_answered(operation: str) -> None:
    cache.clear()
    world = a_world()
    count_all(world.league)
    client = with_token(world.league, Role.HOST, Scope.MANAGE)
    exchanges = [exchange(client, world, *ASKED[operation])]
    if operation in WRONG:
        exchanges.append(exchange(client, world, ASKED[operation][0], WRONG[operation]))
    told = {"operation": operation, "exchanges": exchanges}
    text = settled(json.dumps(told, indent=1, ensure_ascii=False, sort_keys=True)) + "\n"
    file = EXAMPLES / f"{operation}.json"
    if os.environ.get("WRITE_EXAMPLES"):
        file.write_text(text, "utf-8")
    assert file.read_text("utf-8") == text


def test_every_example_stands_in_the_document() -> None:
    shown = {told["operationId"]: json.dumps(told) for _, _, told in operations(document())}
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(ASKED)
    for operation in ASKED:
        assert '"examples"' in shown[operation], operation

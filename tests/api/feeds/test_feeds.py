"""Hands, results, transfers, standings and games by player, as JSON, NDJSON and CSV."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from api.feeds.urls import FEEDS
from league.games.house_games import revise
from league.models import League, Night, Player
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.stats.count import count_marked
from tests.helpers.api.clients import refusal
from tests.helpers.api.feeds import reads
from tests.helpers.api.sample_league import a_world
from tests.helpers.league.histories import heads_up
from tests.helpers.league.house_games import CROSS, a_house_game, crossed
from tests.helpers.league.leagues import a_night, holdem, player

pytestmark = pytest.mark.django_db
PAGE = (Path(__file__).parents[3] / "docs" / "feeds.md").read_text("utf-8")
FOLDING: dict[str, Any] = {}
exec(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0], FOLDING)  # noqa: S102 (the page's own)


def rows(league: League, feed: str, query: str = "") -> list[dict[str, Any]]:
    answer = reads(league, feed, query)
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["results"]
    return found


def counted_night(hands: int = 1) -> Night:
    night = a_night()
    for _ in range(hands):
        record_hand(night, uuid4(), holdem(), by=None)
        count_marked(night.league.pk)
    return night


@pytest.mark.parametrize("feed", [item.name for item in FEEDS])
def test_feed_has_the_same_rows_in_every_format(feed: str) -> None:
    world = a_world()
    league = world.league
    record_hand(world.night, uuid4(), heads_up(), by=None)
    count_marked(league.pk)
    paged = rows(league, feed)
    assert paged
    lines = reads(league, f"{feed}.ndjson")
    assert lines["Content-Type"] == "application/x-ndjson; charset=utf-8"
    text = lines.getvalue().decode()
    assert [json.loads(line) for line in text.splitlines()] == paged
    sheet = reads(league, f"{feed}.csv")
    assert sheet["Content-Type"] == "text/csv; charset=utf-8"
    read = list(csv.DictReader(io.StringIO(sheet.getvalue().decode())))
    assert [list(item) for item in read] == [list(item) for item in paged]
    plain = {True: "true", False: "false", None: ""}
    for cells, row in zip(read, paged, strict=True):
        text_row = {
            name: plain.get(value, str(value)) if isinstance(value, bool | None) else str(value)
            for name, value in row.items()
        }
        assert cells == text_row


def test_results_feed_has_flat_rows_with_times_in_utc() -> None:
    night = counted_night()
    bob, ann = rows(night.league, "results")
    assert (ann["player_name"], ann["net"], ann["won_high"], ann["won_low"]) == (
        "ann",
        10,
        True,
        None,
    )
    assert (bob["player_name"], bob["net"], bob["position"]) == ("bob", -10, 0)
    assert ann["dealer_name"] == "bob"
    assert ann["played_at"].endswith("Z")
    assert not any(isinstance(value, dict | list) for value in ann.values())


@pytest.mark.parametrize("name", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1"])
def test_formula_in_a_cell_is_escaped(name: str) -> None:
    """OWASP, CSV injection: a cell that begins with = + - @, a tab or a return is a formula."""
    night = counted_night()
    # The league normalizes names, but a name stored in any other way must be harmless too.
    Player.objects.filter(pk=player(night, "bob").pk).update(name=name)
    text = reads(night.league, "results.csv").getvalue().decode()
    first = next(csv.DictReader(io.StringIO(text, newline="")))
    assert first["player_name"].startswith("'")
    assert first["player_name"].replace("'", "") == name
    assert first["net"] == "-10"


def test_pages_of_the_results_feed_do_not_split_a_hand() -> None:
    night = counted_night(3)
    first = reads(night.league, "results", "&page_size=2").json()
    assert [row["number"] for row in first["results"]] == [1, 1, 2, 2]
    second = Client().get(first["next"]).json()
    assert [row["number"] for row in second["results"]] == [3, 3]
    assert second["next"] is None
    nothing = reads(night.league, "results", f"&cursor={second['results'][-1]['cursor']}").json()
    assert nothing == {"results": [], "next": None, "previous": None}


def test_corrected_hand_reappears_with_the_same_id() -> None:
    night = counted_night(2)
    before = reads(night.league, "results").json()
    hand = night.hands.get(number=1)
    revise_hand(hand, uuid4(), holdem(button=0), by=None)
    void_hand(night.hands.get(number=2), by=None)
    count_marked(night.league.pk)
    after = rows(night.league, "results", f"&cursor={before['results'][-1]['cursor']}")
    latest: dict[str, list[dict[str, Any]]] = {}
    for page in (before["results"], after):
        FOLDING["fold"](latest, page)
    folded = sorted((row for kept in latest.values() for row in kept), key=lambda r: r["number"])
    assert sorted(rows(night.league, "results"), key=lambda row: row["number"]) == folded
    assert {(row["number"], row["revision"], row["voided"]) for row in folded} == {
        (1, 2, False),
        (2, 2, True),
    }
    assert sum(row["won"] for row in folded if row["voided"]) == 0


def test_feed_can_be_filtered_by_its_columns() -> None:
    night = counted_night(2)
    ann, bob = player(night, "ann"), player(night, "bob")
    league = night.league
    assert {each["player_name"] for each in rows(league, "results", f"&player={ann.pk}")} == {"ann"}
    assert len(rows(league, "hands", f"&dealer={bob.pk}&night={night.pk}")) == 2
    assert rows(league, "hands", f"&dealer={ann.pk}") == []
    assert rows(league, "results", "&game=nightmare") == []
    assert len(rows(league, "results", "&verified=true&fields=net,player")) == 4
    played = night.hands.get(number=1).made_at.isoformat().replace("+00:00", "Z")
    assert rows(league, "hands", f"&before={played}") == []
    assert len(rows(league, "hands", f"&after={played}")) == 2
    tab = rows(league, "transfers", f"&account=tab:{ann.pk}&fields=chips,debit")
    assert tab == [{"debit": f"tab:{ann.pk}", "chips": 100}]
    assert rows(league, "player-games", f"&player={ann.pk}")[0]["net"] == 20


def test_player_games_feed_uses_the_game_name_from_the_last_deal() -> None:
    night = counted_night()
    game = a_house_game(night)
    revise(game, CROSS.replace("Grandma's Cross", "The Cross"), by=None)
    record_hand(night, uuid4(), crossed(game.slug), by=None)
    count_marked(night.league.pk)
    revise(game, CROSS.replace("Grandma's Cross", "Never dealt"), by=None)
    titles = {each["game"]: each["game_name"] for each in rows(night.league, "player-games")}
    assert titles == {"texas-holdem": "Texas Hold'em", game.slug: "The Cross"}


@pytest.mark.parametrize(
    "query",
    ["cursor=x", "cursor=-1", "page_size=0", "player=ann", "verified=1", "after=", "fields=nat"],
)
def test_invalid_feed_parameter_is_reported(query: str) -> None:
    night = a_night()
    problem = refusal(reads(night.league, "results", f"&{query}"), 400)
    assert [each["where"] for each in problem["errors"]] == [query.partition("=")[0]]


def test_page_size_for_a_file_is_refused() -> None:
    problem = refusal(reads(a_night().league, "results.csv", "&page_size=3"), 400)
    assert problem["errors"][0]["code"] == "unknown-parameter"

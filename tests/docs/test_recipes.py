"""The recipes in docs/cookbook.md, run against a server. Each has at most ten lines."""

import re
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from league.closing.standings import standings
from league.models import CallTally, HandFact, League
from league.stats.figures.leaks import leaks
from league.stats.figures.players import declaration_figures, luck
from league.stats.scopes import of_all_time
from tests.helpers.api.sample_league import link_to
from tests.helpers.league.demo_season import MISTAKES, a_demo_season

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "cookbook.md").read_text("utf-8")
[ASKED] = re.findall(r"^## Questions$(.*?)^## ", PAGE, re.MULTILINE | re.DOTALL)
RECIPE = re.compile(r"^\*\*(.+?)\*\* (.+?)\n\n```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
RECIPES = RECIPE.findall(ASKED)
MOST_LINES = 10
pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def answers(league: League, server: str) -> dict[str, Any]:
    """Return each recipe's result, by its question."""
    responses = {}
    for question, _, lines in RECIPES:
        code = lines.replace("https://league.example", server)
        code = code.replace("/ID/", f"/{league.pk}/").replace("KEY", link_to(league))
        names: dict[str, Any] = {}
        exec(compile(code, question, "exec"), names)  # noqa: S102 (our own page)
        responses[question] = names["answer"]
    return responses


def test_every_recipe_has_a_question_a_url_and_at_most_ten_lines() -> None:
    assert len(RECIPES) == 6
    for question, address, lines in RECIPES:
        assert question.endswith("?")
        assert all(feed.split(".")[0] in lines for feed in re.findall(r"feeds/([\w-]+)", address))
        assert len([line for line in lines.splitlines() if line]) <= MOST_LINES, question
    pictures = re.findall(r"\(pictures/(feeds-\w+\.svg)\)", ASKED)
    assert len(pictures) == 4
    assert all((DOCS / "pictures" / file).exists() for file in pictures)


def test_every_recipe_agrees_with_the_ledger(live_server: LiveServer) -> None:
    league = a_demo_season()
    nets, deals, ran, hours, declared, leak = answers(league, live_server.url).values()
    [season] = league.seasons.all()
    assert {name: nets[name].sum() for name in nets} == {
        item.name: item.net for item in standings(season) if item.nights
    }
    own = [item for item in CallTally.objects.all() if item.dealer_id == item.player_id]
    assert deals.drop(columns="game").sum().sum() == sum(item.net for item in own)
    assert len(deals) == len({item.game for item in own})
    luck_of = {item.name: item for item in luck(of_all_time(league))}
    assert {row.player_name: row.luck for row in ran.itertuples(index=False)} == pytest.approx(
        {name: item.luck for name, item in luck_of.items()}
    )
    hands = HandFact.objects.filter(league=league, voided=False)
    assert hours["size"].sum() == hands.count()
    assert (hours["size"] * hours["mean"]).sum() == pytest.approx(MISTAKES)
    ways = {(item.name, item.way): item for item in declaration_figures(of_all_time(league))}
    for row in declared.iter_rows(named=True):
        figures = ways[row["player_name"], row["declared"]]
        assert (row["hands"], row["net"]) == (figures.hands, figures.net)
        assert row["was_right"] == pytest.approx(figures.right_rate)
    assert leak == [f"{item.sentence} {item.how_sure}" for item in leaks(of_all_time(league))]
    assert leak

"""leagues/{id}/accounts, .../accounts/{key} and .../transfers"""

import pytest
from django.test import Client

from tests.helpers.api.clients import refusal, reported_errors, turned_away
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/leagues/{world.league.pk}"


def test_account_balances_match_their_transfers(at: str, doors: dict[str, Client]) -> None:
    read = doors["read token"]
    rows = read.get(f"{at}/accounts?page_size=200").json()["results"]
    assert sum(account["chips"] for account in rows) == 0
    moves = read.get(f"{at}/transfers?page_size=200").json()["results"]
    for account in rows:
        came = sum(move["chips"] for move in moves if move["credit"] == account["key"])
        went = sum(move["chips"] for move in moves if move["debit"] == account["key"])
        assert account["chips"] == came - went, account["key"]


def test_account_lists_its_entries(at: str, world: World, doors: dict[str, Client]) -> None:
    body = doors["viewer"].get(f"{at}/accounts/tab:{world.ann.pk}").json()
    assert body["key"] == f"tab:{world.ann.pk}"
    assert body["entries"]


def test_transfers_are_listed_in_posting_order(at: str, doors: dict[str, Client]) -> None:
    rows = doors["viewer"].get(f"{at}/transfers?page_size=200").json()["results"]
    ids = [transfer["id"] for transfer in rows]
    assert ids == sorted(ids)
    first = doors["viewer"].get(f"{at}/transfers?page_size=2").json()
    following = doors["viewer"].get(first["next"]).json()
    assert [transfer["id"] for transfer in first["results"] + following["results"]][:4] == ids[:4]


def test_outsiders_cannot_read_the_ledger(at: str, world: World, doors: dict[str, Client]) -> None:
    for rest in ("accounts", "transfers", f"accounts/tab:{world.ann.pk}"):
        turned_away(doors, "get", f"{at}/{rest}", wrong="")
    refusal(doors["host"].get(f"{at}/accounts/tab:nobody"), 404)


@pytest.mark.parametrize("query", ["page_size=0", "cursor=x", "season=1"])
def test_invalid_list_parameter_is_reported(query: str, at: str, doors: dict[str, Client]) -> None:
    for rest in ("accounts", "transfers"):
        [(where, _)] = reported_errors(doors["viewer"].get(f"{at}/{rest}?{query}"))
        assert where == query.partition("=")[0]

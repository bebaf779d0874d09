"""nights/{id}/receipt, its CSV and its links, and receipts/{token}"""

import csv
import io

import pytest
from django.test import Client

from tests.helpers.api.clients import ask, refusal, turned_away
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed(world: World) -> str:
    return f"/api/v1/nights/{world.closed.pk}"


def test_receipt_includes_all_lines_and_hands_in_json_and_csv(
    closed: str, doors: dict[str, Client]
) -> None:
    body = doors["viewer"].get(f"{closed}/receipt").json()
    assert {each["player_name"]: each["net"] for each in body["lines"]}["ann"] == 10
    assert [each["number"] for each in body["hands"]] == [1]
    sheet = doors["viewer"].get(f"{closed}/receipt.csv")
    assert sheet["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(sheet.content.decode())))
    assert any("ann" in row and "10" in row for row in rows)


def test_receipt_link_is_public_until_it_is_revoked(closed: str, doors: dict[str, Client]) -> None:
    made = ask(doors["scorekeeper"], "post", f"{closed}/receipt/links").json()
    shared = f"/api/v1/receipts/{made['token']}"
    assert made["address"].endswith(f"/receipts/{made['token']}")
    for rest in ("", ".csv"):
        answer = Client().get(shared + rest)
        assert (answer.status_code, answer["X-Robots-Tag"]) == (200, "noindex, nofollow")
    assert ask(doors["scorekeeper"], "delete", f"{closed}/receipt/links").status_code == 204
    for rest in ("", ".csv"):
        refusal(Client().get(shared + rest), 404)


def test_outsiders_cannot_read_a_receipt(
    world: World, closed: str, doors: dict[str, Client]
) -> None:
    for rest in ("receipt", "receipt.csv"):
        turned_away(doors, "get", f"{closed}/{rest}", wrong="")
        refusal(doors["host"].get(f"/api/v1/nights/{world.night.pk}/{rest}"), 404)
    for method in ("post", "delete"):
        turned_away(doors, method, f"{closed}/receipt/links", wrong="player")

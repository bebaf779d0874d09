"""nights/{id}/buy-ins, .../cash-outs (with .../void) and .../chip-counts"""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.nights.cash_box import find_cash_box
from league.nights.nights import seat
from league.recording.conflicts import keep_hand
from tests.helpers.api.clients import ask, refusal, reported_errors, turned_away
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import player

pytestmark = pytest.mark.django_db
SOLD = ("buy-ins", "cash-outs")


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/nights/{world.night.pk}"


def payload(world: World, **changes: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "player": str(world.ann.pk), "chips": 20, **changes}


def stack(world: World, doors: dict[str, Client]) -> int:
    seats = doors["viewer"].get(f"/api/v1/nights/{world.night.pk}").json()["seats"]
    [ann] = [each["stack"] for each in seats if each["player_name"] == "ann"]
    return int(ann)


@pytest.mark.parametrize(("kind", "sign"), [("buy-ins", 1), ("cash-outs", -1)])
def test_buy_in_is_recorded_once_and_can_be_voided(
    kind: str, sign: int, at: str, world: World, doors: dict[str, Client]
) -> None:
    keeper, before, body = doors["scorekeeper"], stack(world, doors), payload(world)
    for status in (201, 200):
        answer = ask(keeper, "post", f"{at}/{kind}", body)
        assert (answer.status_code, answer.json()["chips"]) == (status, 20)
    assert answer.json()["voided"] is False
    assert stack(world, doors) == before + 20 * sign
    refusal(ask(keeper, "post", f"{at}/{kind}", body | {"chips": 30}), 409)
    for _ in range(2):
        voided = ask(keeper, "post", f"{at}/{kind}/{body['id']}/void")
        assert (voided.status_code, voided.json()["voided"]) == (200, True)
    assert stack(world, doors) == before
    rows = doors["viewer"].get(f"{at}/{kind}").json()["results"]
    assert [each["voided"] for each in rows if each["id"] == body["id"]] == [True]
    assert [each["voided"] for each in rows if each["id"] != body["id"]].count(True) == 0


def test_cash_buy_in_names_its_banker(at: str, world: World, doors: dict[str, Client]) -> None:
    bob = str(player(world.night, "bob").pk)
    answer = ask(doors["host"], "post", f"{at}/buy-ins", payload(world, banker=bob))
    assert answer.json()["banker"] == bob


def test_refused_requests_do_not_create_the_cash_box(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    wrong = payload(world, cash_box=True, player=str(uuid4()))
    assert ask(doors["scorekeeper"], "post", f"{at}/buy-ins", wrong).status_code == 400
    valid = payload(world, cash_box=True)
    assert ask(doors["viewer"], "post", f"{at}/buy-ins", valid).status_code == 403
    assert ask(doors["scorekeeper"], "post", f"{at}/cash-outs", valid).status_code == 400
    assert find_cash_box(world.league) is None
    for status in (201, 200):
        assert ask(doors["scorekeeper"], "post", f"{at}/buy-ins", valid).status_code == status
    assert find_cash_box(world.league) is not None


def test_cash_box_takes_and_pays_cash(at: str, world: World, doors: dict[str, Client]) -> None:
    keeper, body = doors["scorekeeper"], payload(world, cash_box=True, chips=30)
    bought = ask(keeper, "post", f"{at}/buy-ins", body)
    assert (bought.status_code, bought.json()["cash_box"]) == (201, True)
    assert bought.json()["banker_name"] == "Cash box"
    assert doors["viewer"].get(at).json()["cash_box"] == 30
    out = payload(world, cash_box=True, chips=31)
    refused = ask(keeper, "post", f"{at}/cash-outs", out)
    assert reported_errors(refused) == [("chips", "box-short")]
    paid = ask(keeper, "post", f"{at}/cash-outs", payload(world, cash_box=True, chips=10))
    assert paid.status_code == 201
    at_once = ask(keeper, "post", f"{at}/buy-ins/{body['id']}/void")
    assert reported_errors(at_once) == [("", "box-short")]
    assert ask(keeper, "post", f"{at}/cash-outs/{paid.json()['id']}/void").status_code == 200
    assert doors["viewer"].get(at).json()["cash_box"] == 30
    keep_hand(world.hand, by=None)  # a night closes after its conflicts are decided
    made = ask(
        doors["host"], "post", f"{at}/closing", {"id": str(uuid4()), "by_hands": True}
    ).json()
    assert (made["cash_box"], made["payment_plan"] is not None) == (30, True)
    assert "Cash box" not in [line["player_name"] for line in made["lines"]]
    plan = doors["viewer"].get(f"/api/v1/payment-plans/{made['payment_plan']}").json()
    [from_box] = [each for each in plan["planned_payments"] if each["cash_box"]]
    assert (from_box["payer_name"], from_box["chips"]) == ("Cash box", 30)
    assert from_box["why"].endswith("takes 30 from the cash box")
    assert doors["viewer"].get(f"{at}/receipt").json()["cash_box"] == 30


def test_cash_buy_in_waits_for_a_host(at: str, world: World, doors: dict[str, Client]) -> None:
    seat(world.night, player(world.night, "dan"))
    body = payload(world, cash_box=True, player=str(player(world.night, "dan").pk))
    asked = ask(doors["phone"], "post", f"{at}/buy-ins", body)
    assert (asked.status_code, asked.json()["charged_to_name"]) == (202, "Cash box")
    accept = f"{at}/chip-requests/{body['id']}/accept"
    assert ask(doors["phone"], "post", accept).status_code == 403
    assert ask(doors["host"], "post", accept).status_code == 200
    assert doors["viewer"].get(at).json()["cash_box"] == 20


def test_cashing_out_a_leaving_player_frees_the_seat(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    chips = stack(world, doors)
    body = payload(world, chips=chips, leaves=True)
    assert ask(doors["host"], "post", f"{at}/cash-outs", body).status_code == 201
    seats = doors["viewer"].get(at).json()["seats"]
    assert [bool(each["left_at"]) for each in seats if each["player_name"] == "ann"] == [True]


def test_chip_count_is_compared_with_the_recorded_hands(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    held = stack(world, doors)
    answer = ask(doors["host"], "post", f"{at}/chip-counts", payload(world, chips=held - 1))
    assert (answer.status_code, answer.json()["chips"]) == (201, held - 1)
    body = doors["viewer"].get(f"{at}/chip-counts").json()
    [line] = [each for each in body["lines"] if each["player_name"] == "ann"]
    assert (line["counted"], line["difference"]) == (held - 1, -1)
    taken_back = ask(doors["host"], "post", f"{at}/chip-counts", payload(world, chips=None))
    assert taken_back.json()["chips"] is None


@pytest.mark.parametrize("kind", [*SOLD, "chip-counts"])
def test_players_and_outsiders_cannot_record_chips_for_others(
    kind: str, at: str, world: World, doors: dict[str, Client]
) -> None:
    turned_away(doors, "get", f"{at}/{kind}", wrong="")
    turned_away(doors, "post", f"{at}/{kind}", payload(world), wrong="player")
    if kind in SOLD:
        done = world.more["buy_in_id" if kind == "buy-ins" else "cash_out_id"]
        turned_away(doors, "post", f"{at}/{kind}/{done}/void", wrong="player")
        refusal(ask(doors["host"], "post", f"{at}/{kind}/{uuid4()}/void"), 404)


@pytest.mark.parametrize(
    ("kind", "changes", "error"),
    [
        ("buy-ins", {"chips": 0}, ("chips", "wrong-type")),
        ("buy-ins", {"chips": True}, ("chips", "wrong-type")),
        ("buy-ins", {"player": str(uuid4())}, ("player", "unknown-player")),
        ("buy-ins", {"banker": str(uuid4())}, ("banker", "unknown-player")),
        ("buy-ins", {"leaves": True}, ("leaves", "unknown-key")),
        ("buy-ins", {"cash_box": True, "banker": str(uuid4())}, ("cash_box", "wrong-type")),
        ("cash-outs", {"chips": 0}, ("chips", "wrong-type")),
        ("cash-outs", {"chips": 2**60}, ("chips", "wrong-type")),
        ("chip-counts", {"chips": -1}, ("chips", "wrong-type")),
        ("chip-counts", {"chips": "5"}, ("chips", "wrong-type")),
    ],
)
def test_invalid_number_of_chips_is_refused(
    kind: str,
    changes: Any,
    error: tuple[str, str],
    at: str,
    world: World,
    doors: dict[str, Client],
) -> None:
    assert reported_errors(
        ask(doors["host"], "post", f"{at}/{kind}", payload(world, **changes))
    ) == [error]


@pytest.mark.parametrize("kind", [*SOLD, "chip-counts"])
def test_closed_night_refuses_buy_ins(kind: str, world: World, doors: dict[str, Client]) -> None:
    at = f"/api/v1/nights/{world.closed.pk}/{kind}"
    refusal(ask(doors["host"], "post", at, payload(world)), 409)

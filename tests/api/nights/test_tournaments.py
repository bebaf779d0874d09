"""Tournaments through the API, from the first entry to the final charge."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.closing.close import Decisions, close_night
from league.integrity.audit import audit
from league.models import Night, Role
from tests.helpers.api.clients import member, refusal
from tests.helpers.league.leagues import a_night, player

pytestmark = pytest.mark.django_db
TOLD = {
    "entry": 20,
    "rebuy": 10,
    "rebuy_stack": 3_000,
    "bounty": 5,
    "stack": 5_000,
    "levels": [{"duration_seconds": 600, "small": 25, "big": 50}, {"duration_seconds": 300}],
}


class Table:
    """A tournament run by an API client."""

    def __init__(self, night: Night) -> None:
        self.night, self.host = night, member(night.league, Role.HOST)
        self.key = uuid4()
        self.made = self.post("", {"id": self.key, **TOLD}, at=f"/nights/{night.pk}/tournaments")

    def post(self, below: str, body: Any, at: str = "", status: int = 201) -> Any:
        answer = post(self.host, at or self.at + below, body)
        assert answer.status_code == status, answer.content
        return answer.json()

    @property
    def at(self) -> str:
        return f"/nights/{self.night.pk}/tournaments/{self.key}"

    def happens(self, kind: str, name: str, *by: str) -> Any:
        body = {"id": uuid4(), "kind": kind, "player": player(self.night, name).pk}
        knocked = {"knocked_out_by": [player(self.night, each).pk for each in by]} if by else {}
        return self.post("/events", body | knocked)


def post(client: Client, at: str, body: Any) -> Any:
    return client.post(f"/api/v1{at}", body, content_type="application/json")


def test_tournament_run_with_a_token_is_charged_when_it_ends() -> None:
    table = Table(a_night())
    for name in ("ann", "bob", "cat"):
        state = table.happens("entry", name)
    assert (state["pool"], state["prizes"], state["chips_in_play"]) == (60, [60], 15_000)
    state = table.post("/seats", {"id": uuid4(), "method": "draw"})
    assert sorted(entry["seat"] for entry in state["players"]) == [1, 2, 3]
    state = table.post("/clock", {"running": True, "level": 1}, status=200)
    assert (state["running"], state["level"]) == (True, 1)
    assert 295 < state["level_left_seconds"] <= 300
    for value in (0, "no", None):
        table.post("/clock", {"running": value}, status=400)
    table.happens("out", "cat", "bob", "ann")
    state = table.happens("out", "bob", "ann")
    assert [entry["playing"] for entry in state["players"]] == [True, False, False]
    ended = table.post("/end", {})
    # Ann gets the pool, her own bounty, bob's, and two of cat's five (bob is listed first).
    assert [(entry["place"], entry["net"]) for entry in ended["results"]] == [
        (1, 60 + 2 + 5 + 5 - 25),
        (2, 3 - 25),
        (3, -25),
    ]
    assert audit() == []


def test_agreed_prize_split_is_computed_and_paid() -> None:
    table = Table(a_night())
    ann, bob = (player(table.night, name).pk for name in ("ann", "bob"))
    for name in ("ann", "bob"):
        table.happens("entry", name)
    stacks = [{"player": ann, "chips": 7_500}, {"player": bob, "chips": 2_500}]
    ways = table.post("/deals", {"stacks": stacks}, status=200)
    assert [entry["chips"] for entry in ways["icm"]] == [30, 10]
    ended = table.post("/end", {"deal": ways["icm"]})
    assert [entry["net"] for entry in ended["results"]] == [10, -10]
    answer = table.host.delete(f"/api/v1{table.at}/end")
    assert answer.status_code == 204
    assert table.host.get(f"/api/v1{table.at}").json()["results"] == []


def test_only_hosts_can_undo_a_tournament_result_on_a_closed_night() -> None:
    table = Table(a_night())
    for name in ("ann", "bob"):
        table.happens("entry", name)
    table.happens("out", "bob", "ann")
    table.post("/end", {})
    by_hands = Decisions(by_hands=True)
    close_night(table.night, uuid4(), by=table.night.league.created_by, decisions=by_hands)
    at = f"/api/v1{table.at}/end"
    refusal(member(table.night.league, Role.SCOREKEEPER).delete(at), 403)
    assert table.host.delete(at).status_code == 204
    assert audit() == []


def test_all_errors_in_a_tournament_are_reported_together() -> None:
    table = Table(a_night())
    body = {"id": uuid4(), **TOLD, "rebuy_stack": 0, "payouts": [60, 60]}
    answer = post(table.host, f"/nights/{table.night.pk}/tournaments", body)
    problem = refusal(answer, 400)
    assert {each["where"] for each in problem["errors"]} == {"rebuy", "payouts"}
    half = {"id": uuid4(), "kind": "seat", "player": player(table.night, "ann").pk, "table": 1}
    refusal(post(table.host, table.at + "/events", half), 400)
    twice = [{"player": player(table.night, "ann").pk, "chips": 5}] * 2
    refusal(post(table.host, table.at + "/deals", {"stacks": twice}), 400)

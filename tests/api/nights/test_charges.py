"""nights/{id}/charges and side-bets: a season's valid and invalid side bets."""

from uuid import uuid4

import pytest
from django.test import Client

from league.models import Charge, Hand, Membership, Night, Role
from tests.helpers.api.clients import ask, reported_errors
from tests.helpers.league.leagues import a_league, a_night, a_user, player
from tests.helpers.league.nights import chosen, closed, dealt
from tests.helpers.league.side_bets import a_season_with, bad_beat, ended, everyone_folds_to

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    return Client()


def host_of(night: Night, client: Client, role: str = Role.HOST) -> Client:
    user = a_user()
    Membership.objects.create(league=night.league, user=user, role=role)
    client.force_login(user)
    return client


def test_season_side_bet_is_charged_as_offered(client: Client) -> None:
    first, last = a_season_with(bad_beat())
    last, host = ended(last), host_of(last, client)
    at = f"/api/v1/nights/{last.pk}"
    results = host.get(f"{at}/side-bets").json()["results"]
    charges = [each["charge"] for each in results]
    [bet] = [each for each in charges if each["kind"] == "season-high-hand"]
    assert bet["hand"] == str(Hand.objects.get(night=first).pk)
    answer = ask(host, "post", f"{at}/charges", bet)
    assert (answer.status_code, answer.json()["fund"]) == (201, -10)
    assert ask(host, "post", f"{at}/charges", bet).status_code == 200
    assert Charge.objects.filter(kind="season-high-hand").count() == 1


def test_stand_up_round_is_charged_as_offered(client: Client) -> None:
    night = chosen(a_night(), stand_up=5, bomb_pot_every=3)
    scorekeeper, at = host_of(night, client, Role.SCOREKEEPER), f"/api/v1/nights/{night.pk}"
    ids = {name: str(player(night, name).pk) for name in ("ann", "bob", "cat", "dan")}

    def side_games() -> tuple[list[str], bool]:
        games = scorekeeper.get(at).json()["side_games"]
        return games["standing_players"], games["bomb_pot_next"]

    assert side_games() == ([*ids.values()], False)
    for name in ("ann", "bob"):
        dealt(night, everyone_folds_to(name))
    assert side_games() == ([ids["cat"], ids["dan"]], True)
    dealt(night, everyone_folds_to("cat"))
    assert side_games() == ([*ids.values()], False)
    [bet] = scorekeeper.get(f"{at}/side-bets").json()["results"]
    assert bet["text"] == "Stand-up game: dan pays 5 to each of the others."
    shares = {
        each["player"]: each["credited"] - each["charged"] for each in bet["charge"]["shares"]
    }
    assert shares == {
        ids[name]: chips for name, chips in (("ann", 5), ("bob", 5), ("cat", 5), ("dan", -15))
    }
    forged = {**bet["charge"], "id": str(uuid4())}
    assert ask(scorekeeper, "post", f"{at}/charges", forged).status_code == 400
    for status in (201, 200):
        answer = ask(scorekeeper, "post", f"{at}/charges", bet["charge"])
        assert (answer.status_code, answer.json()["kind"]) == (status, "stand-up")
    assert scorekeeper.get(f"{at}/side-bets").json()["results"] == []
    closed(night)  # only hosts charge a closed night, but a repeated request changes nothing
    assert ask(scorekeeper, "post", f"{at}/charges", bet["charge"]).status_code == 200
    new = bet["charge"] | {"id": str(uuid4()), "kind": "tip"}
    assert ask(scorekeeper, "post", f"{at}/charges", new).status_code == 403


def test_hand_from_another_night_or_league_cannot_win_a_side_bet(client: Client) -> None:
    first, last = a_season_with(bad_beat())
    host = host_of(last, client)
    elsewhere = dealt(a_night(a_league()), bad_beat())
    shares = [{"player": str(player(first, "ann").pk), "credited": 1}]
    keeper = str(player(first, "cat").pk)
    for kind, hand in (
        ("bad-beat", Hand.objects.get(night=first)),
        ("bad-beat", elsewhere),
        ("season-high-hand", elsewhere),
    ):
        body = {
            "id": str(uuid4()),
            "kind": kind,
            "shares": shares,
            "fund": -1,
            "fund_keeper": keeper,
        }
        answer = ask(
            host, "post", f"/api/v1/nights/{last.pk}/charges", {**body, "hand": str(hand.pk)}
        )
        assert answer.status_code == 400, answer.content
        assert {each["code"] for each in answer.json()["errors"]} == {"unknown-hand"}


def test_only_hosts_can_pay_a_prize_from_the_fund(client: Client) -> None:
    """As on the page, a scorekeeper may record other charges and payments into the fund."""
    _, last = a_season_with(bad_beat())
    at = f"/api/v1/nights/{last.pk}/charges"
    ann, cat = (str(player(last, name).pk) for name in ("ann", "cat"))
    shares = [{"player": ann, "credited": 1}]
    prize = {"id": str(uuid4()), "kind": "prize", "shares": shares, "fund": -1, "fund_keeper": cat}
    scorekeeper = host_of(last, client, Role.SCOREKEEPER)
    assert ask(scorekeeper, "post", at, prize).status_code == 403
    into = [{"player": ann, "charged": 2}]
    kept = {**prize, "id": str(uuid4()), "kind": "fund", "shares": into, "fund": 2}
    assert ask(scorekeeper, "post", at, kept).status_code == 201
    assert ask(host_of(last, Client()), "post", at, prize).status_code == 201


def test_starting_cash_and_the_counted_box_are_settled_with_the_night(client: Client) -> None:
    night = a_night()
    host, at = host_of(night, client), f"/api/v1/nights/{night.pk}"
    ann, bob = (str(player(night, name).pk) for name in ("ann", "bob"))
    brought = {
        "id": str(uuid4()),
        "kind": "starting-cash",
        "shares": [{"player": bob, "credited": 120}],
    }
    keeper = host_of(night, Client(), Role.SCOREKEEPER)
    assert ask(keeper, "post", f"{at}/charges", brought).status_code == 403
    for status in (201, 200):
        answer = ask(host, "post", f"{at}/charges", brought)
        assert answer.status_code == status
    shares = {each["player_name"]: each["charged"] for each in answer.json()["shares"]}
    assert shares == {"bob": 0, "Cash box": 120}
    assert host.get(at).json()["cash_box"] == 120
    forged = brought | {"id": str(uuid4()), "kind": "cash-count"}
    assert reported_errors(ask(host, "post", f"{at}/charges", forged)) == [("kind", "bad-kind")]
    body = {"id": str(uuid4()), "by_hands": True, "cash_counted": 115, "cash_expected": 120}
    for path in ("closing/check", "closing"):
        sent = {key: body[key] for key in body if key != "id" or path == "closing"}
        refused = ask(host, "post", f"{at}/{path}", sent)
        assert reported_errors(refused) == [("charge_cash_difference_to", "box-differs")]
    decided = body | {"charge_cash_difference_to": [ann]}
    assert ask(keeper, "post", f"{at}/closing", decided).status_code == 403
    closing = ask(host, "post", f"{at}/closing", decided).json()
    assert (closing["cash_box"], host.get(at).json()["cash_box"]) == (115, 115)
    plan = host.get(f"/api/v1/payment-plans/{closing['payment_plan']}").json()
    payments = {
        (each["payer_name"], each["payee_name"], each["chips"]) for each in plan["planned_payments"]
    }
    assert payments == {("Cash box", "bob", 115), ("ann", "bob", 5)}
    charge = host.get(f"{at}/charges").json()["results"][0]
    assert ask(host, "post", f"{at}/charges/{charge['id']}/void").status_code == 400

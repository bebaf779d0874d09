"""Permissions to charge players through pages, the API and tokens.

`league.charges.requests` checks them. The rules are in `docs/threats.md`: only hosts take chips out
of the fund, side bets are charged as computed, tournament results are charged by finishing the
tournament, the league chooses the fund keeper, and charges above the league's limit wait for the
charged player.
"""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.charges.charging import NewCharge, Share, charge, fund_of
from league.models import Charge, ChipRequest, Night, Player, Role, Scope
from league.nights.opening import open_night
from league.people.api_keys import make_token
from league.people.leagues import add_member, make_league
from league.people.members import change_role
from tests.helpers.league.leagues import a_night, a_user, player
from tests.helpers.league.nights import chosen, closed, dealt, tabs
from tests.helpers.league.pages import html
from tests.helpers.league.side_bets import bad_beat, bets, with_seven_deuce
from tests.helpers.league.tournaments import play_tournament
from tests.helpers.security.browsers import joined, post, someone

pytestmark = pytest.mark.django_db
Kind = Charge.Kind
LIMIT = 20


@pytest.fixture
def night() -> Night:
    """A night in a league with side bets and a fund of 60 chips that cat keeps."""
    night = a_night()
    keeper, ann = player(night, "cat"), player(night, "ann")
    night = chosen(
        night, fund_keeper=keeper, fund_each=3, seven_deuce=5, bad_beat=9, charge_limit=LIMIT
    )
    paid = NewCharge(kind=Kind.FUND, shares={ann: Share(owes=60)}, fund=60, keeper=keeper)
    charge(night, paid, charge_id=uuid4(), by=None)
    return night


@pytest.fixture
def bob(night: Night) -> Player:
    return player(night, "bob")


def program(night: Night, scope: Scope) -> Client:
    """Return a client that uses a host's token."""
    host = a_user()
    add_member(night.league, host, Role.HOST)
    _, text = make_token(night.league, host, "program", scope)
    return Client(headers={"Authorization": f"Bearer {text}"})


def send(client: Client, night: Night, kind: str, **body: Any) -> Any:
    body = {"id": str(uuid4()), "kind": kind, "title": "Pizza", **body}
    return post(client, f"nights/{night.pk}/charges", **body)


def gets(who: Player, chips: int) -> dict[str, Any]:
    return {"player": str(who.pk), "credited": chips}


def owes(who: Player, chips: int) -> dict[str, Any]:
    return {"player": str(who.pk), "charged": chips}


def tap(client: Client, address: str) -> Any:
    return client.post(address, {}, content_type="application/json")


def books(night: Night) -> tuple[dict[str, int], int, int]:
    return tabs(night.league), fund_of(night), Charge.objects.count()


@pytest.mark.parametrize("kind", Kind.values)
def test_only_hosts_can_take_chips_out_of_the_fund(kind: str, night: Night, bob: Player) -> None:
    """A made-up bad beat, sent with a recording token, could empty the fund."""
    before, keeper = books(night), str(player(night, "cat").pk)
    taken = {"shares": [gets(bob, 60)], "fund": -60, "fund_keeper": keeper}
    for client in (someone(night, Role.SCOREKEEPER), program(night, Scope.RECORD)):
        assert send(client, night, kind, **taken).status_code == 403
    assert books(night) == before
    allowed = kind in {Kind.PRIZE, Kind.FUND}
    for client in (someone(night, Role.HOST), program(night, Scope.MANAGE)):
        answer = send(client, night, kind, **taken | {"shares": [gets(bob, 5)], "fund": -5})
        assert answer.status_code == (201 if allowed else 400)


def test_side_bets_are_charged_as_computed(night: Night, bob: Player) -> None:
    dealt(night, with_seven_deuce())
    scorekeeper, host = someone(night, Role.SCOREKEEPER), someone(night, Role.HOST)
    at = f"/api/v1/nights/{night.pk}/side-bets"
    charges = [each["charge"] for each in host.get(at).json()["results"]]
    [bet] = [each for each in charges if each["kind"] == "bounty"]
    before, ann = books(night), player(night, "ann")
    forged = [
        {"shares": [gets(bob, 10), owes(ann, 10)]},
        {"id": str(uuid4())},
        {"kind": "high-hand"},
        {"hand": None},
        {"title": "Something else"},
    ]
    for change in forged:
        for client in (scorekeeper, host):
            answer = post(client, f"nights/{night.pk}/charges", **bet | change)
            assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "not-won")
    assert books(night) == before
    for status in (201, 200):
        assert post(scorekeeper, f"nights/{night.pk}/charges", **bet).status_code == status
    assert Charge.objects.filter(kind=Kind.BOUNTY).count() == 1


def test_only_hosts_can_confirm_side_bets_paid_by_the_fund(night: Night) -> None:
    dealt(night, bad_beat())
    [bet] = [each for each in bets(night) if each.new_charge.kind == Kind.BAD_BEAT]
    at, before = f"/nights/{night.pk}/charges/bets/{bet.id}", books(night)
    for client in (someone(night, Role.SCOREKEEPER), joined(night, "bob")):
        assert at not in html(client.get(f"/nights/{night.pk}/charges"))
        assert client.post(at).status_code == 403
    assert books(night) == before
    assert someone(night, Role.HOST).post(at).status_code == 302
    assert fund_of(night) == 60 - 9


def test_tournament_results_cannot_be_charged_directly(night: Night, bob: Player) -> None:
    ann = player(night, "ann")
    shares = [gets(bob, 9) | {"place": 1}, owes(ann, 9) | {"place": 2}]
    before = books(night)
    for client in (someone(night, Role.SCOREKEEPER), someone(night, Role.HOST)):
        assert send(client, night, "tournament", shares=shares).status_code == 400
    assert books(night) == before


def test_only_the_leagues_fund_keeper_can_keep_the_fund(night: Night, bob: Player) -> None:
    """With a different keeper, the wrong player's tab would owe the money."""
    host, before = someone(night, Role.HOST), books(night)
    ann = player(night, "ann")
    for kind, share, fund in (("prize", gets(ann, 5), -5), ("fund", owes(ann, 5), 5)):
        sent = {"shares": [share], "fund": fund}
        answer = send(host, night, kind, **sent, fund_keeper=str(bob.pk))
        assert [error["code"] for error in answer.json()["errors"]] == ["bad-keeper"]
        assert books(night) == before
        answer = send(host, night, kind, **sent)
        assert (answer.status_code, answer.json()["fund_keeper"]) == (
            201,
            str(player(night, "cat").pk),
        )
        before = books(night)
    chosen(night, fund_keeper=None, fund_each=0, bad_beat=0)
    answer = send(host, night, "prize", shares=[gets(ann, 5)], fund=-5)
    assert [error["code"] for error in answer.json()["errors"]] == ["no-keeper"]


@pytest.mark.parametrize("kind", ["cost", "tip", "fund"])
def test_charge_above_the_limit_waits_for_the_charged_player(
    kind: str, night: Night, bob: Player
) -> None:
    ann, before = player(night, "ann"), books(night)
    to = {"fund": LIMIT + 1} if kind == "fund" else {}
    shares = (
        [owes(bob, LIMIT + 1)] if kind == "fund" else [gets(ann, LIMIT + 1), owes(bob, LIMIT + 1)]
    )
    body = {"id": str(uuid4()), "shares": shares, **to}
    program_that_records = program(night, Scope.RECORD)
    for _ in range(2):
        answer = send(program_that_records, night, kind, **body)
        [request] = answer.json()["results"]
        assert (answer.status_code, request["state"]) == (202, "waiting")
        assert (request["charged_to"], request["charge"]) == (str(bob.pk), body["id"])
    assert books(night) == before
    for client in (joined(night, "ann"), someone(night, Role.SCOREKEEPER)):
        assert tap(client, request["accept"]).status_code == 403
    bobs = joined(night, "bob")
    page = html(bobs.get(f"/nights/{night.pk}"))
    assert "Charge bob 0.21 USD for Pizza?" in page
    accepted = tap(bobs, request["accept"])
    assert (accepted.status_code, accepted.json()["state"]) == (200, "accepted")
    assert tabs(night.league)["bob"] == before[0].get("bob", 0) - LIMIT - 1
    assert Charge.objects.get(pk=body["id"]).kind == kind
    assert send(program_that_records, night, kind, **body).status_code == 200
    assert Charge.objects.count() == before[2] + 1


def test_charge_is_made_once_all_charged_players_accept(night: Night, bob: Player) -> None:
    ann, cat = player(night, "ann"), player(night, "cat")
    shares = [gets(ann, 60), owes(bob, 30), owes(cat, 30)]
    body = {"id": str(uuid4()), "shares": shares}
    first, second = send(someone(night, Role.SCOREKEEPER), night, "cost", **body).json()["results"]
    host = someone(night, Role.HOST)
    assert tap(host, first["accept"]).status_code == 200
    assert not Charge.objects.filter(pk=body["id"]).exists()
    assert tap(host, second["accept"]).status_code == 200
    assert Charge.objects.filter(pk=body["id"]).exists()


def test_declining_one_request_ends_all_requests_for_the_charge(night: Night, bob: Player) -> None:
    ann, cat = player(night, "ann"), player(night, "cat")
    body = {"id": str(uuid4()), "shares": [gets(ann, 60), owes(bob, 30), owes(cat, 30)]}
    scorekeeper, host = someone(night, Role.SCOREKEEPER), someone(night, Role.HOST)
    first, second = send(scorekeeper, night, "cost", **body).json()["results"]
    assert tap(host, first["decline"]).status_code == 200
    assert tap(host, second["accept"]).status_code == 400
    assert send(scorekeeper, night, "cost", **body).status_code == 409
    changed = [gets(ann, 50), owes(bob, 25), owes(cat, 25)]
    assert send(scorekeeper, night, "cost", **body | {"shares": changed}).status_code == 409
    assert not Charge.objects.filter(pk=body["id"]).exists()


def test_small_charges_on_one_day_are_added_up_for_the_limit(night: Night, bob: Player) -> None:
    """The limit covers all nights in the league, because the same users may open more nights."""
    ann, scorekeeper = player(night, "ann"), someone(night, Role.SCOREKEEPER)
    twelve = {"shares": [gets(ann, 12), owes(bob, 12)]}
    assert send(scorekeeper, night, "cost", **twelve).status_code == 201
    another = open_night(night.league, night_id=uuid4(), players=[ann, bob])
    assert send(scorekeeper, another, "cost", **twelve).status_code == 202
    assert send(someone(night, Role.HOST), night, "cost", **twelve).status_code == 201
    eight = {"shares": [gets(ann, 8), owes(bob, 8)]}
    assert send(scorekeeper, night, "cost", **eight).status_code == 201


def test_players_and_hosts_can_charge_above_the_limit_without_consent(
    night: Night, bob: Player
) -> None:
    ann, phone = player(night, "ann"), joined(night, "bob")
    change_role(night.league.memberships.get(user__players=bob), Role.SCOREKEEPER, by=None)
    for client, who, other in ((phone, bob, ann), (someone(night, Role.HOST), ann, bob)):
        shares = [owes(who, 500), gets(other, 500)]
        assert send(client, night, "tip", shares=shares).status_code == 201


def test_charge_a_scorekeeper_makes_on_the_page_waits_for_consent(
    night: Night, bob: Player
) -> None:
    form = {"key": str(uuid4()), "kind": "cost", "title": "Pizza", "amount": "0.50"}
    form |= {"payer": str(player(night, "ann").pk), f"parts-{bob.pk}": "1"}
    at, before = f"/nights/{night.pk}/charges/costs", books(night)
    page = html(someone(night, Role.SCOREKEEPER).post(at, form, follow=True))
    assert "Waiting for bob or a host to accept." in page
    assert books(night) == before
    assert ChipRequest.objects.get().charged == bob


def test_undoing_a_charge_requires_the_same_permission_as_making_it(
    night: Night, bob: Player
) -> None:
    """Undoing a payment into the fund takes chips out of the fund, so it requires a host."""
    ann, keeper = player(night, "ann"), player(night, "cat")
    shares = {bob: Share(gets=LIMIT + 1), ann: Share(owes=LIMIT + 1)}
    large = charge(night, NewCharge(kind=Kind.TIP, shares=shares), charge_id=uuid4(), by=None)
    paid = NewCharge(kind=Kind.FUND, shares={ann: Share(owes=4)}, fund=4, keeper=keeper)
    into_fund = charge(night, paid, charge_id=uuid4(), by=None)
    shares = {bob: Share(gets=LIMIT), ann: Share(owes=LIMIT)}
    small = charge(night, NewCharge(kind=Kind.TIP, shares=shares), charge_id=uuid4(), by=None)
    scorekeeper, host = someone(night, Role.SCOREKEEPER), someone(night, Role.HOST)
    page, listed = html(scorekeeper.get(f"/nights/{night.pk}/charges")), []
    for done, status in ((large, 403), (into_fund, 403), (small, 200)):
        listed.append(f"/charges/{done.pk}/undo" in page)
        api, at = f"nights/{night.pk}/charges/{done.pk}/void", f"/nights/{night.pk}/charges"
        assert post(scorekeeper, api).status_code == status
        expected = 302 if status == 200 else status
        assert scorekeeper.post(f"{at}/{done.pk}/undo").status_code == expected
        assert post(host, api).status_code == 200
    assert listed == [False, False, True]


def test_tournament_results_are_undone_only_by_reopening_the_tournament(night: Night) -> None:
    """The page hid "Undo charge", but its address and the API undid a closed night's result."""
    play_tournament(night, "ann", "bob")
    closed(night)
    result = Charge.objects.get(kind=Kind.TOURNAMENT)
    host, before = someone(night, Role.HOST), books(night)
    page = host.post(f"/nights/{night.pk}/charges/{result.pk}/undo", follow=True)
    assert "Reopen the tournament to undo its result." in html(page)
    answer = post(host, f"nights/{night.pk}/charges/{result.pk}/void")
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "of-tournament")
    assert books(night) == before
    end = f"/api/v1/nights/{night.pk}/tournaments/{result.tournament.pk}/end"
    assert host.delete(end).status_code == 204
    assert not Charge.objects.filter(pk=result.pk, posting__reversal=None).exists()


def test_default_charge_limit_is_the_same_amount_of_money_for_every_chip_value() -> None:
    """The default is 20 in a currency with cents, which is four chips of 5.00."""
    host = a_user()
    assert [
        make_league(host, "Friday", chip_value=worth).charge_limit
        for worth in (1, 25, 500, 100_000)
    ] == [2_000, 80, 4, 1]

"""The charged player or a host confirms a charge, through the API or the pages."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from league.closing import chip_requests
from league.closing.cash_outs import Terms, cash_out
from league.closing.chip_count import count
from league.closing.close import Decisions, close_night
from league.common.errors import IdReusedError, NightClosedError, RefusedError
from league.models import (
    BuyIn,
    CashOut,
    ChipCount,
    ChipRequest,
    Membership,
    Night,
    Player,
    Role,
    Scope,
    User,
)
from league.nights.buy_ins import buy_in
from league.nights.nights import stacks
from league.pages.nights.chip_requests import chip_requests as shown
from league.people.api_keys import make_token
from league.people.members import change_role
from tests.helpers.api.clients import refusal
from tests.helpers.league.leagues import a_night, player
from tests.helpers.league.nights import again, tabs
from tests.helpers.league.pages import html
from tests.helpers.security.browsers import bought, joined, post, someone

pytestmark = pytest.mark.django_db
SOLD = ("buy-ins", "cash-outs")
ROWS: dict[str, Any] = {"buy-ins": BuyIn, "cash-outs": CashOut}


@pytest.fixture
def night() -> Night:
    return a_night()


@pytest.fixture
def ann(night: Night) -> Player:
    return player(night, "ann")


@pytest.fixture
def bob(night: Night) -> Player:
    return player(night, "bob")


def over_the_counter(client: Client, night: Night, kind: str, **body: Any) -> HttpResponse:
    return post(client, f"nights/{night.pk}/{kind}", **body)


def books(night: Night) -> tuple[dict[str, int], dict[UUID, int]]:
    return tabs(night.league), stacks(night)


@pytest.mark.parametrize("kind", SOLD)
def test_banker_is_not_charged_without_consent(
    kind: str, night: Night, ann: Player, bob: Player
) -> None:
    before, phone, body = books(night), joined(night, "bob"), bought(night, bob, 5, banker=ann)
    for _ in range(2):
        answer = over_the_counter(phone, night, kind, **body)
        request = answer.json()
        assert (answer.status_code, request["state"], request["id"]) == (202, "waiting", body["id"])
    assert request["charged_to"] == str(ann.pk)
    assert books(night) == before
    assert not ROWS[kind].objects.filter(pk=body["id"]).exists()
    accepted = joined(night, "ann").post(request["accept"], content_type="application/json")
    assert (accepted.status_code, accepted.json()["state"]) == (200, "accepted")
    done = ROWS[kind].objects.get(pk=body["id"])
    assert (done.banker, done.player, done.chips) == (ann, bob, 5)
    sign = 1 if kind == "buy-ins" else -1
    assert stacks(night)[bob.pk] == before[1][bob.pk] + 5 * sign
    assert tabs(night.league)["ann"] == before[0]["ann"] - 5 * sign
    sent_again = over_the_counter(phone, night, kind, **body)
    assert (sent_again.status_code, sent_again.json()["id"]) == (200, body["id"])


@pytest.mark.parametrize("kind", SOLD)
def test_buy_in_on_another_players_tab_waits_for_consent(
    kind: str, night: Night, ann: Player, bob: Player
) -> None:
    phone, before = joined(night, "bob"), books(night)
    answer = over_the_counter(phone, night, kind, **bought(night, ann, 5))
    assert (answer.status_code, answer.json()["charged_to"]) == (202, str(ann.pk))
    # Naming yourself as the banker does not help. Neither does sending two requests at once.
    himself = over_the_counter(phone, night, kind, **bought(night, ann, 5, banker=bob))
    assert (himself.status_code, himself.json()["charged_to"]) == (202, str(ann.pk))
    cat = player(night, "cat")
    two = over_the_counter(phone, night, kind, **bought(night, ann, 5, banker=cat))
    assert two.status_code == 403
    assert books(night) == before


@pytest.mark.parametrize("kind", SOLD)
def test_requests_from_the_charged_player_or_a_host_take_effect_immediately(
    kind: str, night: Night, ann: Player, bob: Player
) -> None:
    host, phone = someone(night, Role.HOST), joined(night, "bob")
    own = over_the_counter(phone, night, kind, **bought(night, bob, 5))
    cash = over_the_counter(host, night, kind, **bought(night, bob, 5, banker=ann))
    assert (own.status_code, cash.status_code) == (201, 201)
    assert not ChipRequest.objects.exists()


@pytest.mark.parametrize("kind", SOLD)
def test_scorekeeper_buy_in_with_a_banker_waits_for_consent(
    kind: str, night: Night, ann: Player, bob: Player
) -> None:
    keeper = someone(night, Role.SCOREKEEPER)
    tab = over_the_counter(keeper, night, kind, **bought(night, bob, 5))
    cash = over_the_counter(keeper, night, kind, **bought(night, bob, 5, banker=ann))
    assert (tab.status_code, cash.status_code) == (201, 202)
    assert cash.json()["charged_to"] == str(ann.pk)


def test_scorekeeper_cannot_be_the_banker_for_another_players_cash_out(
    night: Night, ann: Player, bob: Player
) -> None:
    """As the banker of a cash-out, a scorekeeper would get a player's chips without consent."""
    keeper, before = joined(night, "ann"), books(night)
    change_role(Membership.objects.get(user__players=ann), Role.SCOREKEEPER)
    out = over_the_counter(keeper, night, "cash-outs", **bought(night, bob, 5, banker=ann))
    assert (out.status_code, out.json()["charged_to"]) == (202, str(bob.pk))
    assert books(night) == before
    sold = over_the_counter(keeper, night, "buy-ins", **bought(night, bob, 5, banker=ann))
    assert sold.status_code == 201  # this adds to the scorekeeper's own tab


def test_viewer_cannot_act_for_any_player(night: Night, ann: Player, bob: Player) -> None:
    """A viewer's invitation may name a player, and a demoted phone keeps its player."""
    before = books(night)
    phone = joined(night, "bob")
    assert over_the_counter(phone, night, "buy-ins", **bought(night, bob, 1)).status_code == 201
    change_role(Membership.objects.get(user__players=bob), Role.VIEWER)
    for who, more in ((bob, {}), (ann, {}), (bob, {"banker": ann}), (ann, {"banker": bob})):
        for kind in SOLD:
            answer = over_the_counter(phone, night, kind, **bought(night, who, 1, **more))
            assert answer.status_code == 403, (kind, who, more)
    counted = bought(night, bob, 5)
    assert post(phone, f"nights/{night.pk}/chip-counts", **counted).status_code == 403
    assert post(phone, f"nights/{night.pk}/seats", player=bob).status_code == 403
    form = {"key": str(uuid4()), "player": str(bob.pk), "chips": "1"}
    for page in ("buy-ins", "seats", "leave", "count", "count/check"):
        assert phone.post(f"/nights/{night.pk}/{page}", form).status_code == 403, page
    text = html(phone.get(f"/nights/{night.pk}"))
    assert f"/nights/{night.pk}/count" not in text
    assert f"/nights/{night.pk}/buy-ins" not in text
    assert books(night)[1][bob.pk] == before[1][bob.pk] + 1


def test_only_the_charged_player_or_a_host_can_decide_a_request(
    night: Night, ann: Player, bob: Player
) -> None:
    phone = joined(night, "bob")
    body = over_the_counter(phone, night, "buy-ins", **bought(night, bob, 5, banker=ann)).json()
    foreign = a_night()
    others = [phone, joined(night, "cat"), someone(night, Role.SCOREKEEPER)]
    others += [someone(night, Role.VIEWER)]
    for name in ("accept", "decline"):
        page = body[name].replace("/api/v1", "").replace("chip-requests", "requests")
        for client in others:
            assert client.post(body[name]).status_code == 403
            assert client.post(page).status_code == 403
        for client in (joined(foreign, "ann"), someone(foreign, Role.HOST)):
            assert client.post(body[name]).status_code == 404
            assert client.post(page).status_code == 404
            foreign = a_night()
    assert ChipRequest.objects.get().state == "waiting"
    host = someone(night, Role.HOST)
    assert host.post(body["accept"], content_type="application/json").status_code == 200
    assert BuyIn.objects.filter(pk=body["id"]).exists()


def test_read_token_cannot_decide_a_request(night: Night, ann: Player, bob: Player) -> None:
    joined(night, "ann")
    ann.refresh_from_db()
    assert ann.user
    phone = joined(night, "bob")
    body = over_the_counter(phone, night, "buy-ins", **bought(night, bob, 5, banker=ann)).json()
    for scope, status in ((Scope.READ, 403), (Scope.RECORD, 200)):
        _, text = make_token(night.league, ann.user, "program", scope)
        client = Client(headers={"Authorization": f"Bearer {text}"})
        answer = client.post(body["accept"], {}, content_type="application/json")
        assert answer.status_code == status


def test_refused_or_withdrawn_request_moves_no_chips(
    night: Night, ann: Player, bob: Player
) -> None:
    bobs, anns = joined(night, "bob"), joined(night, "ann")
    before = books(night)
    for who, how, state in ((anns, "decline", "declined"), (bobs, "withdraw", "withdrawn")):
        body = bought(night, bob, 5, banker=ann)
        request = over_the_counter(bobs, night, "buy-ins", **body).json()
        for _ in range(2):
            assert who.post(request[how]).json()["state"] == state
        late = anns.post(request["accept"], {}, content_type="application/json")
        assert late.status_code == 400
        sent_again = over_the_counter(bobs, night, "buy-ins", **body)
        problem = refusal(sent_again, 409)
        assert problem["type"] == "/api/problems/request-declined"
        assert state in problem["detail"]
    assert anns.post(request["withdraw"]).status_code == 403
    assert books(night) == before


def test_waiting_requests_end_when_the_night_closes(night: Night, ann: Player, bob: Player) -> None:
    phone, anns = joined(night, "bob"), joined(night, "ann")
    body = over_the_counter(phone, night, "buy-ins", **bought(night, bob, 5, banker=ann)).json()
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    answer = anns.post(body["accept"], {}, content_type="application/json")
    assert answer.status_code in (400, 409)
    assert ChipRequest.objects.get().state == "ended"
    assert not BuyIn.objects.filter(pk=body["id"]).exists()


def test_request_id_cannot_be_reused_for_a_different_action_or_night(
    night: Night, ann: Player, bob: Player
) -> None:
    phone = joined(night, "bob")
    body = bought(night, bob, 5, banker=ann)
    over_the_counter(phone, night, "buy-ins", **body)
    assert over_the_counter(phone, night, "buy-ins", **body | {"chips": 6}).status_code == 409
    assert over_the_counter(phone, night, "cash-outs", **body).status_code == 409
    other = a_night()
    there = bought(other, player(other, "bob"), 5) | {"id": body["id"]}
    assert over_the_counter(joined(other, "ann"), other, "buy-ins", **there).status_code == 409


def test_host_can_confirm_a_waiting_request_by_repeating_it(
    night: Night, ann: Player, bob: Player
) -> None:
    body = bought(night, bob, 5, banker=ann)
    over_the_counter(joined(night, "bob"), night, "buy-ins", **body)
    sent = over_the_counter(someone(night, Role.HOST), night, "buy-ins", **body)
    assert sent.status_code == 201
    assert ChipRequest.objects.get().state == "accepted"


def test_number_of_waiting_requests_per_player_is_limited(
    night: Night, ann: Player, bob: Player
) -> None:
    phone = joined(night, "bob")
    statuses = [
        over_the_counter(phone, night, "buy-ins", **bought(night, bob, 5, banker=ann))
        for _ in range(chip_requests.MOST_WAITING + 1)
    ]
    assert [each.status_code for each in statuses] == [202] * chip_requests.MOST_WAITING + [400]


# Cash-outs up to the stack


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SCOREKEEPER])
@pytest.mark.parametrize("leaves", [False, True])
def test_cash_out_cannot_exceed_the_stack(
    role: Role, leaves: bool, night: Night, bob: Player
) -> None:
    phone = joined(night, "bob") if role == Role.PLAYER else someone(night, role)
    body = bought(night, bob, 101, leaves=leaves)
    answer = over_the_counter(phone, night, "cash-outs", **body)
    [wrong] = answer.json()["errors"]
    assert (answer.status_code, wrong["code"], wrong["where"]) == (400, "beyond-stack", "chips")
    assert "100" in wrong["text"]
    response = over_the_counter(phone, night, "cash-outs", **body | {"beyond_stack": True})
    assert response.status_code == 403
    assert not CashOut.objects.exists()


def test_host_can_cash_out_more_than_the_stack(night: Night, bob: Player) -> None:
    host = someone(night, Role.HOST)
    body = bought(night, bob, 101)
    assert over_the_counter(host, night, "cash-outs", **body).status_code == 400
    response = over_the_counter(host, night, "cash-outs", **body | {"beyond_stack": True})
    assert response.status_code == 201
    assert stacks(night)[bob.pk] == -1


def test_only_a_host_can_accept_a_request_above_the_current_stack(
    night: Night, ann: Player, bob: Player
) -> None:
    phone, anns = joined(night, "bob"), joined(night, "ann")
    body = over_the_counter(phone, night, "cash-outs", **bought(night, bob, 60, banker=ann)).json()
    assert over_the_counter(phone, night, "cash-outs", **bought(night, bob, 60)).status_code == 201
    late = anns.post(body["accept"], {}, content_type="application/json")
    assert [each["code"] for each in late.json()["errors"]] == ["beyond-stack"]
    consent = {"beyond_stack": True}
    assert anns.post(body["accept"], consent, content_type="application/json").status_code == 403
    host = someone(night, Role.HOST)
    assert host.post(body["accept"], consent, content_type="application/json").status_code == 200


def test_player_cannot_cash_out_another_player_for_zero_chips(night: Night, ann: Player) -> None:
    """Cashing out zero chips would record a count of zero and free the seat."""
    phone = joined(night, "bob")
    answer = over_the_counter(phone, night, "cash-outs", **bought(night, ann, 0, leaves=True))
    assert answer.status_code == 400
    assert not ChipCount.objects.exists()
    assert night.seats.filter(player=ann, left_at=None).exists()


# Indirect charges


def test_only_its_banker_or_a_host_can_undo_a_cash_out(
    night: Night, ann: Player, bob: Player
) -> None:
    """Undoing a cash-out takes the chips from the banker's tab again."""
    paid = cash_out(night, bob, 5, cash_out_id=uuid4(), by=None, terms=Terms(banker=ann))
    api, page = f"cash-outs/{paid.pk}/void", f"counter/{paid.pk}/undo"
    for client in (someone(night, Role.SCOREKEEPER), joined(night, "bob")):
        assert post(client, f"nights/{night.pk}/{api}").status_code == 403
        assert client.post(f"/nights/{night.pk}/{page}").status_code == 403
    assert post(joined(night, "ann"), f"nights/{night.pk}/{api}").status_code == 200


def test_host_decides_who_bears_missing_chips(night: Night, ann: Player, bob: Player) -> None:
    """Otherwise a scorekeeper could undercount others' chips and be credited with them."""
    for item, chips in zip(night.league.players.order_by("name"), (90, 100, 100, 100), strict=True):
        count(night, item, chips, count_id=uuid4(), by=None)
    keeper = someone(night, Role.SCOREKEEPER)
    body = {"id": str(uuid4()), "charge_difference_to": [str(bob.pk)]}
    at = f"nights/{night.pk}/closing"
    for path in (at, f"{at}/check"):
        sent = {key: item for key, item in body.items() if key != "id" or path == at}
        assert post(keeper, path, **sent).status_code == 403
    form = {"key": str(uuid4()), "bears": str(bob.pk), "missing": "10"}
    assert keeper.post(f"/nights/{night.pk}/close", form).status_code == 400
    assert again(night).state == "open"
    host = someone(night, Role.HOST)
    assert post(host, at, **body).status_code == 201


# Requests on pages


def test_banker_can_accept_a_request_on_the_page(night: Night, ann: Player, bob: Player) -> None:
    bobs, anns, host = joined(night, "bob"), joined(night, "ann"), someone(night, Role.HOST)
    form = {"player": bob.pk, "chips": "5", "banker": ann.pk, "key": str(uuid4())}
    before = again(night).version
    text = html(bobs.post(f"/nights/{night.pk}/buy-ins", form, follow=True))
    assert "Waiting for ann or a host." in text
    assert "bob wants to buy 5 chips, cash to ann" in text
    assert again(night).version > before  # all polling phones will render the page again
    assert not BuyIn.objects.filter(pk=form["key"]).exists()
    yes = f"/nights/{night.pk}/requests/{form['key']}/accept"
    assert yes not in text
    assert yes not in html(joined(night, "cat").get(f"/nights/{night.pk}"))
    for client in (anns, host):
        assert yes in html(client.get(f"/nights/{night.pk}"))
    assert anns.post(yes).status_code == 302
    assert BuyIn.objects.get(pk=form["key"]).banker == ann
    assert yes not in html(anns.get(f"/nights/{night.pk}"))


@pytest.mark.parametrize(("tap", "state"), [("decline", "refused"), ("withdraw", "withdrawn")])
def test_request_can_be_refused_or_withdrawn_on_the_page(
    tap: str, state: str, night: Night, ann: Player, bob: Player
) -> None:
    bobs, anns = joined(night, "bob"), joined(night, "ann")
    form = {"player": bob.pk, "chips": "5", "banker": ann.pk, "key": str(uuid4())}
    bobs.post(f"/nights/{night.pk}/buy-ins", form)
    client = anns if tap == "decline" else bobs
    assert client.post(f"/nights/{night.pk}/requests/{form['key']}/{tap}").status_code == 302
    # The page shows only the refusal and the current state.
    page = html(bobs.get(f"/nights/{night.pk}"))
    assert ("Declined: bob, 5 chips" in page) == (tap == "decline")
    assert "Waiting for ann or a host" not in page
    assert "Declined: bob" not in html(anns.get(f"/nights/{night.pk}"))
    assert ChipRequest.objects.get().state == state
    assert not BuyIn.objects.filter(pk=form["key"]).exists()


def test_leaving_player_cannot_cash_out_more_than_the_stack_on_the_page(
    night: Night, ann: Player, bob: Player
) -> None:
    bobs, host, at = joined(night, "bob"), someone(night, Role.HOST), f"/nights/{night.pk}/leave"
    form = {"player": bob.pk, "chips": "100", "banker": ann.pk, "key": str(uuid4())}
    bobs.post(at, form)
    assert ChipRequest.objects.get().leaves
    assert stacks(night)[bob.pk] == 100
    more = {"player": bob.pk, "chips": "500", "key": str(uuid4()), "beyond_stack": "on"}
    page = bobs.post(at, more)
    assert (page.status_code, "should have 100; a host can" in html(page)) == (400, True)
    assert host.post(at, more).status_code == 302
    assert stacks(night)[bob.pk] == -400


# The function used by both the pages and the API


def by_ann(night: Night) -> User:
    joined(night, "ann")
    user = player(night, "ann").user
    assert user
    return user


def test_accepting_a_request_twice_moves_the_chips_once(
    night: Night, ann: Player, bob: Player
) -> None:
    by = by_ann(night)
    wanted = chip_requests.Exchange(
        kind="buy-in", id=uuid4(), night=night, player=bob, chips=5, banker=ann
    )
    request = chip_requests.exchange(wanted, by=by, word=ann)
    assert isinstance(request, ChipRequest)
    for _ in range(2):
        chip_requests.accept(request, by=by)
    assert stacks(night)[bob.pk] == 105
    with pytest.raises(RefusedError):
        chip_requests.decline(request, by=by)
    assert shown(by, night, manages=False) == ([], None)


def test_requests_on_a_closed_night_cannot_be_accepted(
    night: Night, ann: Player, bob: Player
) -> None:
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    wanted = chip_requests.Exchange(
        kind="buy-in", id=uuid4(), night=night, player=bob, chips=5, banker=ann
    )
    with pytest.raises(NightClosedError):
        chip_requests.exchange(wanted, by=None, word=ann)


def test_repeating_a_completed_purchase_returns_it(night: Night, ann: Player, bob: Player) -> None:
    key = uuid4()
    done = buy_in(night, bob, 5, buy_in_id=key, by=None, banker=ann)
    wanted = chip_requests.Exchange(
        kind="buy-in", id=key, night=night, player=bob, chips=5, banker=ann
    )
    assert chip_requests.exchange(wanted, by=None, word=ann) == done
    other = chip_requests.Exchange(kind="buy-in", id=key, night=night, player=bob, chips=6)
    with pytest.raises(IdReusedError):
        chip_requests.exchange(other, by=None, word=ann)

"""Every page opens for the users who may see it and for no others."""

from collections.abc import Callable
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import BuyIn, Hand, JoinedAccess, League, Night, Player, Role, User
from league.nights.nights import stacks
from league.recording.record import record_hand
from tests.helpers.api.clients import member, someone
from tests.helpers.league.forms import errors_in
from tests.helpers.league.leagues import a_league, a_night, holdem, player
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db

NAME_10_000 = "n" * 10_000
PASSWORD = "a dealer names the game"


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def test_user_can_sign_in_and_out(client: Client) -> None:
    User.objects.create_user("joel", password=PASSWORD)
    assert client.post("/sign-in", {"username": "joel", "password": "wrong"}).status_code == 200
    signed_in = client.post("/sign-in", {"username": "joel", "password": PASSWORD})
    assert signed_in.headers["Location"] == "/"
    assert client.post("/sign-out").headers["Location"] == "/"
    assert b"Start a league" in client.get("/").content


def test_one_field_adds_several_players_or_none() -> None:
    """Adding seven players used to take fourteen taps, each of which scrolled to the top."""
    league = a_league()
    host, at = member(league, Role.HOST), f"/leagues/{league.pk}/players"
    answer = host.post(at, {"name": "Ann\r\n\r\nBob, Cat\r\n"})
    assert answer.headers["Location"] == f"/leagues/{league.pk}"
    assert set(league.players.values_list("name", flat=True)) == {"Ann", "Bob", "Cat"}
    page = host.post(at, {"name": "Dan\nANN\nbob\nEve"})
    assert [each.partition(":")[0] for each in errors_in(page)] == ["“ANN”", "“bob”"]
    assert "Dan" in html(page)
    assert league.players.count() == 3
    assert list(errors_in(host.post(at, {"name": "\n".join(f"p{n}" for n in range(51))})))


@pytest.mark.parametrize("name", ["", "ANN", NAME_10_000, "a\0b"])
def test_invalid_name_is_shown_next_to_the_field(host: Client, night: Night, name: str) -> None:
    page = host.post(f"/leagues/{night.league.pk}/players", {"name": name})
    assert page.status_code == 400
    assert list(errors_in(page))
    assert Player.objects.count() == 4


def sitting(league: League, **changes: str) -> dict[str, str]:
    form = {"name": "", "usual": "200", "key": str(uuid4())}
    for place, each in enumerate(league.players.order_by("name"), start=1):
        form |= {f"sits-{each.pk}": "on", f"seat-{each.pk}": str(place), f"chips-{each.pk}": ""}
    return form | changes


def test_starting_a_night_seats_the_players_and_buys_them_in(host: Client, night: Night) -> None:
    league = night.league
    ann, bob, cat, dan = league.players.order_by("name")
    form = sitting(
        league, **{f"seat-{ann.pk}": "9", f"chips-{bob.pk}": "50", f"chips-{cat.pk}": "0"}
    )
    form.pop(f"sits-{dan.pk}")
    started = host.post(f"/leagues/{league.pk}/nights/new", form)
    new = Night.objects.exclude(pk=night.pk).get()
    assert started.headers["Location"] == f"/nights/{new.pk}"
    assert stacks(new) == {bob.pk: 50, cat.pk: 0, ann.pk: 200}
    assert list(stacks(new)) == [bob.pk, cat.pk, ann.pk]


def test_repeated_start_starts_only_one_night(host: Client, night: Night) -> None:
    league = night.league
    address, form = f"/leagues/{league.pk}/nights/new", sitting(league)
    first, second = (host.post(address, form).headers["Location"] for _ in range(2))
    assert first == second == f"/nights/{form['key']}"
    assert league.seasons.get().nights.count() == 2
    assert set(stacks(Night.objects.get(pk=form["key"])).values()) == {200}
    other = host.post(address, form | {"usual": "300"})
    assert "already saved with other values" in html(other)


@pytest.mark.parametrize("chips", ["-5", "2.5", "1" + "0" * 30, "many"])
def test_night_with_invalid_chips_does_not_start(host: Client, night: Night, chips: str) -> None:
    league = night.league
    ann = player(night, "ann")
    page = host.post(
        f"/leagues/{league.pk}/nights/new", sitting(league, **{f"chips-{ann.pk}": chips})
    )
    assert page.status_code == 200
    assert list(errors_in(page))
    assert f'value="{chips}"' in html(page)
    assert Night.objects.count() == 1


def test_night_page_shows_stacks_and_hands(host: Client, night: Night) -> None:
    record_hand(night, uuid4(), holdem(), by=None)
    page = html(host.get(f"/nights/{night.pk}"))
    assert "Texas Hold" in page
    assert "+10" in page
    assert "\N{MINUS SIGN}10" in page
    assert "<b>110</b>" in page
    assert 'aria-label="deals next"' in page


def test_repeated_rebuy_is_stored_once(host: Client, night: Night) -> None:
    form = {"player": player(night, "ann").pk, "chips": "60", "key": str(uuid4())}
    for _ in range(2):
        assert host.post(f"/nights/{night.pk}/buy-ins", form).status_code == 302
    assert BuyIn.objects.filter(chips=60).count() == 1
    assert stacks(night)[player(night, "ann").pk] == 160


def test_rebuy_with_the_same_key_but_different_chips_is_refused(host: Client, night: Night) -> None:
    form = {"player": player(night, "ann").pk, "chips": "60", "key": str(uuid4())}
    host.post(f"/nights/{night.pk}/buy-ins", form)
    assert host.post(f"/nights/{night.pk}/buy-ins", form | {"chips": "70"}).status_code == 400
    assert stacks(night)[player(night, "ann").pk] == 160


@pytest.mark.parametrize("chips", ["0", "-1", "2.5", "1" + "0" * 30, "ten", ""])
def test_invalid_buy_in_is_shown_again(host: Client, night: Night, chips: str) -> None:
    form = {"player": player(night, "ann").pk, "chips": chips, "key": str(uuid4())}
    page = host.post(f"/nights/{night.pk}/buy-ins", form)
    assert page.status_code == 400
    assert list(errors_in(page))
    assert BuyIn.objects.count() == 4


def test_late_player_can_be_seated(host: Client, night: Night) -> None:
    host.post(f"/leagues/{night.league.pk}/players", {"name": "eve"})
    eve = player(night, "eve")
    assert host.post(f"/nights/{night.pk}/seats", {"player": eve.pk}).status_code == 302
    assert eve.pk in stacks(night)


def test_player_from_another_league_cannot_be_seated(host: Client, night: Night) -> None:
    stranger = player(a_night(), "ann")
    for room in ("seats", "buy-ins"):
        form = {"player": stranger.pk, "chips": "10", "key": str(uuid4())}
        assert host.post(f"/nights/{night.pk}/{room}", form).status_code == 400


# Permissions

LOOKED_AT = ["/leagues/{league}", "/nights/{night}", "/hands/{hand}"]
RECORDED_AT = [
    "/leagues/{league}/nights/new",
    "/nights/{night}/buy-ins",
    "/nights/{night}/seats",
    "/nights/{night}/record",
    "/nights/{night}/check",
    "/nights/{night}/redraw",
    "/hands/{hand}/record",
    "/hands/{hand}/check",
    "/hands/{hand}/redraw",
    "/hands/{hand}/void",
]
MANAGED_AT = ["/leagues/{league}/players"]


@pytest.fixture
def address(night: Night) -> Callable[[str], str]:
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    return lambda path: path.format(league=night.league.pk, night=night.pk, hand=hand.pk)


def visit(client: Client, path: str) -> HttpResponse:
    return (
        client.get(path)
        if path.rsplit("/", maxsplit=1)[-1].count("-") == 4
        else client.post(path, {})
    )


@pytest.mark.parametrize("path", [*LOOKED_AT, *RECORDED_AT, *MANAGED_AT])
def test_outsiders_cannot_open_any_page(address: Callable[[str], str], path: str) -> None:
    assert visit(someone(), address(path)).status_code == 404


@pytest.mark.parametrize("path", [*LOOKED_AT, *RECORDED_AT, *MANAGED_AT])
def test_anonymous_user_is_asked_to_sign_in(
    client: Client, address: Callable[[str], str], path: str
) -> None:
    assert visit(client, address(path)).headers["Location"].startswith("/sign-in?next=")


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("path", LOOKED_AT)
def test_every_member_can_view_pages(
    night: Night, address: Callable[[str], str], path: str, role: Role
) -> None:
    assert visit(member(night.league, role), address(path)).status_code == 200


@pytest.mark.parametrize("role", [Role.PLAYER, Role.VIEWER])
@pytest.mark.parametrize("path", [*RECORDED_AT, *MANAGED_AT])
def test_players_and_viewers_cannot_write(
    night: Night, address: Callable[[str], str], path: str, role: Role
) -> None:
    """In this league, phones that joined can only view pages."""
    League.objects.update(joined=JoinedAccess.LOOK)
    assert visit(member(night.league, role), address(path)).status_code == 403


@pytest.mark.parametrize("path", MANAGED_AT)
def test_scorekeepers_cannot_manage_the_league(
    night: Night, address: Callable[[str], str], path: str
) -> None:
    assert visit(member(night.league, Role.SCOREKEEPER), address(path)).status_code == 403


def test_record_button_is_hidden_from_users_who_cannot_record(night: Night) -> None:
    page = member(night.league, Role.VIEWER).get(f"/nights/{night.pk}").content
    assert b"Record a hand" not in page
    assert b"Rebuy</summary>" not in page


def test_unknown_page_is_reported(client: Client) -> None:
    page = client.get(f"/nights/{uuid4()}/nowhere")
    assert page.status_code == 404
    assert b"Page not found" in page.content


# Queries


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as seen:
        assert client.get(path).status_code == 200
    return len(seen)


def test_long_night_runs_no_more_queries_than_a_short_one(host: Client, night: Night) -> None:
    record_hand(night, uuid4(), holdem(), by=None)
    path = f"/nights/{night.pk}"
    short = queries(host, path)
    for _ in range(12):
        record_hand(night, uuid4(), holdem(), by=None)
    assert queries(host, path) == short
    assert short <= 18
    assert Hand.objects.count() == 13


def test_ten_megabyte_body_is_refused(host: Client, night: Night) -> None:
    for room in ("record", "check", "redraw", "buy-ins"):
        page = host.post(f"/nights/{night.pk}/{room}", {"paste": "x" * 10_000_000})
        assert page.status_code == 400
        assert b"Invalid request" in page.content


def test_malformed_id_returns_404(client: Client) -> None:
    assert client.get("/nights/1").status_code == 404
    assert client.get(f"/hands/{UUID(int=0)}x").status_code == 404


def test_league_page_shows_nights_before_administration() -> None:
    """Most visitors look for the running night. Keys and logs are at the end of the page."""
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    page = html(member(night.league, Role.HOST).get(f"/leagues/{night.league.pk}"))
    inside = page[page.index("<main") :]
    first = inside.index("Continue Night 1")
    assert first < inside.index("Start a night") < inside.index("API keys")
    assert inside.index("Add player") < inside.index("Activity log")

"""The pages for a league's games, and the rules page for any game."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from league.games import odds
from league.games.house_games import current, retire, revise
from league.games.odds import find as find_odds
from league.models import HouseGame, Night, Odds, Revision, Role
from league.recording.record import record_hand
from tests.helpers.api.clients import member, someone
from tests.helpers.league.forms import errors_in, form_of, sent
from tests.helpers.league.house_games import CROSS, LOW_CROSS, a_house_game, crossed
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db

BAD = CROSS.replace('"bet"', '"bett"', 1)


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


@pytest.fixture
def at(night: Night) -> Callable[[str], str]:
    return lambda rest: f"/leagues/{night.league.pk}/games{rest}"


def text_in(page: HttpResponse) -> str:
    return form_of(page, "write").fields["text"][0]


def page_text(page: HttpResponse) -> str:
    return html(page)


# Writing


def test_game_can_be_written_saved_and_shown(host: Client, at: Callable[[str], str]) -> None:
    form = {"text": CROSS.replace("\n", "\r\n"), "key": str(uuid4())}
    saved = host.post(at("/write"), form)
    assert saved.headers["Location"] == at("/grandmas-cross")
    page = page_text(host.get(at("/grandmas-cross")))
    assert "Two hole cards plus three of any one line." in page
    assert "<polyline" in page
    assert "Grandma&#x27;s Cross saved. It is ready to play." in page
    assert "grandmas-cross" in page_text(host.get(at("")))


def test_repeated_request_saves_a_game_once(host: Client, at: Callable[[str], str]) -> None:
    form = {"text": CROSS, "key": str(uuid4())}
    for _ in range(2):
        assert host.post(at("/write"), form).status_code == 302
    assert HouseGame.objects.count() == 1
    again = host.post(at("/write"), form | {"text": LOW_CROSS})
    assert again.status_code == 409
    assert text_in(again) == LOW_CROSS
    assert form_of(again, "write").fields["key"] != [form["key"]]


@pytest.mark.parametrize("text", [BAD, "", "nonsense", "name = \r\n\t\N{SNOWMAN}", "<b>&amp;</b>"])
def test_typed_text_is_preserved_after_an_error(
    host: Client, at: Callable[[str], str], text: str
) -> None:
    for room in ("/write", "/try"):
        page = host.post(at(room), {"text": text})
        assert page.status_code in (200, 400)
        assert text_in(page) == text.replace("\r\n", "\n")
    assert not HouseGame.objects.exists()


def test_error_shows_its_line_and_suggestions(host: Client, at: Callable[[str], str]) -> None:
    page = host.post(at("/write"), {"text": BAD})
    assert page.status_code == 400
    assert 'data-line="4"' in page_text(page)
    assert "<code>bet</code>" in page_text(page)


def test_script_receives_only_the_check_result(host: Client, at: Callable[[str], str]) -> None:
    fragment = page_text(host.post(at("/try"), {"text": BAD}, headers={"HX-Request": "true"}))
    assert "<html" not in fragment
    assert "&#x27;bett&#x27; is not valid here" in fragment


def test_playable_game_shows_three_sample_deals(host: Client, at: Callable[[str], str]) -> None:
    fragment = page_text(host.post(at("/try"), {"text": CROSS}, headers={"HX-Request": "true"}))
    assert fragment.count('<details class="deal"') == 3
    assert "ann" in fragment
    other = host.post(at("/try"), {"text": CROSS, "seed": "2"}, headers={"HX-Request": "true"})
    assert page_text(other) != fragment
    assert page_text(host.post(at("/try"), {"text": CROSS, "seed": "x" * 99}))


def test_unknown_game_cannot_be_copied(host: Client, at: Callable[[str], str]) -> None:
    for slug in ("texas-foldem", "x" * 5_000):
        assert host.get(at(f"/write?copy={slug}")).status_code == 404


@pytest.mark.parametrize(
    "text", ["\0", CROSS + "#\0", "x" * 70_000, '"bet",\n' * 100_000, "a = " + "[" * 30_000]
)
def test_impossible_game_is_refused(host: Client, at: Callable[[str], str], text: str) -> None:
    for room in ("/write", "/try"):
        page = host.post(at(room), {"text": text})
        assert list(errors_in(page))
    assert not HouseGame.objects.exists()


# Changing


def test_changing_a_game_adds_a_version(
    host: Client, night: Night, at: Callable[[str], str]
) -> None:
    a_house_game(night)
    page = host.get(at("/grandmas-cross/write"))
    assert text_in(page) == CROSS
    assert host.post(at("/grandmas-cross/write"), {"text": LOW_CROSS}).status_code == 302
    shown = page_text(host.get(at("/grandmas-cross")))
    assert "Version 2" in shown
    assert "Version 1" in page_text(host.get(at("/grandmas-cross?version=1")))
    for number in ("9", "x", "-1", "1" * 40):
        assert host.get(at(f"/grandmas-cross?version={number}")).status_code == 404


def test_invalid_change_is_shown_again_as_typed(
    host: Client, night: Night, at: Callable[[str], str]
) -> None:
    game = a_house_game(night)
    page = host.post(at("/grandmas-cross/write"), {"text": BAD})
    assert page.status_code == 400
    assert text_in(page) == BAD
    assert current(game).text == CROSS


def test_game_that_was_dealt_is_retired_rather_than_deleted(
    host: Client, night: Night, at: Callable[[str], str]
) -> None:
    game = a_house_game(night)
    record_hand(night, uuid4(), crossed(game.slug), by=None)
    assert "Delete" not in page_text(host.get(at("/grandmas-cross")))
    host.post(at("/grandmas-cross/delete"))
    assert HouseGame.objects.filter(pk=game.pk).exists()
    host.post(at("/grandmas-cross/retire"))
    assert "Retired" in page_text(host.get(at("")))


def test_game_that_was_never_dealt_is_deleted(
    host: Client, night: Night, at: Callable[[str], str]
) -> None:
    a_house_game(night)
    assert host.post(at("/grandmas-cross/delete")).headers["Location"] == at("")
    assert host.get(at("/grandmas-cross")).status_code == 404


# At the table


def test_recording_form_offers_house_games(host: Client, night: Night) -> None:
    a_house_game(night)
    page = host.get(f"/nights/{night.pk}/record?game=grandmas-cross")
    fields = form_of(page).fields
    assert fields["variant"] == ["grandmas-cross"]
    assert {"board/0", "board/1", "board/2", "players/0/down"} <= set(fields)
    assert "either-or" in page_text(page)


def test_recording_form_does_not_offer_retired_games(host: Client, night: Night) -> None:
    game = a_house_game(night)
    retire(game)
    assert "grandmas-cross" not in page_text(host.get(f"/nights/{night.pk}/record"))


def test_house_game_hand_can_be_recorded_on_the_page(host: Client, night: Night) -> None:
    game = a_house_game(night)
    form = sent(form_of(host.get(f"/nights/{night.pk}/record?game={game.slug}")))
    form |= {"board/0": ["As"], "board/1": ["7c 9d 7h"], "board/2": ["9s"], "all_paid": ["10"]}
    form |= {"players/0/down": ["Ac Ad Kh Qh Js"], "players/1/down": ["2c 3d 6s 8d Th"]}
    form |= {f"players/{row}/state": ["folded"] for row in (2, 3)} | {"key": [str(uuid4())]}
    assert "ann wins 40" in page_text(host.post(f"/nights/{night.pk}/check", form))
    assert host.post(f"/nights/{night.pk}/record", form).status_code == 302
    assert Revision.objects.get().document == current(game).document


def test_incomplete_house_game_hand_is_not_an_error(host: Client, night: Night) -> None:
    game = a_house_game(night)
    form = sent(form_of(host.get(f"/nights/{night.pk}/record?game={game.slug}")))
    form |= {"board/0": ["As"], "players/0/down": ["Ac Ad"]}
    page = host.post(f"/nights/{night.pk}/check", form, headers={"HX-Request": "true"})
    assert "Still to enter" in page_text(page)
    assert not list(errors_in(page))


def test_correction_form_uses_the_game_version_the_hand_was_dealt_under(
    host: Client, night: Night
) -> None:
    game = a_house_game(night)
    hand = record_hand(night, uuid4(), crossed(game.slug), by=None).hand
    six = CROSS.replace('"5 down"', '"6 down"').replace("[2, 8]", "[2, 7]")
    revise(game, six, by=None)
    page = page_text(host.get(f"/hands/{hand.pk}/record"))
    assert 'data-most="5"' in page
    assert 'data-most="6"' not in page
    retire(game)
    assert host.get(f"/hands/{hand.pk}/record").status_code == 200


# Permissions

LOOKED_AT = ["", "/grandmas-cross", "/grandmas-cross/odds"]
WRITTEN_AT = ["/write", "/grandmas-cross/write"]
POSTED_AT = ["/try", "/grandmas-cross/try", "/grandmas-cross/retire", "/grandmas-cross/delete"]


def visit(client: Client, path: str) -> HttpResponse:
    posted = any(path.endswith(end) for end in POSTED_AT)
    return client.post(path, {"text": CROSS}) if posted else client.get(path)


@pytest.mark.parametrize("room", [*LOOKED_AT, *WRITTEN_AT, *POSTED_AT])
def test_outsiders_cannot_open_any_page(night: Night, at: Callable[[str], str], room: str) -> None:
    a_house_game(night)
    assert visit(someone(), at(room)).status_code == 404
    assert visit(Client(), at(room)).headers["Location"].startswith("/sign-in?next=")


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("room", LOOKED_AT)
def test_every_member_can_view_games(
    night: Night, at: Callable[[str], str], room: str, role: Role
) -> None:
    a_house_game(night)
    page = visit(member(night.league, role), at(room))
    assert page.status_code == 200
    may_write = role in (Role.HOST, Role.SCOREKEEPER)
    assert may_write or b"/write" not in page.content


@pytest.mark.parametrize("role", [Role.PLAYER, Role.VIEWER])
@pytest.mark.parametrize("room", [*WRITTEN_AT, *POSTED_AT])
def test_players_and_viewers_cannot_write_games(
    night: Night, at: Callable[[str], str], room: str, role: Role
) -> None:
    a_house_game(night)
    assert visit(member(night.league, role), at(room)).status_code == 403
    assert HouseGame.objects.count() == 1


# The rules of a game


@pytest.fixture
def _few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "DEALS", 200)


@pytest.mark.usefixtures("_few_deals")
def test_page_waits_for_odds_and_then_shows_them(client: Client) -> None:
    page = page_text(client.get("/games/omaha-8"))
    assert "Calculating." in page
    assert 'hx-get="/games/omaha-8/odds?players=5"' in page
    find_odds(Odds.objects.get().deal)
    shown = page_text(client.get("/games/omaha-8/odds?players=5"))
    assert "Winning hands: high" in shown
    assert "Winning hands: low" in shown
    assert "no winner" in shown
    assert 'hx-trigger="load' not in shown
    assert "One player scoops" in shown


@pytest.mark.usefixtures("_few_deals")
def test_odds_are_for_the_requested_number_of_players(client: Client) -> None:
    client.get("/games/omaha-8/odds?players=9&with=two-row")
    wanted: dict[str, Any] = Odds.objects.get().wanted
    assert (wanted["players"], wanted["modifiers"]) == (9, ["two-row"])
    for players in ("0", "99", "x", "-1", ""):
        client.get(f"/games/omaha-8/odds?players={players}&with=two-row")
    assert Odds.objects.count() == 2


@pytest.mark.usefixtures("_few_deals")
def test_game_without_hands_to_compare_is_reported(client: Client) -> None:
    client.get("/games/put-and-take")
    find_odds(Odds.objects.get().deal)
    assert "hands are not compared" in page_text(client.get("/games/put-and-take"))


def test_board_picture_has_an_alternative_text(client: Client) -> None:
    page = page_text(client.get("/games/nightmare"))
    assert 'role="img" aria-label="The board: a, b, c; d, e; f"' in page
    assert "a d f</li>" in page


def test_variations_that_are_too_many_or_too_long_return_404(client: Client) -> None:
    assert client.get("/games/omaha-8?" + "with=two-row&" * 500).status_code == 404
    assert client.get("/games/omaha-8?with=" + "x" * 5_000).status_code == 404

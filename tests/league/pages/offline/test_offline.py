"""Data that a phone stores for offline use, and responses to its outbox."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.test import Client

from league.games.house_games import versions_of
from league.models import Hand, Night, Role, User
from league.pages import offline
from league.pages.games.finder import version
from league.pages.record.fill_form import spell
from league.people.leagues import add_member
from league.planned_nights.answer_links import share_answers
from league.recording.record import record_hand
from rules.documents import catalog
from rules.presentation import form
from tests.helpers.league.leagues import a_user, holdem
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db
JSON = "application/json"
DECLARED = f'name="players/{offline.ROW}/declared"'


@pytest.fixture
def keeper(night: Night) -> User:
    user = a_user()
    add_member(night.league, user, Role.SCOREKEEPER)
    return user


@pytest.fixture
def phone(keeper: User) -> Client:
    client = Client()
    client.force_login(keeper)
    return client


def sent(record: dict[str, Any], **more: str) -> dict[str, Any]:
    """Return a record's fields as an outbox sends them."""
    return {"key": str(uuid4())} | spell(record) | more


def land(phone: Client, night: Night, fields: dict[str, Any], user: User) -> HttpResponse:
    told = {"Accept": JSON, "Hand-Of": str(user.pk)}
    return phone.post(f"/nights/{night.pk}/record", fields, headers=told)


def test_scripts_use_one_function_to_parse_addresses() -> None:
    """`new URL(undefined)` used to fail after every undo, in a form without a link."""
    scripts = {
        path.name: path.read_text()
        for path in offline.STATIC.glob("js/**/*.js")
        if path.stem != "path"
    }
    assert [name for name, text in scripts.items() if "new URL(" in text] == []


# Receiving records


def test_response_to_a_stored_hand_contains_its_id(
    phone: Client, night: Night, keeper: User
) -> None:
    fields = sent(holdem())
    answer = land(phone, night, fields, keeper)
    hand = Hand.objects.get()
    assert answer.status_code == 201
    assert answer.json() == {
        "id": fields["key"],
        "number": 1,
        "revision": fields["key"],
        "headline": "ann wins 20",
        "at": f"/hands/{hand.pk}",
        "next": f"/nights/{night.pk}",
        "outcome": "recorded",
        "says": "Hand 1 saved.",
    }
    again = land(phone, night, fields, keeper)
    assert (again.status_code, again.json()["id"]) == (200, fields["key"])
    assert Hand.objects.count() == 1


def test_invalid_hand_is_shown_again_as_typed(phone: Client, night: Night, keeper: User) -> None:
    fields = sent(holdem(), **{"players/0/paid": "ten"})
    answer = land(phone, night, fields, keeper)
    body = answer.json()
    assert answer.status_code == 400
    assert body["id"] == fields["key"]
    assert any("ann" in problem for problem in body["problems"])
    assert 'value="ten"' in body["form"]
    assert not Hand.objects.exists()


def test_id_that_belongs_to_another_hand_is_replaced(
    phone: Client, night: Night, keeper: User
) -> None:
    fields = sent(holdem())
    land(phone, night, fields, keeper)
    answer = land(phone, night, fields | {"all_paid": "50", "players/0/paid": "50"}, keeper)
    body = answer.json()
    assert answer.status_code == 409
    assert body["id"] != fields["key"]
    assert f'value="{body["id"]}"' in body["form"]


def test_hand_for_a_closed_night_is_refused_with_the_reason(
    phone: Client, night: Night, keeper: User
) -> None:
    with unguarded():
        Night.objects.update(state=Night.State.CLOSED)
    answer = land(phone, night, sent(holdem()), keeper)
    assert answer.status_code == 409
    assert answer.json()["problems"] == ["The night is closed. A host can reopen it."]


def test_signed_out_user_receives_an_error_as_json(night: Night, keeper: User) -> None:
    answer = land(Client(), night, sent(holdem()), keeper)
    assert (answer.status_code, answer.json()) == (401, {"why": "signed-out"})


def test_hand_recorded_by_another_user_is_refused(phone: Client, night: Night) -> None:
    answer = land(phone, night, sent(holdem()), a_user("mia"))
    assert (answer.status_code, answer.json()) == (403, {"why": "other-user"})
    assert not Hand.objects.exists()


def test_user_without_permission_is_refused_with_the_reason(
    phone: Client, night: Night, keeper: User
) -> None:
    keeper.memberships.update(role=Role.VIEWER)
    answer = land(phone, night, sent(holdem()), keeper)
    assert (answer.status_code, answer.json()) == (403, {"why": "forbidden"})
    keeper.memberships.all().delete()
    answer = land(phone, night, sent(holdem()), keeper)
    assert (answer.status_code, answer.json()) == (404, {"why": "gone"})


@pytest.mark.parametrize(("minutes", "kept"), [(5, True), (-5, False), (10**7, False)])
def test_hand_keeps_the_phones_time_if_it_is_plausible(
    phone: Client, night: Night, keeper: User, minutes: int, kept: bool
) -> None:
    with unguarded():
        Night.objects.update(started_at=night.started_at - timedelta(hours=1))
    night.refresh_from_db()
    dealt = night.started_at + timedelta(minutes=minutes)
    land(phone, night, sent(holdem(), dealt=str(round(dealt.timestamp() * 1000))), keeper)
    made = Hand.objects.get().made_at
    assert made >= night.started_at
    assert (abs(made - dealt) < timedelta(seconds=1)) == kept


# Cached files


def test_service_worker_lists_only_existing_files(phone: Client) -> None:
    answer = phone.get("/service-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer.headers["Cache-Control"]
    data = json.loads(answer.content.decode().partition(" = ")[2].partition(";\n")[0])
    files = [
        address.removeprefix(f"/{settings.STATIC_URL.strip('/')}/") for address in data["shell"]
    ]
    assert all(finders.find(name) for name in files)
    assert {"league/js/offline/outbox.js", "league/style.css"} <= set(files)
    assert not [name for name in files if "htmx" in name]  # offline pages do not use htmx
    assert data["version"] == version()


def test_manifest_lists_only_existing_icons(phone: Client) -> None:
    body = phone.get("/manifest.webmanifest").json()
    assert (body["id"], body["start_url"], body["scope"]) == ("/", "/", "/")
    assert body["display"] == "standalone"
    assert {(icon["sizes"], icon["purpose"]) for icon in body["icons"]} >= {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    for icon in body["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/"))


def test_page_identifies_its_user(phone: Client, keeper: User) -> None:
    assert phone.get("/").headers["Drawn-For"] == str(keeper.pk)
    assert Client().get("/").headers["Drawn-For"] == "nobody"
    assert "Drawn-For" not in phone.get("/manifest.webmanifest").headers


def test_page_opened_with_a_link_is_not_cached_on_the_phone(phone: Client, night: Night) -> None:
    """A later user of the phone could find the link and open it."""
    link = share_answers(night.league, by=None)
    for path in (f"/answers/{link}", f"/join/{night.league.code}"):
        page = phone.get(path)
        assert page.status_code == 200
        assert page.headers["Not-Kept"] == "1"
    assert "Not-Kept" not in phone.get(f"/nights/{night.pk}").headers


def test_prefetched_page_leaves_messages_for_the_visible_page(phone: Client, night: Night) -> None:
    path = f"/nights/{night.pk}"
    phone.post(f"{path}/guests", {"key": str(uuid4()), "name": "Eve"})
    assert b'<div class="notes"' not in phone.get(path, headers={"Kept-Ahead": "1"}).content
    assert b'<div class="notes"' in phone.get(path).content


def test_forms_of_every_game_are_served_in_batches(phone: Client, night: Night) -> None:
    body = phone.get(f"/nights/{night.pk}/forms").json()
    first = phone.get(body["at"] + "0").json()
    assert "" in first["games"]
    assert body["batches"] * offline.AT_ONCE > len(catalog.slugs())
    assert phone.get(f"{body['at']}{body['batches']}").status_code == 404
    assert phone.get(f"/nights/{night.pk}/forms/older/0").status_code == 404
    assert Client().get(body["at"] + "0").status_code == 302


def test_cached_form_has_the_fields_for_its_game(night: Night) -> None:
    house = versions_of(night.league)
    place = offline._slugs(house).index("omaha-8")
    batch = offline.batch(house, place // offline.AT_ONCE)
    drawn = {
        key: "\n".join(batch["lines"][number] for number in numbers)
        for key, numbers in batch["games"]["omaha-8"].items()
    }
    assert {"", "||result", "two-row", "|declare=high-low", "two-row,miami"} <= set(drawn)
    assert drawn["two-row,miami"].count('id="board/') > drawn["two-row"].count('id="board/')
    least = form.form("omaha-8")["down"]["least"]
    assert f'name="players/{offline.ROW}/down"' in drawn[""]
    assert f'data-least="{least}"' in drawn[""]
    assert "board/1" in drawn["two-row"]
    assert "board/1" not in drawn[""]
    assert DECLARED in drawn["|declare=high-low"]
    assert DECLARED not in drawn[""]
    assert 'name="winner"' in drawn["||result"]


def test_recorded_hand_does_not_make_cached_forms_stale(phone: Client, night: Night) -> None:
    before = phone.get(f"/nights/{night.pk}/forms").json()
    record_hand(night, uuid4(), holdem(), by=None)
    assert phone.get(f"/nights/{night.pk}/forms").json() == before

"""Pages that update automatically, hands recorded twice, phones that join."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.closing.close import close_night, reopen_night
from league.closing.payment_plans import settle_season
from league.closing.payments import confirm, promise
from league.common.errors import RefusedError
from league.models import (
    ConflictingRecord,
    Device,
    Hand,
    JoinedAccess,
    League,
    Night,
    PlannedPayment,
    Player,
    Role,
    User,
)
from league.nights.buy_ins import buy_in
from league.nights.nights import leave, seat
from league.nights.opening import open_night
from league.options import choose, options_of
from league.pages.nights import hand_list
from league.pages.record.conflicts import differences
from league.people.devices import free
from league.people.joining import join
from league.people.leagues import add_player, renew_code
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.stats.count import count_marked
from tests.helpers.api.clients import member, someone
from tests.helpers.league.forms import form_of
from tests.helpers.league.leagues import holdem, player
from tests.helpers.league.nights import closed, counted
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db
LABELS = re.compile(r'<span class="grow wrap">([^<]+)</span>')
CARDS = re.compile(r'aria-label="(\w+ of \w+)"')


@pytest.fixture(autouse=True)
def _nobody_was_here() -> None:
    cache.clear()


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def pulse(client: Client, of: Night | League, tag: str = "") -> HttpResponse:
    place = "nights" if isinstance(of, Night) else "leagues"
    return client.get(f"/{place}/{of.pk}/pulse", headers={"If-None-Match": tag} if tag else {})


def version(night: Night) -> int:
    return Night.objects.values_list("version", flat=True).get(pk=night.pk)


# Updates


def test_update_check_on_an_unchanged_night_runs_two_queries(host: Client, night: Night) -> None:
    """A 304 costs at most one indexed query in addition to the session."""
    for of in (night, night.league):
        tag = pulse(host, of).headers["ETag"]
        with CaptureQueriesContext(connection) as queries:
            assert pulse(host, of, tag).status_code == 304
        assert len(queries) == 2, [each["sql"] for each in queries]
        assert not pulse(host, of, tag).content


def test_new_version_is_sent_only_once(host: Client, night: Night) -> None:
    tag = pulse(host, night).headers["ETag"]
    record_hand(night, uuid4(), holdem(), by=None)
    response = pulse(host, night, tag)
    assert (response.status_code, response.json()["version"]) == (200, version(night))
    assert pulse(host, night, response.headers["ETag"]).status_code == 304


def test_every_write_changes_the_version_of_the_night(night: Night) -> None:
    ann, eve = player(night, "ann"), add_player(night.league, "eve")
    seen = [version(night)]

    def moved(_done: object) -> None:
        seen.append(version(night))
        assert seen[-1] > seen[-2]

    moved(buy_in(night, ann, 10, buy_in_id=uuid4(), by=None))
    moved(seat(night, eve))
    moved(leave(night, eve))
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    moved(hand)
    moved(revise_hand(hand, uuid4(), holdem(carried=0), by=None))
    moved(void_hand(hand, by=None))
    record_hand(night, uuid4(), holdem(), by=None)
    moved(counted(night))
    closing = closed(night)
    moved(closing)
    planned = closing.plan.payments.get()
    payment = promise(planned, uuid4(), planned.chips, by=None)
    moved(payment)
    moved(confirm(payment, by=None))
    moved(reopen_night(night, by=None))
    moved(close_night(night, uuid4(), by=None))


def test_league_version_changes_with_the_content_of_its_pages(host: Client, night: Night) -> None:
    """The version changes with nights and hands, players, settings, statistics and payments."""
    league, tags = night.league, [pulse(host, night.league).headers["ETag"]]

    def moved(_done: object) -> None:
        tags.append(pulse(host, league).headers["ETag"])
        assert len(set(tags)) == len(tags)

    moved(record_hand(night, uuid4(), holdem(), by=None))
    moved(count_marked(league.pk))
    eve = add_player(league, "eve")
    moved(eve)
    moved(join(league, eve))
    moved(free(eve))
    moved(renew_code(league))
    moved(choose(league, replace(options_of(league), settles="season")))
    counted(night)
    moved(closed(night))
    moved(settle_season(night.season, uuid4(), by=None, end=True))
    payment = PlannedPayment.objects.get()
    moved(promise(payment, uuid4(), payment.chips, by=None))
    moved(open_night(league, players=[eve]))
    for address in (f"leagues/{league.pk}", f"seasons/{night.season_id}"):
        page = html(host.get(f"/{address}"))
        assert f'/leagues/{league.pk}/pulse" data-version={tags[-1]}' in page


def test_refused_hand_does_not_change_the_night_version(night: Night) -> None:
    before = version(night)
    with pytest.raises(RefusedError, match="no game is called"):
        record_hand(night, uuid4(), holdem(variant="none"), by=None)
    assert version(night) == before


def test_outsiders_and_anonymous_visitors_get_no_updates(night: Night) -> None:
    for of in (night, night.league):
        assert pulse(someone(), of).status_code == 404
        assert pulse(Client(), of).status_code == 401


def test_session_with_an_outdated_password_gets_no_updates(night: Night, host: Client) -> None:
    user = User.objects.get(pk=host.session["_auth_user_id"])
    user.set_password("changed since")
    user.save()
    assert pulse(host, night).status_code == 401


def test_page_contains_its_version(host: Client, night: Night) -> None:
    sends(host, night)
    hand = f"/hands/{Hand.objects.get().pk}"
    rooms = ("", "/count", "/close", "/payments", "/record")
    for address in (*(f"/nights/{night.pk}{room}" for room in rooms), hand, f"{hand}/rivals"):
        page = html(host.get(address))
        shown = re.search(r'data-version="(\d+)"', page)
        assert shown, address
        assert int(shown[1]) == version(night)


def test_table_above_the_form_shows_hands_saved_by_another_phone(
    host: Client, night: Night
) -> None:
    address = f"/nights/{night.pk}/table?seen=0"
    assert "Hand 1" in html(host.get(address))
    record_hand(night, uuid4(), holdem(), by=None)
    table = html(host.get(address))
    assert "Hand 2" in table
    assert "cat deals" in table
    assert "Another phone saved hand 1" in table
    assert "Another phone" not in html(host.get(f"/nights/{night.pk}/table?seen=1"))
    assert host.get(f"/nights/{night.pk}/table?seen=x").status_code == 200


# Two phones


def sends(client: Client, night: Night, winner: str = "ann", **more: Any) -> HttpResponse:
    """Record the first hand, without cards."""
    fields = {"variant": "nightmare", "depth": "result", "all_paid": "10", "button": "0"}
    for row, name in enumerate(("ann", "bob", "cat", "dan")):
        fields[f"players/{row}/name"] = name
    fields["winner"] = str(("ann", "bob").index(winner))
    sent = fields | {"key": str(uuid4()), "seen": "0"} | more
    return client.post(f"/nights/{night.pk}/record", sent, follow=True)


def test_form_includes_the_number_of_the_latest_hand_the_phone_has_seen(
    host: Client, night: Night
) -> None:
    record_hand(night, uuid4(), holdem(), by=None)
    form = form_of(host.get(f"/nights/{night.pk}/record"))
    assert form.fields["seen"] == ["1"]
    again = host.post(f"/nights/{night.pk}/redraw", {"variant": "nightmare", "seen": "0"})
    assert form_of(again).fields["seen"] == ["0"]


def test_second_phone_sees_that_its_hand_was_merged(host: Client, night: Night) -> None:
    other = member(night.league, Role.SCOREKEEPER)
    sends(host, night)
    assert "Another phone recorded the same" in html(sends(other, night))
    assert Hand.objects.count() == 1


def test_host_sees_conflicting_records_side_by_side(host: Client, night: Night) -> None:
    other = member(night.league, Role.SCOREKEEPER)
    sends(host, night)
    assert "A host chooses the right one." in html(sends(other, night, "bob"))
    conflict = ConflictingRecord.objects.get()
    assert "recorded twice" in html(host.get(f"/nights/{night.pk}"))
    page = html(host.get(f"/hands/{conflict.hand_id}/rivals"))
    assert "Keep this one" in page
    assert "Use this one" in page
    assert "This one" not in html(other.get(f"/hands/{conflict.hand_id}/rivals"))
    for address in (f"/hands/{conflict.hand_id}/keep", f"/rivals/{conflict.pk}/take"):
        assert other.post(address).status_code == 403
        assert someone().post(address).status_code == 404
    host.post(f"/rivals/{conflict.pk}/take")
    assert ConflictingRecord.objects.get().state == ConflictingRecord.State.ACCEPTED
    assert "recorded twice" not in html(host.get(f"/nights/{night.pk}"))
    assert "Another phone recorded this hand too" in html(host.get(f"/hands/{conflict.hand_id}"))


def test_conflict_page_lists_what_differs_between_two_versions(host: Client, night: Night) -> None:
    """Both versions showed the same seven amounts, but not the board, where a card differed."""
    other, board = member(night.league, Role.SCOREKEEPER), ["2h", "7d", "9s", "Jd", "3c"]
    for client, record in ((host, holdem()), (other, holdem(board=[board]))):
        sent = {"record": record, "seen": 0, "id": str(uuid4())}
        client.post(f"/api/v1/nights/{night.pk}/hands", sent, "application/json")
    page = html(host.get(f"/hands/{Hand.objects.get().pk}/rivals"))
    part = page[page.index("What differs") : page.index('class="versions"')]
    assert LABELS.findall(part) == ["Board"]
    assert CARDS.findall(part) == ["queen of clubs", "three of clubs"]


def test_conflict_page_lists_cards_that_only_one_version_has(host: Client, night: Night) -> None:
    record_hand(night, uuid4(), holdem(), by=None)
    of = Hand.objects.get().revisions.get()
    result = holdem(depth="result", took={"bob": 20})
    del result["board"]
    for each in result["players"]:
        del each["down"]
    other = ConflictingRecord(document=of.document, record=result, answer=of.answer, names=of.names)
    found = {each.label: [value.words for value in each.values] for each in differences(of, other)}
    assert found["Board"] == ["", "not recorded"]
    assert found["ann, hole cards"] == ["", "not recorded"]
    assert "ann, net" not in found


def test_conflict_page_names_both_winners_if_the_dealer_differs_too(
    host: Client, night: Night
) -> None:
    """The page listed only the dealers, as if these explained the chips."""
    sends(host, night)
    sends(member(night.league, Role.SCOREKEEPER), night, "bob", button="1")
    page = html(host.get(f"/hands/{Hand.objects.get().pk}/rivals"))
    part = page[page.index("What differs") : page.index('class="versions"')]
    assert LABELS.findall(part)[:2] == ["Dealer", "Winners"]


def test_chosen_version_is_confirmed_with_the_name_of_its_recorder(
    host: Client, night: Night
) -> None:
    """The message claimed that the other phone recorded a version that the host had recorded."""
    sends(member(night.league, Role.SCOREKEEPER), night)
    sends(host, night, "bob")
    conflict = ConflictingRecord.objects.get()
    page = html(host.post(f"/rivals/{conflict.pk}/take", follow=True))
    assert "Hand 1 now shows the version recorded by the host." in page


def test_conflict_is_shown_first_with_player_names(host: Client, night: Night) -> None:
    """The conflict used to be below the verdict, with the username "marta" among players' names."""
    login = member(night.league, Role.SCOREKEEPER)
    user = User.objects.get(pk=login.session["_auth_user_id"])
    Player.objects.filter(league=night.league, name="bob").update(user=user)
    sends(host, night)
    sends(login, night, "bob")
    page = html(host.get(f"/nights/{night.pk}"))
    places = [page.index(text) for text in ("recorded twice", 'class="latest felt"', "night-links")]
    assert places == sorted(places)
    versions = html(host.get(f"/hands/{Hand.objects.get().pk}/rivals"))
    assert "recorded by bob" in versions
    assert user.username not in versions
    assert "undecided" in versions


@pytest.mark.parametrize(
    ("pick", "state"), [("hands/{0.hand_id}/keep", "refused"), ("rivals/{0.pk}/apart", "dealt")]
)
def test_host_decides_a_conflict_only_once(
    pick: str, state: str, host: Client, night: Night
) -> None:
    sends(host, night)
    sends(member(night.league, Role.SCOREKEEPER), night, "bob")
    conflict = ConflictingRecord.objects.get()
    for _ in range(2):
        assert host.post("/" + pick.format(conflict)).status_code == 302
    assert ConflictingRecord.objects.get().state == state
    assert Hand.objects.count() == (2 if state == "dealt" else 1)


def test_api_client_gets_the_outcome_of_its_hand(host: Client, night: Night) -> None:
    address, sent = f"/api/v1/nights/{night.pk}/hands", {"record": holdem(), "seen": 0}
    outcomes = []
    for client in (host, member(night.league, Role.SCOREKEEPER)):
        answer = client.post(address, sent | {"id": str(uuid4())}, "application/json")
        outcomes.append((answer.status_code, answer.headers["Hand-Outcome"], answer.json()["id"]))
    (first, second), hand = outcomes, str(Hand.objects.get().pk)
    assert (first, second) == ((201, "recorded", hand), (200, "merged", hand))


def test_hand_also_recorded_by_another_phone_is_not_undone(host: Client, night: Night) -> None:
    """The other phone got a confirmation that its record is saved. An undo would remove it."""
    sends(host, night)
    address = f"/hands/{Hand.objects.get().pk}/undo"
    assert address in html(host.get(f"/nights/{night.pk}"))
    sends(member(night.league, Role.SCOREKEEPER), night)
    assert address not in html(host.get(f"/nights/{night.pk}"))
    assert "Too late to undo" in html(host.post(address, follow=True))
    assert not Hand.objects.get().voided


def test_correction_is_shown_to_the_others_with_the_name_of_its_author(
    host: Client, night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result on the host's page changed without a word."""
    phone = member(night.league, Role.SCOREKEEPER)
    user = User.objects.get(pk=phone.session["_auth_user_id"])
    Player.objects.filter(league=night.league, name="cat").update(user=user)
    record_hand(night, uuid4(), holdem(), by=None)
    at = f"/nights/{night.pk}"
    pages = (at, f"{at}/record", f"{at}/table?seen=1")
    assert not [each for each in pages if "corrected" in html(host.get(each))]
    changed = holdem(board=[["2h", "7d", "9s", "Jd", "Kh"]])
    revise_hand(Hand.objects.get(), uuid4(), changed, by=user)
    for each in pages:
        assert "Hand 1 was corrected by cat." in html(host.get(each)), each
        assert "Hand 1 was corrected by cat." not in html(phone.get(each)), each
    for each in (at, f"{at}/hands"):
        assert "corrected by cat" in html(host.get(each))
    void_hand(Hand.objects.get(), by=user)
    assert "Hand 1 was undone by cat." in html(host.get(at))
    monkeypatch.setattr(hand_list, "CORRECTED_FOR", timedelta(0))
    assert "Hand 1 was undone by cat." not in html(host.get(at))


def test_chosen_version_is_shown_to_the_others_with_the_name_of_its_author(
    host: Client, night: Night
) -> None:
    """The page said that the host had corrected the hand, also on the phone that had sent it."""
    author = member(night.league, Role.SCOREKEEPER)
    user = User.objects.get(pk=author.session["_auth_user_id"])
    Player.objects.filter(league=night.league, name="cat").update(user=user)
    sends(host, night)
    sends(author, night, "bob")
    host.post(f"/rivals/{ConflictingRecord.objects.get().pk}/take", follow=True)
    other, at = member(night.league, Role.SCOREKEEPER), f"/nights/{night.pk}"
    assert "Hand 1 now shows the version recorded by cat." in html(other.get(at))
    assert "corrected by cat" in html(other.get(at))
    for client in (host, author, other):
        page = html(client.get(f"{at}/record"))
        assert "by the host" not in page
        assert ("version recorded by cat" in page) == (client == other)


# Joining


def phone(night: Night, name: str) -> Client:
    client = Client(headers={"User-Agent": "Mozilla/5.0 (Linux; Android 15) Chrome/130.0 Mobile"})
    picked = {"player": player(night, name).pk, "email": ""}
    client.post(f"/join/{night.league.code}", picked)
    return client


def test_joined_phone_can_record_if_the_host_allows_it(night: Night) -> None:
    bob = phone(night, "bob")
    assert "Record a hand" in html(bob.get(f"/nights/{night.pk}"))
    assert sends(bob, night).status_code == 200
    hand = Hand.objects.get()
    assert "Your entries are restored." in html(bob.post(f"/hands/{hand.pk}/undo", follow=True))
    League.objects.update(joined=JoinedAccess.LOOK)
    assert "Record a hand" not in html(bob.get(f"/nights/{night.pk}"))
    assert bob.get(f"/nights/{night.pk}/record").status_code == 403
    assert sends(bob, night, key=str(uuid4())).status_code == 403


def test_joined_phone_cannot_add_guests_or_close_the_night(night: Night) -> None:
    bob = phone(night, "bob")
    bob.post(f"/nights/{night.pk}/guests", {"name": "eve"})
    assert not Player.objects.filter(name="eve").exists()
    assert bob.get(f"/nights/{night.pk}/close").status_code == 403


def test_host_sees_joined_phones_and_can_sign_one_out(host: Client, night: Night) -> None:
    bob = phone(night, "bob")
    address = f"/leagues/{night.league.pk}/phones"
    page = html(host.get(address))
    assert "Chrome, Android · active now" in page
    Device.objects.update(seen_at=timezone.now() - timedelta(minutes=7, seconds=5))
    assert "active 7\xa0minutes ago" in html(host.get(address))
    device = Device.objects.get()
    assert bob.post(f"/phones/{device.pk}/sign-out").status_code == 403
    assert someone().post(f"/phones/{device.pk}/sign-out").status_code == 404
    host.post(f"/phones/{device.pk}/sign-out")
    assert pulse(bob, night).status_code == 401
    assert bob.get(f"/nights/{night.pk}").headers["Location"].startswith("/sign-in")
    assert "Chrome, Android" not in html(host.get(address))
    assert phone(night, "bob").get(f"/nights/{night.pk}").status_code == 200


def test_releasing_a_name_signs_out_its_phone(host: Client, night: Night) -> None:
    bob = phone(night, "bob")
    host.post(f"/players/{player(night, 'bob').pk}/release")
    assert pulse(bob, night).status_code == 401


def test_joined_user_cannot_see_the_list_of_phones(night: Night) -> None:
    assert phone(night, "bob").get(f"/leagues/{night.league.pk}/phones").status_code == 403


def test_old_code_becomes_invalid_when_a_new_one_is_created(host: Client, night: Night) -> None:
    old = night.league.code
    host.post(f"/leagues/{night.league.pk}/code")
    new = League.objects.get().code
    assert new != old
    assert Client().get(f"/join/{old}").status_code == 404
    assert Client().get(f"/join/{new}").status_code == 200


def test_qr_code_is_shown_next_to_its_address(host: Client, night: Night, settings: Any) -> None:
    for place in (f"/nights/{night.pk}", f"/leagues/{night.league.pk}"):
        page = html(host.get(place, headers={"Host": "testserver"}))
        assert f'href="http://testserver/join/{night.league.code}?k=' in page
        assert "<svg" in page
        assert "style=" not in page
    settings.SERVED_AT = "http://192.168.1.5:8000"
    page = html(host.get(f"/nights/{night.pk}", headers={"Host": "localhost"}))
    assert f'href="http://192.168.1.5:8000/join/{night.league.code}?k=' in page

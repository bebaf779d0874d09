"""One-tap answers, links without an account, and nights started with the answers."""

from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from league.models import League, Night, NightAnswer, NightSeries, PlannedNight, Player, Role, User
from league.pages.planned_nights.cards import card
from league.people.leagues import add_member, add_player
from league.planned_nights.answer_links import give_links, share_answers, unshare_answers
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import (
    Details,
    drawn_order,
    plan,
    seed_hash,
    start,
    with_answers,
)
from league.sign_in.rate_limits import ANSWERS_HERE
from tests.helpers.league.leagues import NAMES, a_league, a_user
from tests.helpers.league.nights import closed

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> League:
    made = a_league()
    League.objects.filter(pk=made.pk).update(time_zone="Europe/Berlin")
    for name in NAMES:
        add_player(made, name)
    made.refresh_from_db()
    return made


@pytest.fixture
def planned(league: League) -> PlannedNight:
    details = Details(name="The big one", place="12 Hidden Street", note="the code is 77", seats=2)
    at = datetime.now(UTC) + timedelta(days=3)
    return plan(league, uuid4(), at, details, by=None)


@pytest.fixture
def host(league: League) -> Client:
    return signed_in(league.created_by)


def signed_in(user: User | None) -> Client:
    client = Client()
    assert user
    client.force_login(user)
    return client


def a_player(league: League, name: str) -> Client:
    """Return the client for a player with this name."""
    user = a_user(name)
    add_member(league, user, Role.PLAYER)
    Player.objects.filter(league=league, name=name).update(user=user)
    return signed_in(user)


def answers(planned: PlannedNight) -> set[tuple[str, str]]:
    return {(str(each), each.says) for each in NightAnswer.objects.filter(planned_night=planned)}


def test_one_tap_on_the_league_page_answers_an_invitation(
    league: League, planned: PlannedNight
) -> None:
    ann = a_player(league, "ann")
    page = ann.get(f"/leagues/{league.pk}").content.decode()
    assert "Next nights" in page
    at = f"/planned-nights/{planned.pk}/answer"
    assert f'action="{at}"' in page
    answer = ann.post(at, {"says": "yes", "stay": "league"})
    assert answer["Location"] == f"/leagues/{league.pk}#next-nights"
    assert "you're in" in ann.get(f"/leagues/{league.pk}").content.decode()
    assert answers(planned) == {("ann", "yes")}


def test_invitation_can_be_answered_with_two_taps(league: League, planned: PlannedNight) -> None:
    """One tap opens the page and another one answers. A player's link does not ask for a name."""
    ann = league.players.get(name="ann")
    [token] = give_links(league, [ann]).values()
    phone = Client()
    assert phone.get(f"/answers/{token}").status_code == 200
    answer = phone.post(f"/answers/{token}/{planned.pk}", {"says": "yes"})
    assert answer["Location"] == f"/answers/{token}"
    assert answers(planned) == {("ann", "yes")}


def test_answer_link_shows_only_names_and_dates(league: League, planned: PlannedNight) -> None:
    answer_for(planned, "Zoe", "yes", brings="a secret dish")
    league.players.filter(name="bob").update(name="Bartholomew")
    league.players.filter(name="cat").update(name="Philomena")
    answer_for(planned, league.players.get(name="Bartholomew"), "no")
    answer = Client().get(f"/answers/{share_answers(league, by=None)}")
    page = answer.content.decode()
    assert "Zoe" in page
    for hidden in ("Hidden Street", "the code is 77", "a secret dish", "Bartholomew", "Philomena"):
        assert hidden not in page
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert answer["Cache-Control"] == "private, no-store"


def test_guest_has_to_type_a_name_only_once(league: League, planned: PlannedNight) -> None:
    at, phone = f"/answers/{share_answers(league, by=None)}", Client()
    phone.post(f"{at}/{planned.pk}", {"says": "maybe", "name": " Zoe  Z. ", "guests": "2"})
    assert answers(planned) == {("Zoe Z.", "maybe")}
    page = phone.get(at).content.decode()
    assert 'value="Zoe Z."' in page
    phone.post(f"{at}/{planned.pk}", {"says": "yes", "name": "Zoe Z.", "guests": "1"})
    assert answers(planned) == {("Zoe Z.", "yes")}
    assert "you're in" in phone.get(at).content.decode()


def test_page_confirms_an_answer_by_link(league: League, planned: PlannedNight) -> None:
    """It names an answer that was replaced, because anyone with the link can answer as Bob."""
    answer_for(planned, league.players.get(name="bob"), "yes", guests=1)
    at, phone = f"/answers/{share_answers(league, by=None)}", Client()
    sent = {"says": "no", "name": " bob "}
    page = phone.post(f"{at}/{planned.pk}", sent, follow=True).content.decode()
    assert "bob answered no. The earlier answer was yes." in page
    page = phone.post(f"{at}/{planned.pk}", sent, follow=True).content.decode()
    assert "bob answered no." in page
    assert "The earlier answer" not in page
    ann = league.players.get(name="ann")
    own = f"/answers/{give_links(league, [ann])[ann.pk]}"
    page = Client().post(f"{own}/{planned.pk}", {"says": "maybe"}, follow=True).content.decode()
    assert "ann answered maybe." in page


def test_typed_answer_is_kept_after_an_error(league: League, planned: PlannedNight) -> None:
    at = f"/answers/{share_answers(league, by=None)}/{planned.pk}"
    a_player(league, "ann")
    answer = Client().post(at, {"says": "yes", "name": "Ann", "brings": "two decks"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "has joined" in page
    assert 'value="two decks"' in page
    assert not NightAnswer.objects.exists()


def test_answer_link_recognizes_signed_in_users(league: League, planned: PlannedNight) -> None:
    at, ann = f"/answers/{share_answers(league, by=None)}", a_player(league, "ann")
    assert "Are you coming, ann?" in ann.get(at).content.decode()
    ann.post(f"{at}/{planned.pk}", {"says": "no"})
    assert answers(planned) == {("ann", "no")}


def test_answer_link_opens_nights_of_its_league_until_it_is_revoked(
    league: League, planned: PlannedNight
) -> None:
    other = a_league()
    at = f"/answers/{share_answers(other, by=None)}"
    assert Client().post(f"{at}/{planned.pk}", {"says": "yes", "name": "Zoe"}).status_code == 404
    own = f"/answers/{share_answers(league, by=None)}"
    unshare_answers(league, by=None)
    assert Client().get(own).status_code == 404
    assert Client().post(f"{own}/{planned.pk}", {"says": "yes", "name": "Zoe"}).status_code == 404
    assert not NightAnswer.objects.exists()


def test_answers_are_rate_limited_by_address(league: League, planned: PlannedNight) -> None:
    cache.clear()
    at, phone = f"/answers/{share_answers(league, by=None)}/{planned.pk}", Client()
    codes = [
        phone.post(at, {"says": "yes", "name": "Zoe"}).status_code
        for _ in range(ANSWERS_HERE.most + 1)
    ]
    assert codes == [302] * ANSWERS_HERE.most + [429]
    # League members at the same IP address can still answer if they sign in.
    assert a_player(league, "ann").post(at, {"says": "yes"}).status_code == 302
    cache.clear()


def test_players_can_answer_for_themselves_and_hosts_for_all(
    league: League, planned: PlannedNight, host: Client
) -> None:
    bob, ann = league.players.get(name="bob"), a_player(league, "ann")
    at = f"/planned-nights/{planned.pk}/answers"
    assert ann.post(at, {"player": bob.pk, "says": "no"}).status_code == 403
    assert host.post(at, {"player": bob.pk, "says": "no"}).status_code == 302
    assert host.post(at, {"name": "Zoe", "says": "yes"}).status_code == 302
    assert answers(planned) == {("bob", "no"), ("Zoe", "yes")}
    both = host.post(at, {"player": bob.pk, "name": "Zoe", "says": "yes"})
    assert both.status_code == 400
    assert "a guest's name, not both." in both.context["other_form"].errors["player"][0]
    assert host.post(f"/planned-nights/{planned.pk}/answer", {"says": "yes"}).status_code == 403


def test_night_is_planned_in_the_leagues_time_zone(league: League, host: Client) -> None:
    day = (datetime.now(UTC) + timedelta(days=30)).date()
    form = {"key": uuid4(), "day": day.isoformat(), "at": "20:00", "seats": "8"}
    assert host.post(f"/leagues/{league.pk}/planned-nights", form).status_code == 302
    made = PlannedNight.objects.get()
    page = host.get(f"/planned-nights/{made.pk}").content.decode()
    assert f"{day.day} {day:%B}, 20:00" in page
    assert seed_hash(made.seed) in page
    assert made.seed not in page


def test_invalid_plan_is_reported_next_to_its_fields(league: League, host: Client) -> None:
    form = {"key": uuid4(), "day": "2020-01-01", "at": "20:00", "seats": "0", "place": "here"}
    answer = host.post(f"/leagues/{league.pk}/planned-nights", form)
    assert set(answer.context["form"].errors) == {"seats"}
    answer = host.post(f"/leagues/{league.pk}/planned-nights", form | {"seats": "7"})
    assert set(answer.context["form"].errors) == {"day"}
    assert 'value="here"' in answer.content.decode()
    for day in ("9999-12-31", "0001-01-01"):
        answer = host.post(f"/leagues/{league.pk}/planned-nights", form | {"day": day})
        assert "form" in answer.context


def test_series_can_be_planned_and_ended_on_its_page(league: League, host: Client) -> None:
    day = (datetime.now(UTC) + timedelta(days=2)).date()
    form = {"key": uuid4(), "starts_on": day.isoformat(), "at": "20:00", "every_weeks": "2"}
    assert host.post(f"/leagues/{league.pk}/series", form).status_code == 302
    assert PlannedNight.objects.filter(state="planned").count() == 4
    page = host.get(f"/leagues/{league.pk}/series").content.decode()
    assert f"Every 2 weeks, {day:%A} at 20:00" in page
    host.post(f"/series/{NightSeries.objects.get().pk}/end")
    assert not PlannedNight.objects.filter(state="planned").exists()
    for far in ("9999-12-31", "0001-01-01"):
        wrong = form | {"key": uuid4(), "starts_on": far, "ends_on": "0001-01-02"}
        assert host.post(f"/leagues/{league.pk}/series", wrong).status_code == 200
    assert NightSeries.objects.count() == 1


def start_form(page: Any) -> dict[str, Any]:
    form = page.context["form"]
    fields = {field.html_name: field.value() for field in form}
    return {name: value for name, value in fields.items() if value not in (None, False)}


def test_night_starts_with_accepted_players_in_the_order_drawn(
    league: League, planned: PlannedNight, host: Client
) -> None:
    answer_for(planned, league.players.get(name="dan"), "yes")
    answer_for(planned, "Zoe", "yes")
    answer_for(
        planned, league.players.get(name="cat"), "yes"
    )  # on the waiting list, because there are only two seats
    at = f"/planned-nights/{planned.pk}/start?seats=drawn"
    answer = host.post(at, start_form(host.get(at)))
    night = Night.objects.get()
    assert answer["Location"] == f"/nights/{night.pk}"
    assert night.pk == planned.pk
    seated = [seat.player for seat in night.seats.order_by("position").select_related("player")]
    assert sorted(player.name for player in seated) == ["Zoe", "dan"]
    planned.refresh_from_db()
    assert [player.pk for player in seated] == drawn_order(
        planned.seed, [player.pk for player in seated]
    )
    page = host.get(f"/planned-nights/{planned.pk}").content.decode()
    assert planned.seed in page
    assert host.get(at).status_code == 302


def test_start_page_lists_guests_with_seats_and_waiting_guests(
    league: League, planned: PlannedNight, host: Client
) -> None:
    """The night has two seats: for ann and one of her two guests."""
    answer_for(planned, league.players.get(name="ann"), "yes", guests=2)
    page = " ".join(host.get(f"/planned-nights/{planned.pk}/start").content.decode().split())
    assert "ann +1 (1 waiting)" in page


def test_answer_link_reports_that_the_night_has_started(
    league: League, planned: PlannedNight
) -> None:
    at = f"/answers/{share_answers(league, by=None)}"
    night = start(planned, planned.pk, [(each, 100) for each in league.players.all()], by=None)
    assert "The night has started." in Client().get(at).content.decode()
    closed(night)
    page = Client().get(at).content.decode()
    assert "No nights planned." in page
    assert "The night has started." not in page


def test_cancelled_night_cannot_be_started_answered_or_cancelled(
    league: League, planned: PlannedNight, host: Client
) -> None:
    assert host.post(f"/planned-nights/{planned.pk}/cancel").status_code == 302
    assert "This night is cancelled." in host.get(f"/planned-nights/{planned.pk}").content.decode()
    assert host.get(f"/planned-nights/{planned.pk}/start").status_code == 302
    ann = a_player(league, "ann")
    assert ann.post(f"/planned-nights/{planned.pk}/answer", {"says": "yes"}).status_code == 400
    assert ann.post(f"/planned-nights/{planned.pk}/cancel").status_code == 403
    assert not NightAnswer.objects.exists()


@pytest.mark.parametrize("minutes", ["30:12", "30:00"])
def test_exact_start_time_is_kept_unless_changed_on_the_form(
    planned: PlannedNight, host: Client, minutes: str
) -> None:
    """The form has no seconds and can't distinguish the two equal hours when clocks go back."""
    at = datetime.fromisoformat(f"2030-10-27T01:{minutes}Z")  # 02:30 occurs twice in Berlin
    PlannedNight.objects.filter(pk=planned.pk).update(starts_at=at)
    form = {"key": uuid4(), "day": "2030-10-27", "at": "02:30", "seats": "7"}
    assert host.post(f"/planned-nights/{planned.pk}/change", form).status_code == 302
    planned.refresh_from_db()
    assert (planned.starts_at, planned.moved, planned.seats) == (at, False, 7)
    soon = {"day": (timezone.now() + timedelta(days=9)).date().isoformat(), "at": "03:30"}
    assert host.post(f"/planned-nights/{planned.pk}/change", form | soon).status_code == 302
    planned.refresh_from_db()
    assert planned.moved
    assert planned.starts_at < at


def test_waiting_player_sees_the_number_on_the_waiting_list(
    league: League, planned: PlannedNight
) -> None:
    """Every waiting player was promised the next free seat. The night has two seats."""
    for name in ("ann", "bob", "cat", "dan"):
        answer_for(planned, league.players.get(name=name), "yes")
    planned = with_answers(PlannedNight.objects.all()).get(pk=planned.pk)
    places = [card(planned, league.players.get(name=name)) for name in ("cat", "dan")]
    assert [each.waiting_number for each in places] == [1, 2]
    page = render_to_string("planned_nights/my_place.html", {"card": places[1]})
    assert "You're number 2 on the waiting list." in unescape(page)

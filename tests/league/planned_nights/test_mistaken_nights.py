"""A night that was started by mistake is cancelled and does not count (decision 0103)."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.chat.services import add_channel
from league.closing.chip_count import count
from league.closing.close import close_night, reopen_night
from league.closing.standings import standings
from league.common.errors import IdReusedError, NightClosedError, RefusedError
from league.integrity.audit import audit
from league.models import (
    ChatPost,
    LeftoverPolicy,
    Night,
    Notice,
    PlannedNight,
    Player,
    Role,
)
from league.nights.buy_ins import buy_in
from league.nights.opening import start_night
from league.nights.share_links import share_screen
from league.people.joining import join
from league.people.leagues import add_player
from league.planned_nights import planning
from league.planned_nights.mistaken_nights import cancel_night
from league.planned_nights.planning import Details, plan
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.stats.figures.results_by_night import evenings
from league.stats.scopes import of_season
from tests.helpers.api.clients import member
from tests.helpers.league.deals import a_deal
from tests.helpers.league.leagues import a_league, a_night, holdem, player, qualifiers
from tests.helpers.league.nights import again, chosen, closed, dealt, tabs
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


def started(key: UUID | None = None) -> Night:
    """Return a night that a host has just started, with ann and bob."""
    league = a_league()
    players = [add_player(league, name) for name in ("ann", "bob")]
    return start_night(league, key or uuid4(), [(each, 100) for each in players], by=None)


def cancelled(night: Night) -> Night:
    cancel_night(night, uuid4(), by=None)
    return again(night)


def refusals(night: Night) -> list[str]:
    with pytest.raises(RefusedError) as refused:
        cancel_night(night, uuid4(), by=None)
    return [error["text"] for error in refused.value.errors]


def test_cancelled_night_returns_its_chips_and_is_closed() -> None:
    night = cancelled(started())
    assert night.state == Night.State.CLOSED
    assert tabs(night.league) == {}
    assert not night.buy_ins.filter(posting__reversal=None).exists()
    assert night.buy_ins.count() == 2, "nothing is deleted"
    assert audit() == []


def test_cancelled_night_does_not_count_in_the_season() -> None:
    night = cancelled(started())
    assert standings(night.season) == []
    read = evenings(of_season(night.season))
    assert (read.played, read.held) == ([], 0)
    host = member(night.league, Role.HOST)
    assert "not played" in html(host.get(f"/leagues/{night.league.pk}"))
    assert str(night) not in html(host.get(f"/leagues/{night.league.pk}/tonight"))
    assert str(night) not in html(host.get(f"/leagues/{night.league.pk}/money"))
    calendar = host.get(f"/api/v1/leagues/{night.league.pk}/nights.ics")
    assert str(night.pk) not in calendar.content.decode()


def test_player_of_a_cancelled_night_has_not_played() -> None:
    night = cancelled(started())
    ann, host = player(night, "ann"), member(night.league, Role.HOST)
    assert "ann hasn't played a hand yet" in html(host.get(f"/players/{ann.pk}"))
    page = html(host.get(f"/players/{ann.pk}/edit"))
    assert "ann hasn't played, but is on the receipt of a cancelled night" in page
    assert "Remove player" not in page


def test_cancelled_night_is_announced_to_no_player() -> None:
    night = started()
    host = night.league.created_by
    join(night.league, player(night, "ann"))
    add_channel(night.league, uuid4(), "https://ntfy.example.org/thursdays", by=host)
    cancelled(night)
    assert not ChatPost.objects.exclude(closing=None).exists()
    assert not Notice.objects.exists()


def test_night_with_hands_chips_or_costs_is_not_cancelled() -> None:
    night = started()
    ann = player(night, "ann")
    buy_in(night, ann, 50, buy_in_id=uuid4(), by=None)
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    assert refusals(night) == ["hands were recorded", "chips were bought after the start"]
    assert again(night).state == Night.State.OPEN
    void_hand(hand, by=None)
    assert refusals(night) == ["chips were bought after the start"]


def test_hand_restored_in_a_cancelled_night_reopens_it_for_the_hosts() -> None:
    """Nobody has decided yet how the stacks of a cancelled night are counted."""
    night = started()
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    void_hand(hand, by=None)
    assert cancelled(night).state == Night.State.CLOSED
    revise_hand(hand, uuid4(), holdem(), by=None)
    assert again(night).state == Night.State.OPEN
    assert tabs(night.league) == {}
    assert audit() == []


@pytest.mark.parametrize("chips", [0, 100])
def test_night_with_counted_chips_is_not_cancelled(chips: int) -> None:
    night = started()
    count(night, player(night, "ann"), chips, count_id=uuid4(), by=None)
    assert refusals(night) == ["chips were counted"]
    count(night, player(night, "ann"), None, count_id=uuid4(), by=None)
    assert cancelled(night).state == Night.State.CLOSED


def test_closed_night_with_hands_is_not_cancelled() -> None:
    night = a_night()
    dealt(night, holdem())
    closed(night)
    with pytest.raises(NightClosedError):
        cancel_night(night, uuid4(), by=None)


def test_page_refuses_to_cancel_a_closed_night_with_a_message() -> None:
    """Another host can close the night while this host's page still offers to cancel it."""
    night = a_night()
    dealt(night, holdem())
    closed(night)
    host = member(night.league, Role.HOST)
    shown = host.post(f"/nights/{night.pk}/cancel", follow=True)
    assert "The night is closed. A host can reopen it." in html(shown)
    assert again(night).state == Night.State.CLOSED


def test_cancelling_twice_changes_nothing() -> None:
    night = started()
    first = cancel_night(night, uuid4(), by=None)
    assert cancel_night(night, uuid4(), by=None) == first
    assert night.closings.count() == 1


def test_cancelled_night_can_be_reopened() -> None:
    night = cancelled(started())
    reopen_night(night, by=None)
    assert again(night).state == Night.State.OPEN


def test_pots_of_earlier_nights_move_on_from_a_cancelled_night() -> None:
    """The league keeps unclaimed pots for the next night (decision 0005)."""
    night = chosen(a_night(), leftover=LeftoverPolicy.STAYS)
    league = night.league
    dealt(night, qualifiers())
    closed(again(night))
    sitting = [(each, 100) for each in league.players.order_by("name")]
    mistaken = cancelled(start_night(league, uuid4(), sitting, by=None))
    following = start_night(league, uuid4(), sitting, by=None)
    assert [pot["amount"] for pot in following.opening_pots] == [20]
    assert str(mistaken.pk) == following.opening_pots[0]["from"]
    assert audit() == []


def a_started_plan() -> tuple[PlannedNight, Night]:
    league = a_league()
    ann = add_player(league, "ann")
    at = datetime.now(UTC) + timedelta(days=3)
    planned = plan(league, uuid4(), at, Details(name="Friday"), by=None)
    night = planning.start(planned, planned.pk, [(ann, 100)], by=None, name="Friday")
    return planned, night


def test_planned_night_can_be_started_again_after_a_mistake() -> None:
    planned, night = a_started_plan()
    seed = planned.seed
    cancelled(night)
    planned.refresh_from_db()
    assert (planned.state, planned.night) == (PlannedNight.State.PLANNED, None)
    assert planned.seed != seed, "the seed was published when the night started"
    host = member(planned.league, Role.HOST)
    ann, bob = Player.objects.get(name="ann"), add_player(planned.league, "bob")
    page = host.get(f"/planned-nights/{planned.pk}/start")
    key = page.context["form"]["key"].value()
    sent = {"key": key, "usual": 100, "name": "", f"sits-{ann.pk}": "on", f"sits-{bob.pk}": "on"}
    response = host.post(f"/planned-nights/{planned.pk}/start", sent)
    assert response.headers["Location"] == f"/nights/{key}"
    planned.refresh_from_db()
    assert planned.night
    assert planned.night.pk != night.pk
    assert planned.night.state == Night.State.OPEN


def test_form_drawn_before_the_mistake_does_not_start_the_cancelled_night() -> None:
    planned, night = a_started_plan()
    cancelled(night)
    with pytest.raises(IdReusedError):
        planning.start(planned, night.pk, [], by=None, name="Friday")
    planned.refresh_from_db()
    assert planned.state == PlannedNight.State.PLANNED


def cancels(client: Client, night: Night) -> int:
    return client.post(f"/nights/{night.pk}/cancel").status_code


def test_only_hosts_cancel_a_night_on_its_page() -> None:
    night = started()
    offered = f'action="/nights/{night.pk}/cancel"'
    keeper, host = member(night.league, Role.SCOREKEEPER), member(night.league, Role.HOST)
    assert offered not in html(keeper.get(f"/nights/{night.pk}"))
    assert cancels(keeper, night) == 403
    assert offered in html(host.get(f"/nights/{night.pk}"))
    assert cancels(host, night) == 302
    page = html(host.get(f"/nights/{night.pk}"))
    assert "Nothing was played this night." in page
    assert "If the night was cancelled, its buy-ins stay undone." in page
    assert offered not in page


def test_page_of_a_night_with_hands_does_not_offer_to_cancel_it() -> None:
    night = started()
    record_hand(night, uuid4(), holdem(), by=None)
    host = member(night.league, Role.HOST)
    assert f"/nights/{night.pk}/cancel" not in html(host.get(f"/nights/{night.pk}"))
    assert cancels(host, night) == 302
    assert "Hands were recorded." in html(host.get(f"/nights/{night.pk}"))


def test_empty_night_that_was_closed_is_marked_as_not_played() -> None:
    """Leagues may have empty nights that were closed before they could be cancelled."""
    night = start_night(a_league(), uuid4(), [], by=None)
    close_night(night, uuid4(), by=None)
    host = member(night.league, Role.HOST)
    assert "not played" in html(host.get(f"/leagues/{night.league.pk}"))


def test_tv_screen_of_a_cancelled_night_shows_no_game() -> None:
    night = started()
    at = reverse("shared-screen", args=[share_screen(night, by=None)])
    assert f"<h1>{night}</h1>" in html(Client().get(at))
    cancelled(night)
    page = html(Client().get(at))
    assert "No game tonight" in page
    for gone in (f"<h1>{night}</h1>", "Night over", 'class="seat', "Scan to join"):
        assert gone not in page


def test_tv_screen_of_a_night_that_was_played_shows_its_end() -> None:
    night = started()
    at = reverse("shared-screen", args=[share_screen(night, by=None)])
    dealt(night)
    closed(night)
    page = html(Client().get(at))
    assert "Night over" in page
    assert "No game tonight" not in page


def test_page_names_the_deal_that_must_be_cancelled_first() -> None:
    night = started()
    host = member(night.league, Role.HOST)
    cancel = f'action="/nights/{night.pk}/cancel"'
    offered = html(host.get(f"/nights/{night.pk}")).partition(cancel)[2].partition("</form>")[0]
    assert ("<button" in offered, "Cancel the deal" in offered) == (True, False)
    a_deal(night, "five-card-stud")
    offered = html(host.get(f"/nights/{night.pk}")).partition(cancel)[2].partition("</form>")[0]
    assert "<button" not in offered
    assert 'href="#change-deal">Cancel the deal of Five-Card Stud first</a>' in offered

"""A tournament's pages: scorekeepers run it, members view it, invalid input is reported."""

from uuid import uuid4

import pytest
from django.test import Client

from league.models import Charge, Night, Role, Tournament
from league.people.leagues import add_player, make_league
from league.tournaments.events import draw_seats, start_clock, state_of, tournaments_of
from league.tournaments.field import Act
from league.tournaments.finishing import finish
from league.tournaments.making import change
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night, a_user, player
from tests.helpers.league.nights import closed
from tests.helpers.league.pages import html
from tests.helpers.league.tournaments import a_tournament, details, entered, happens

pytestmark = pytest.mark.django_db
TYPED = {
    "entry": "20",
    "stack": "5000",
    "levels": "25/50 20 min\nbreak 10",
    "seats": "9",
}


@pytest.fixture
def night() -> Night:
    return a_night()


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def at(tournament: Tournament, below: str = "") -> str:
    return f"/nights/{tournament.night_id}/tournaments/{tournament.pk}{below}"


def test_typed_money_is_converted_to_whole_chips() -> None:
    night = a_night(make_league(a_user(), "Quarters", chip_value=25))
    host, key = member(night.league, Role.HOST), uuid4()
    new = f"/nights/{night.pk}/tournaments/new"
    typed = {**TYPED, "key": key, "rebuy": "10", "rebuy_stack": "4000", "parts": "60 40 %"}
    typed["games"] = "Omaha, Five-Card Stud"
    assert host.post(new, typed).status_code == 302
    made = Tournament.objects.get(pk=key)
    assert (made.entry, made.rebuy, made.bounty, made.parts) == (80, 40, 0, [60, 40])
    assert made.levels[0]["game"] == "Omaha"
    shown = host.get(at(made, "/change")).content.decode()
    assert 'value="20.00"' in shown
    assert "25/50 20 min" in shown
    response = host.post(new, {**TYPED, "key": uuid4(), "entry": "0.10", "levels": "25 for 20"})
    assert response.status_code == 400
    page = response.content.decode()
    assert "Not a whole number of chips" in page
    assert "Line 1 (25 for 20) is not a level" in page
    assert "25 for 20</textarea>" in page  # the text that was typed is kept


def test_empty_list_comes_before_its_button(night: Night, host: Client) -> None:
    page = html(host.get(f"/nights/{night.pk}/tournaments"))
    assert page.index("No tournaments tonight.") < page.index("New tournament")


def test_error_names_its_level_and_marks_its_row(night: Night, host: Client) -> None:
    levels = "25/10 20 min\n50/100 20 min\nbreak 0\n100/200 0 min"
    typed = {**TYPED, "key": uuid4(), "levels": levels}
    page = html(host.post(f"/nights/{night.pk}/tournaments/new", typed))
    for text in (
        "Level 1: the small blind must not be larger than the big blind.",
        "Break after level 2: a level lasts from 1 to 240 minutes.",
        "Level 3: a level lasts from 1 to 240 minutes.",
    ):
        assert text in page
    assert 'data-wrong="0 2 3"' in page


def test_rebuy_after_a_knockout_is_shown_with_its_bounty(night: Night, host: Client) -> None:
    tournament = a_tournament(night, rebuy=10, bounty=5)
    page = host.get(at(tournament)).content.decode()
    assert "rebuy 0.10 USD" in page
    assert "0.15 USD after a knockout" in page


def test_all_seated_players_enter_with_one_request(night: Night, host: Client) -> None:
    """Seven players took seven taps."""
    tournament = a_tournament(night)
    add_player(night.league, "eve")  # has no seat
    entry = {"key": uuid4(), "kind": "entry", "player": player(night, "bob").pk}
    host.post(at(tournament, "/events"), entry)
    assert "Add all 3 seated players" in host.get(at(tournament)).content.decode()
    everyone = {"key": uuid4(), "everyone": "1"}
    for _ in range(2):
        assert host.post(at(tournament, "/events"), everyone).status_code == 302
    state = state_of(tournament)
    assert sorted(each.name for each in state.players.values()) == ["ann", "bob", "cat", "dan"]
    assert len(state.events) == 4
    assert "seated players" not in host.get(at(tournament)).content.decode()


def test_form_marks_the_preset_whose_levels_it_contains(night: Night, host: Client) -> None:
    """A new tournament had the levels of Normal, but no preset was marked."""
    page = host.get(f"/nights/{night.pk}/tournaments/new").content.decode()
    assert page.count('aria-pressed="true"') == 1
    assert "Normal" in page.partition('aria-pressed="true"')[2].partition("</button>")[0]


def test_clock_without_players_is_pointed_out(night: Night, host: Client) -> None:
    tournament = a_tournament(night)
    assert "Add them before you start the clock" in host.get(at(tournament)).content.decode()
    host.post(at(tournament, "/clock"), {"do": "start"})
    assert "no players are in yet" in host.get(at(tournament)).content.decode()
    host.post(at(tournament, "/events"), {"key": uuid4(), "everyone": "1"})
    assert "no players are in yet" not in host.get(at(tournament)).content.decode()


def test_tournament_can_be_run_on_its_page(night: Night, host: Client) -> None:
    tournament = a_tournament(night)
    for name in ("ann", "bob"):
        told = {"key": uuid4(), "kind": "entry", "player": player(night, name).pk}
        assert host.post(at(tournament, "/events"), told).status_code == 302
    host.post(at(tournament, "/seats"), {"key": uuid4(), "how": "draw"})
    host.post(at(tournament, "/clock"), {"do": "on"})
    ann, bob = player(night, "ann"), player(night, "bob")
    out = {"key": uuid4(), "kind": "out", "player": bob.pk, "knocked_out_by": [ann.pk]}
    host.post(at(tournament, "/events"), out)
    state = state_of(tournaments_of(night).get())
    assert (state.field.out, state.clock.number) == ([bob.pk], 1)
    host.post(at(tournament, f"/events/{out['key']}/undo"), {"key": uuid4()})
    assert len(state_of(tournament).field.playing) == 2
    host.post(at(tournament, "/events"), {**out, "key": uuid4()})
    said = host.post(at(tournament, "/end"), {}, follow=True).content.decode()
    assert "ann wins" in said
    assert Charge.objects.get().kind == "tournament"
    host.post(at(tournament, "/go-on"))
    assert "ann wins" not in host.get(at(tournament)).content.decode()


@pytest.mark.parametrize("bounty", [0, 5])
def test_knockout_needs_a_choice_of_who_gets_the_bounty(
    night: Night, host: Client, bounty: int
) -> None:
    """The bounty went to the prize pool if the scorekeeper forgot to tick a player."""
    tournament = a_tournament(night, bounty=bounty)
    ann, bob, _ = entered(tournament, "ann", "bob", "cat")
    out = {"kind": "out", "player": bob.pk}
    unclear = ({}, {"no_player": "on", "knocked_out_by": [ann.pk]}) if bounty else ()
    for answer in unclear:
        typed = out | answer | {"key": uuid4()}
        page = html(host.post(at(tournament, "/events"), typed, follow=True))
        assert "Choose the players, or “Nobody”, not both." in page
        assert state_of(tournament).field.out == []
    nobody = {"no_player": "on"} if bounty else {}
    page = html(host.post(at(tournament, "/events"), out | nobody | {"key": uuid4()}, follow=True))
    assert state_of(tournament).field.out == [bob.pk]
    assert ("Nobody (the bounty goes to the prize pool)" in page) == bool(bounty)


def test_knockout_is_undone_in_reach_by_the_scorekeeper_who_recorded_it(
    night: Night, host: Client
) -> None:
    """As after a saved hand, the bar names what was recorded and offers to undo it."""
    tournament = a_tournament(night)
    ann, bob, cat = entered(tournament, "ann", "bob", "cat")
    out = {"key": uuid4(), "kind": "out", "player": bob.pk, "knocked_out_by": [ann.pk]}
    page = host.post(at(tournament, "/events"), out, follow=True).content.decode()
    bar = page.split('class="undo"')[1].split("</form>")[0]
    assert "<p>ann knocked out bob.</p>" in bar
    other = member(night.league, Role.HOST)
    assert 'class="undo"' not in other.get(at(tournament)).content.decode()
    page = host.post(
        at(tournament, f"/events/{out['key']}/undo"), {"key": uuid4()}, follow=True
    ).content.decode()
    assert 'class="undo"' not in page
    assert cat.name in page
    assert len(state_of(tournament).field.playing) == 3


def test_tournament_without_entries_has_no_players_yet(night: Night, host: Client) -> None:
    tournament = a_tournament(night)
    assert "No players yet" in host.get(at(tournament)).content.decode()
    entered(tournament, "ann")
    assert "1 of 1 players left" in host.get(at(tournament)).content.decode()


def test_closed_night_offers_no_new_tournament(night: Night, host: Client) -> None:
    link, page = f'href="/nights/{night.pk}/tournaments"', f"/nights/{night.pk}"
    assert link in host.get(page).content.decode()
    closed(night)
    assert link not in host.get(page).content.decode()


def test_error_is_shown_on_the_page(night: Night, host: Client) -> None:
    tournament = a_tournament(night)
    entered(tournament, "ann")
    told = {"key": uuid4(), "kind": "entry", "player": player(night, "ann").pk}
    said = host.post(at(tournament, "/events"), told, follow=True).content.decode()
    assert "has already entered" in said


def test_members_can_view_but_not_change_a_tournament(night: Night) -> None:
    tournament = a_tournament(night)
    entered(tournament, "ann", "bob")
    looks = member(night.league, Role.VIEWER)
    assert looks.get(at(tournament)).status_code == 200
    for below in ("/events", "/clock", "/seats", "/end", "/go-on", "/call-off", "/change"):
        assert looks.post(at(tournament, below), {}).status_code == 403, below
    assert "Start clock" not in looks.get(at(tournament)).content.decode()


def test_tournament_can_only_be_found_under_its_own_night(night: Night, host: Client) -> None:
    tournament = a_tournament(night)
    other = a_night()
    assert host.get(f"/nights/{other.pk}/tournaments/{tournament.pk}").status_code == 404


def test_tables_with_too_few_seats_are_shown_unchanged(night: Night, host: Client) -> None:
    """Nine players are seated. With two seats per table, four tables hold only eight."""
    names = [f"player {number}" for number in range(9)]
    for name in names:
        add_player(night.league, name)
    tournament = a_tournament(night)
    entered(tournament, *names)
    draw_seats(tournament, uuid4(), by=None)
    change(tournament, details(seats=2), by=None)
    assert "player 8" in host.get(at(tournament)).content.decode()
    assert host.get(f"/nights/{night.pk}/screen").status_code == 200
    refused = host.post(at(tournament, "/seats"), {"how": "balance", "key": uuid4()}, follow=True)
    assert "4 tables of 2 hold 8 players" in refused.content.decode()


def a_field(night: Night) -> Tournament:
    """Return a tournament of three in which bob knocked out cat. A chip is worth 0.25 USD."""
    tournament = a_tournament(night)
    _ann, bob, cat = entered(tournament, "ann", "bob", "cat")
    happens(tournament, Act.OUT, cat, bob)
    return tournament


def test_payouts_of_a_deal_are_money_and_wrong_stacks_are_pointed_out() -> None:
    """Three stacks of 5,000 are in play, and the pool is 60 chips of 0.25 USD."""
    night = a_night(make_league(a_user(), "Quarters", chip_value=25))
    host, tournament = member(night.league, Role.HOST), a_field(night)
    ann, bob = player(night, "ann"), player(night, "bob")
    stacks = {f"stack-{ann.pk}": "10000", f"stack-{bob.pk}": "4000"}
    page = host.post(at(tournament, "/end"), {**stacks, "propose": "chips"}).content.decode()
    assert "15.00 USD to share" in page
    assert "The stacks add up to 14,000, but 15,000 chips are in play." in page
    parts = {f"part-{ann.pk}": "10.00", f"part-{bob.pk}": "4.75"}
    page = host.post(at(tournament, "/end"), {**stacks, **parts}).content.decode()
    assert "59 chips (14.75 USD), but 60 chips (15.00 USD) are left" in page
    parts[f"part-{bob.pk}"] = "5"
    assert host.post(at(tournament, "/end"), {**stacks, **parts}).status_code == 302
    tournament.refresh_from_db()
    assert [each.prize for each in state_of(tournament).results] == [40, 20, 0]
    page = host.get(at(tournament)).content.decode()
    assert "Prize (USD)" in page
    assert "+ 1.25 bounty" in page


def test_eliminated_player_is_shown_with_place_and_bounties(night: Night, host: Client) -> None:
    tournament = a_tournament(night)
    ann, bob, cat = entered(tournament, "ann", "bob", "cat")
    happens(tournament, Act.OUT, cat, bob)
    happens(tournament, Act.OUT, bob, ann)
    page = host.get(at(tournament)).content.decode().partition("out, place 2")[2]
    assert page.index("0.05 USD in bounties") < page.index("out, place 3")


def test_undo_is_offered_where_no_later_event_depends_on_it(night: Night, host: Client) -> None:
    """The entries of bob and cat are needed by the knockout, the one of ann is not."""
    tournament = a_field(night)
    page = host.get(at(tournament)).content.decode()
    offered = ["ann entered", "bob entered", "cat entered", "bob knocked out cat"]
    assert [text for text in offered if f"Undo: {text}" in page] == [offered[0], offered[3]]


def test_knockout_that_leaves_one_player_pauses_the_clock(night: Night) -> None:
    tournament = a_field(night)
    start_clock(tournament, by=None)
    ann, bob = player(night, "ann"), player(night, "bob")
    happens(tournament, Act.OUT, bob, ann)
    assert not state_of(Tournament.objects.get(pk=tournament.pk)).runs


def test_open_night_names_what_tournaments_contribute_to_nets(night: Night, host: Client) -> None:
    """A net of +25 next to an unchanged stack looked wrong."""
    tournament = a_tournament(night, bounty=0)
    ann, bob = entered(tournament, "ann", "bob")
    happens(tournament, Act.OUT, bob, ann)
    finish(tournament, by=None)
    page = host.get(f"/nights/{night.pk}").content.decode()
    assert "+20 in tournaments" in page
    assert "\N{MINUS SIGN}20 in tournaments" in page


def test_reopening_a_tournament_of_a_closed_night_says_that_it_reopens_the_night(
    night: Night, host: Client
) -> None:
    """One tap used to undo a settled night's closing."""
    tournament = a_field(night)
    happens(tournament, Act.OUT, player(night, "bob"), player(night, "ann"))
    finish(tournament, by=None)
    assert "Reopen night and tournament" not in host.get(at(tournament)).content.decode()
    closed(night)
    page = host.get(at(tournament)).content.decode()
    assert "This reopens it too and undoes the closing." in page
    assert "Reopen night and tournament" in page
    assert "Undo charge" not in host.get(f"/nights/{night.pk}/charges").content.decode()

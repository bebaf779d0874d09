"""The TV screen: who may see it, by which link, for how long, and what it hides."""

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

from league.closing.close import reopen_night
from league.common.errors import RefusedError
from league.deals.declarations import declare
from league.deals.open_deal import set_state
from league.deals.shown_cards import show_cards
from league.models import Deal, League, Membership, Night, Role, ScreenLink, User
from league.nights import share_links
from league.nights.buy_ins import buy_in
from league.nights.nights import leave
from league.nights.opening import open_night
from league.nights.share_links import screen_version, share_screen, shared_screen, unshare_screen
from league.pages.nights import latest_verdict
from league.pages.nights.screen import ScreenSeat, ring, table_screen
from league.people.leagues import add_player
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from league.tournaments.field import Act
from tests.helpers.api.clients import member, someone
from tests.helpers.league.deals import a_deal, at_stage, user_of
from tests.helpers.league.leagues import a_league, a_night, a_user, holdem, player, qualifiers
from tests.helpers.league.matches import deals_on, guts
from tests.helpers.league.nights import closed, counted
from tests.helpers.league.pages import html
from tests.helpers.league.tournaments import a_tournament, entered, happens

pytestmark = pytest.mark.django_db
NOBODY_SIGNED_IN = "private, no-store"


@pytest.fixture(autouse=True)
def _nobody_was_here() -> None:
    cache.clear()


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def linked(night: Night, **how: Any) -> str:
    return f"/screens/{share_screen(night, by=None, **how)}"


def made(client: Client, night: Night, **fields: str) -> HttpResponse:
    return client.post(f"/nights/{night.pk}/screen/share", fields)


# Access


def test_only_members_can_see_the_screen(night: Night) -> None:
    at = f"/nights/{night.pk}/screen"
    for role in Role:
        assert member(night.league, role).get(at).status_code == 200
    assert someone().get(at).status_code == 404
    assert Client().get(at).headers["Location"].startswith("/sign-in")


def test_night_in_another_league_is_not_found(night: Night, host: Client) -> None:
    other = a_night()
    assert host.get(f"/nights/{other.pk}/screen").status_code == 404
    assert made(host, other).status_code == 404
    assert host.post(f"/nights/{other.pk}/screen/unshare").status_code == 404
    assert not ScreenLink.objects.exists()


def test_screen_link_shows_only_its_night(night: Night, client: Client) -> None:
    other = a_night()
    at = linked(night)
    record_hand(night, uuid4(), holdem(), by=None)
    text = html(client.get(at))
    assert "ann wins 20" in text
    assert str(other.pk) not in text
    assert "wins" not in html(client.get(linked(other)))


def test_only_the_hash_of_a_screen_link_is_stored(night: Night) -> None:
    token = share_screen(night, by=None)
    assert len(token) >= 32
    assert token not in str(ScreenLink.objects.values_list())
    screen = shared_screen(token)
    assert screen is not None
    assert screen.night == night
    assert [shared_screen(wrong) for wrong in (token[:-1], "", "\ud800")] == [None] * 3


def test_only_scorekeepers_can_create_and_revoke_screen_links(night: Night) -> None:
    for role, status in ((Role.HOST, 200), (Role.SCOREKEEPER, 200), (Role.PLAYER, 403)):
        assert made(member(night.league, role), night).status_code == status
    assert made(someone(), night).status_code == 404
    assert made(Client(), night).status_code == 302
    assert ScreenLink.objects.count() == 2
    player = member(night.league, Role.PLAYER)
    assert player.post(f"/nights/{night.pk}/screen/unshare").status_code == 403
    assert "screen/share" not in html(player.get(f"/nights/{night.pk}"))
    assert f"/nights/{night.pk}/screen" in html(player.get(f"/nights/{night.pk}"))


def test_screen_link_is_shown_once_with_its_qr_code(night: Night, host: Client) -> None:
    assert f"/nights/{night.pk}/screen/share" in html(host.get(f"/nights/{night.pk}"))
    answer = made(host, night)
    page = html(answer)
    assert 'id="address" href="http://testserver/screens/' in page
    for button in ("data-share", "data-copy"):
        assert f'{button}="http://testserver/screens/' in page
    assert "<svg" in page
    assert answer["Cache-Control"] == NOBODY_SIGNED_IN


# Expiry


def test_revoked_screen_links_return_404(night: Night, host: Client) -> None:
    links = [linked(night), linked(night)]
    assert Client().get(links[0]).status_code == 200
    host.post(f"/nights/{night.pk}/screen/unshare")
    for link in links:
        assert Client().get(link).status_code == 404
        assert Client().get(f"{link}/pulse").status_code == 404
    assert unshare_screen(night) == 0


def test_screen_link_expires_an_hour_after_its_night(
    night: Night, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = linked(night)
    record_hand(night, uuid4(), holdem(), by=None)
    counted(night)
    closed(night)
    text = html(client.get(at))
    assert "Night over" in text
    assert "+10" in text
    with pytest.raises(RefusedError, match="closed"):
        share_screen(night, by=None)
    monkeypatch.setattr(share_links, "AFTER_CLOSING", timedelta(0))
    assert client.get(at).status_code == 404
    assert client.get(f"{at}/pulse").status_code == 404
    reopen_night(night, by=None)
    assert client.get(at).status_code == 200


@pytest.mark.parametrize(("players", "listed", "more"), [(8, 8, ""), (14, 12, "and 2 more")])
def test_closed_night_lists_all_players_that_fit_with_their_results(
    players: int, listed: int, more: str, client: Client
) -> None:
    """The list ended after five players, so the biggest losers were missing."""
    names = ["ann", "bob", *(f"guest {number}" for number in range(2, players))]
    league = a_league()
    seated = [add_player(league, name) for name in names]
    night = open_night(league, players=seated)
    for each in seated:
        buy_in(night, each, 50, buy_in_id=uuid4(), by=None)
    at = linked(night)
    record_hand(night, uuid4(), holdem(), by=None)
    counted(night)
    leave(night, player(night, "bob"))
    closed(night)
    text = html(client.get(at))
    assert text.count('<span class="game">') == listed
    assert ("more player" in text, more in text) == (bool(more), True)
    assert more or '<span class="game">bob</span>' in text


def test_closed_night_has_no_screen_link(night: Night, host: Client) -> None:
    record_hand(night, uuid4(), holdem(), by=None)
    counted(night)
    closed(night)
    assert made(host, night).status_code == 404
    assert "TV screen" not in html(host.get(f"/nights/{night.pk}"))
    assert "Night over" in html(host.get(f"/nights/{night.pk}/screen"))


def test_screen_link_expires_after_two_days(night: Night, client: Client) -> None:
    at = linked(night)
    ScreenLink.objects.update(made_at=timezone.now() - timedelta(days=2, minutes=1))
    assert client.get(at).status_code == 404


# Queries


def test_update_check_with_an_unchanged_screen_link_runs_one_query(
    night: Night, client: Client
) -> None:
    """docs/decisions/0031-table-screen.md: without a user, there is no session to read."""
    at = f"{linked(night)}/pulse"
    first = client.get(at)
    night.refresh_from_db()
    assert first.json() == {"version": night.version}
    with CaptureQueriesContext(connection) as queries:
        again = client.get(at, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert len(queries) == 1, [each["sql"] for each in queries]
    record_hand(night, uuid4(), holdem(), by=None)
    response = client.get(at, headers={"If-None-Match": first.headers["ETag"]})
    assert response.status_code == 200


def test_page_contains_its_version(night: Night, client: Client) -> None:
    token = share_screen(night, by=None)
    record_hand(night, uuid4(), holdem(), by=None)
    version = screen_version(token)
    text = html(client.get(f"/screens/{token}"))
    assert f'data-pulse="/screens/{token}/pulse" data-version="{version}"' in text


# Content


def test_screen_is_read_only(night: Night, client: Client, host: Client) -> None:
    at_stage(a_deal(night), "declare")
    for page in (client.get(linked(night)), host.get(f"/nights/{night.pk}/screen")):
        text = html(page)
        assert not [word for word in ("<form", "<button", "<input", "<a ", "csrf") if word in text]
        assert page["X-Robots-Tag"] == "noindex, nofollow"
        assert page["Cache-Control"] == NOBODY_SIGNED_IN
        assert "script-src 'self'" in page["Content-Security-Policy"]
        assert "style=" not in text


def test_screen_shows_only_that_a_declaration_is_locked(night: Night) -> None:
    """Two screens that differ only in the declarations have exactly the same text."""
    deal = at_stage(a_deal(night), "declare")
    ann, at = player(night, "ann"), linked(night)
    seen = []
    for word in ("high", "low"):
        Deal.objects.update(revealed_at=None)
        deal.players.update(declaration="")
        declare(night, deal.pk, ann, word, by=user_of(ann))
        screen = html(Client().get(at)).partition('<main id="screen"')[2].partition("</main>")[0]
        before, clock, after = screen.partition('data-now="')
        seen.append(before + clock + after.partition('"')[2])
        assert screen.count('<span class="sign">locked</span>') == 1
        assert "1 of 4 locked" in screen
    assert seen[0] == seen[1]


def test_declarations_are_shown_once_all_are_locked(night: Night, client: Client) -> None:
    deal, at = at_stage(a_deal(night), "declare"), linked(night)
    words = dict(zip(("ann", "bob", "cat"), ("high", "low", "both"), strict=True))
    set_state(night, deal.pk, player(night, "dan"), "folded", by=a_user())
    for name, word in words.items():
        assert "declared" not in html(client.get(at))
        who = player(night, name)
        declare(night, deal.pk, who, word, by=user_of(who))
    text = html(client.get(at))
    assert "locked" not in text
    for word in words.values():
        assert f'<span class="sign declared">{word.capitalize()}</span>' in text
    assert '<span class="sign">folded</span>' in text


def test_open_deal_shows_its_game_its_stage_and_the_reported_board(
    night: Night, client: Client
) -> None:
    at = linked(night)
    deal = a_deal(night, options={})
    text = html(client.get(at))
    assert "Omaha-8" in text
    assert text.count('<rect class="lies empty"') == 5
    assert 'aria-label="deals"' in text
    at_stage(deal, "showdown")
    show_cards(night, deal.pk, None, {"board/0": "2h 7d"}, by=a_user())
    ann = player(night, "ann")
    show_cards(night, deal.pk, ann, {"down": "Ah Kh 3c 4c"}, by=user_of(ann))
    text = html(client.get(at))
    assert 'class="known heart"' in text
    assert text.count('<rect class="lies empty"') == 3
    assert 'aria-label="ace of hearts"' in text


def test_saved_hand_stays_in_the_middle_until_the_next_game_is_named(
    night: Night, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = linked(night)
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    text = html(client.get(at))
    assert "ann wins 20" in text
    assert "Pair of aces" in text
    assert text.count('class="seat won"') == 1
    with monkeypatch.context() as later:
        later.setattr(latest_verdict, "SHOWN_FOR", timedelta(0))
        assert 'class="middle verdict"' not in html(client.get(at))
    a_deal(night)
    assert 'class="middle verdict"' not in html(client.get(at))
    Deal.objects.all().delete()
    void_hand(hand, by=None, reason="never dealt")
    assert "ann wins" not in html(client.get(at))


def test_hand_that_wins_high_and_low_is_shown_once_with_all_its_chips(night: Night) -> None:
    wheel = {
        "variant": "omaha-8",
        "button": 0,
        "players": [
            {"name": "ann", "paid": 40, "down": "Ah 2c 9d Jh".split()},
            {"name": "bob", "paid": 40, "down": "Kh Kd Qc Js".split()},
        ],
        "board": [["3s", "4c", "7d", "Ks", "5h"]],
    }
    record_hand(night, uuid4(), wheel, by=None)
    verdict = table_screen(night).verdict
    assert verdict is not None
    [won] = verdict.won
    assert (won.name, won.chips, len(won.cards)) == ("ann", 80, 5)
    assert won.made == [("high", "straight, five high"), ("low", "5-4-3-2-A")]


@pytest.mark.parametrize("game", ["texas-holdem", "iron-cross", "five-card-draw"])
def test_open_deal_shows_the_rules_of_every_game(game: str, night: Night, client: Client) -> None:
    """They were missing for games with a board."""
    a_deal(night, game, options={})
    shown = html(client.get(linked(night)))
    assert shown.count("<dt>") >= 2
    assert "best poker hand wins." in shown


def test_screen_shows_the_board_of_each_run(night: Night, client: Client) -> None:
    """Kings win the first board, queens the second."""
    record = {
        "variant": "texas-holdem",
        "button": 0,
        "players": [
            {"name": "ann", "paid": 50, "down": ["As", "Kd"]},
            {"name": "bob", "paid": 50, "down": ["Qh", "Qc"]},
        ],
        "board": [["2c", "3d", "4h"]],
        "runs": [{"board": [["Kh", "9s"]]}, {"board": [["Js", "7d"]]}],
    }
    record_hand(night, uuid4(), record, by=None)
    verdict = table_screen(night).verdict
    assert verdict is not None
    assert [[len(row) for row in rows] for rows in verdict.runs] == [[5], [5]]
    assert [(won.name, won.chips) for won in verdict.won] == [("ann", 50), ("bob", 50)]
    page = html(client.get(linked(night)))
    assert "<span>Run 1</span>" in page
    assert "<span>Run 2</span>" in page


def test_carried_pot_is_shown_in_a_corner(night: Night, client: Client) -> None:
    record_hand(night, uuid4(), qualifiers(), by=None)
    assert "<b>20</b> chips carry over" in html(client.get(linked(night)))


# The join code


def test_pot_of_a_match_does_not_carry_over_to_another_game(night: Night, client: Client) -> None:
    deals_on(night, guts("bob"))
    link = linked(night)
    assert "<b>20</b> chips carry over" in html(client.get(link))
    a_deal(night, "texas-holdem")
    assert "carry over" not in html(client.get(link))


def test_screen_shows_the_join_code_only_if_the_link_creator_chose_to(
    night: Night, host: Client
) -> None:
    code = night.league.code
    maker = User.objects.get(pk=host.session["_auth_user_id"])
    with_code = f"/screens/{share_screen(night, by=maker, shows_code=True)}"
    assert code in html(Client().get(with_code))
    for link in (linked(night), linked(night, shows_code=True)):
        assert code not in html(Client().get(link))
    assert code not in html(Client().get(f"/screens/{share_screen(night, by=maker)}"))
    Membership.objects.filter(user=maker).update(role=Role.PLAYER)
    League.objects.update(inviters="hosts")
    assert code not in html(Client().get(with_code))


def test_member_allowed_to_invite_sees_the_code(night: Night, host: Client) -> None:
    at, code = f"/nights/{night.pk}/screen", night.league.code
    assert code in html(host.get(at))
    League.objects.update(inviters="hosts")
    assert code not in html(member(night.league, Role.PLAYER).get(at))


def test_screen_shows_who_plays_in_the_tournament_instead_of_cash_stacks(night: Night) -> None:
    tournament = a_tournament(night)
    assert {seat.chips for seat in seats_of(night).values()} == {100}  # no player has entered yet
    add_player(night.league, "guest")
    ann, _, _ = entered(tournament, "ann", "bob", "guest")
    happens(tournament, Act.OUT, ann)
    seats = seats_of(night)
    assert {seat.chips for seat in seats.values()} == {None}
    assert (seats["ann"].state, seats["bob"].state, seats["guest"].state) == ("out", "", "")
    others = [seat for name, seat in seats.items() if name not in ("ann", "bob", "guest")]
    assert others
    assert {seat.state for seat in others} == {"not playing"}


def test_screen_hides_cash_stacks_during_an_open_deal_of_a_tournament(night: Night) -> None:
    """The seats of an open deal used to show cash stacks next to the tournament's players."""
    a_deal(night)
    assert {seat.chips for seat in seats_of(night).values()} == {100}
    entered(a_tournament(night), "ann", "bob")
    assert table_screen(night).deal
    assert {seat.chips for seat in seats_of(night).values()} == {None}


def seats_of(night: Night) -> dict[str, ScreenSeat]:
    sides = table_screen(night).ring
    shown = [*sides.top, *sides.right, *sides.bottom, *sides.left]
    return {seat.name: seat for seat in shown}


# The ring


@pytest.mark.parametrize("number", range(15))
def test_every_player_is_placed_once_clockwise(number: int) -> None:
    seats = [ScreenSeat(name=str(at), chips=0, deals=False) for at in range(number)]
    sides = ring(seats)
    around = [*sides.top, *sides.right, *sides.bottom[::-1], *sides.left[::-1]]
    assert around == seats
    assert len(sides.left) == len(sides.right) <= 2
    assert max(len(sides.top), len(sides.bottom)) <= (4 if number <= 12 else 5)

"""In a match one tap opens the next deal, and verdicts link to adjacent deals (decision 0033)."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.deals.open_deal import drop, name_game, open_deal
from league.deals.table import NamedGame, Table
from league.models import DealtPlayer, Night, Role
from league.nights.nights import seat, seat_guest
from league.pages.record.read_form import read
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from tests.helpers.api.clients import member
from tests.helpers.league.forms import form_of
from tests.helpers.league.house_games import a_house_game
from tests.helpers.league.leagues import NAMES, holdem, player
from tests.helpers.league.matches import CARDS, LIVES, current, deals_on, guts
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def page(client: Client, path: str) -> str:
    return re.sub(r"\s+", " ", str(html(client.get(path))))


def next_record(client: Client, night: Night, asked: str = "") -> dict[str, Any]:
    return read(form_of(client.get(f"/nights/{night.pk}/record{asked}")).fields).record


def two_lives(night: Night) -> str:
    """A Two Lives match in which dan has lost both lives and ann deals next."""
    game = a_house_game(night, LIVES).slug
    for _ in range(2):
        players = [{"name": name, "paid": 5, "down": CARDS[name]} for name in NAMES]
        deals_on(night, {"variant": game, "button": 2, "players": players})
    return game


def test_night_page_shows_the_deal_the_legs_and_the_pot(host: Client, night: Night) -> None:
    deals_on(night, guts("bob"))
    deals_on(night, guts("bob", button=1))
    shown = page(host, f"/nights/{night.pk}")
    assert "Guts, after deal 2" in shown
    assert "pot 40" in shown
    assert shown.count('aria-label="2 of 3 legs"') == 1
    assert shown.count('aria-label="0 of 3 legs"') == 3
    assert (shown.count("<i></i>"), shown.count('<i class="none"></i>')) == (2, 10)
    assert "Deal 3 · cat deals" in shown
    assert "carried into the next pot" not in shown


def test_one_tap_opens_the_next_deal_with_the_state_after_the_last_one(
    host: Client, night: Night
) -> None:
    first = deals_on(night, guts("bob"))
    record = next_record(host, night)
    assert {key: record[key] for key in ("variant", "options", "button", "carried", "match")} == {
        "variant": "guts",
        "options": {"legs": "3"},
        "button": 1,
        "carried": 20,
        "match": {
            "id": str(first.pk),
            "deal": 2,
            "legs": {"ann": 0, "bob": 1, "cat": 0, "dan": 0},
        },
    }
    assert "Deal 2 of this match" in page(host, f"/nights/{night.pk}/record")


def test_player_without_a_life_is_folded_and_pays_nothing(host: Client, night: Night) -> None:
    two_lives(night)
    players = {each["name"]: each for each in next_record(host, night)["players"]}
    assert players["dan"] == {"name": "dan", "paid": 0, "folded": True}
    assert "folded" not in players["ann"]
    assert 'class="out"' in page(host, f"/nights/{night.pk}")


def test_player_not_dealt_in_is_left_out_of_the_match(host: Client, night: Night) -> None:
    deals_on(night, guts("bob"))
    fields = form_of(host.get(f"/nights/{night.pk}/record")).fields
    record = read(fields | {"players/0/state": ["away"]}).record
    assert record["match"]["legs"] == {"bob": 1, "cat": 0, "dan": 0}


def test_player_not_dealt_in_stays_out_of_later_deals(host: Client, night: Night) -> None:
    """With seven seated in a game for six, one player was left out of deal 1.

    The player stays out in the form, in a named game, and in deal 3.
    """
    first = guts("bob")
    first["players"] = first["players"][:3]
    deals_on(night, first)
    record = next_record(host, night)
    assert [in_record["name"] for in_record in record["players"]] == ["ann", "bob", "cat"]
    assert record["match"]["legs"] == {"ann": 0, "bob": 1, "cat": 0}
    fields = form_of(host.get(f"/nights/{night.pk}/record")).fields
    fields |= {"players/1/down": ["Ks Kd"]}
    fields |= {f"players/{row}/state": ["folded"] for row in (0, 2)}
    host.post(f"/nights/{night.pk}/record", fields)
    deal = name_game(night, uuid4(), NamedGame("guts", (), {"legs": "3"}), by=None)
    assert set(deal.players.filter(state="away").values_list("player__name", flat=True)) == {"dan"}
    assert [in_record["name"] for in_record in next_record(host, night)["players"]] == [
        "ann",
        "bob",
        "cat",
    ]


def test_undone_deal_lists_the_player_who_was_not_dealt_in(host: Client, night: Night) -> None:
    """The form opened without dan, who could not be dealt in any more."""
    first = guts("bob")
    first["players"] = first["players"][:3]
    deals_on(night, first)
    fields = form_of(host.get(f"/nights/{night.pk}/record")).fields
    fields |= {"players/1/down": ["Ks Kd"]}
    fields |= {f"players/{row}/state": ["folded"] for row in (0, 2)}
    host.post(f"/nights/{night.pk}/record", fields)
    second = night.hands.get(number=2)
    record = current(second).record
    form = form_of(host.post(f"/hands/{second.pk}/undo", follow=True))
    assert form.fields["players/3/name"] == ["dan"]
    assert form.fields["players/3/state"] == ["away"]
    assert read(form.fields).record == record


def test_late_player_starts_without_legs(host: Client, night: Night) -> None:
    deals_on(night, guts("bob"))
    seat_guest(night, uuid4(), "eve")
    assert "eve" not in next_record(host, night)["match"]["legs"]


def test_deal_saved_by_the_form_has_no_finding(host: Client, night: Night) -> None:
    deals_on(night, guts("bob"))
    fields = form_of(host.get(f"/nights/{night.pk}/record")).fields
    fields |= {"players/0/down": ["As Ad"]}
    fields |= {f"players/{row}/state": ["folded"] for row in (1, 2, 3)}
    host.post(f"/nights/{night.pk}/record", fields)
    match = Table(night).match
    assert match
    assert (match.deal, match.legs["ann"]) == (2, 1)
    assert current(night.hands.get(number=2)).answer["findings"] == []


def test_different_game_starts_without_the_match(host: Client, night: Night) -> None:
    deals_on(night, guts("bob"))
    record = next_record(host, night, "?other")
    assert "match" not in record
    assert "variant" not in record
    assert "carried" not in record


def test_different_game_leaves_the_match_and_its_pot(host: Client, night: Night) -> None:
    deals_on(night, guts("bob"))
    fields = form_of(host.get(f"/nights/{night.pk}/record?other")).fields
    drawn = host.post(f"/nights/{night.pk}/redraw", fields | {"variant": ["texas-holdem"]})
    fields = form_of(drawn).fields | {"all_paid": ["10"], "depth": ["result"], "winner": ["1"]}
    assert "20 chips stay in the pot of Guts." in re.sub(r"\s+", " ", html(drawn))
    host.post(f"/nights/{night.pk}/record", fields)
    revision = current(night.hands.get(number=2))
    assert revision.answer["findings"] == []
    assert sum(revision.answer["net"].values()) == 0
    shown = page(host, f"/nights/{night.pk}")
    assert "Guts, after deal 1" in shown
    assert "pot 20" in shown
    assert "Deal 2 · cat deals" in shown
    assert next_record(host, night)["button"] == NAMES.index("cat")
    assert next_record(host, night)["match"]["deal"] == 2


def test_chosen_game_replaces_the_values_of_the_match(host: Client, night: Night) -> None:
    game = two_lives(night)
    deal = form_of(host.get(f"/nights/{night.pk}/record")).fields
    assert deal["players/3/state"] == ["folded"]
    drawn = host.post(f"/nights/{night.pk}/redraw", deal | {"variant": ["texas-holdem"]})
    other = form_of(drawn).fields
    record = read(other).record
    assert {"match", "carried"}.isdisjoint(record)
    assert record["button"] == 3
    assert not any("folded" in player or "paid" in player for player in record["players"])
    drawn = host.post(f"/nights/{night.pk}/redraw", other | {"variant": [game]})
    assert read(form_of(drawn).fields).record == read(deal).record


def test_choosing_a_different_game_on_the_form_drops_the_match(host: Client, night: Night) -> None:
    deals_on(night, guts("bob"))
    fields = form_of(host.get(f"/nights/{night.pk}/record")).fields
    drawn = host.post(f"/nights/{night.pk}/redraw", fields | {"variant": ["omaha-8"]})
    assert "match" not in form_of(drawn).fields


def test_inconsistent_match_is_reported_next_to_the_deal(host: Client, night: Night) -> None:
    deals_on(night, guts("bob"))
    fields = form_of(host.get(f"/nights/{night.pk}/record")).fields
    for text in ("{", "[]", '{"deal": 0}', '{"legs": {"zoe": 1}}'):
        answer = host.post(f"/nights/{night.pk}/record", fields | {"match": [text]})
        assert answer.status_code == 400
        assert "match" in form_of(answer).fields


def test_ended_match_shows_its_winner_until_the_next_hand(host: Client, night: Night) -> None:
    for _ in range(3):
        deals_on(night, guts("ann"))
    shown = page(host, f"/nights/{night.pk}")
    assert shown.count("ann won the Guts match") == 1
    assert "Record a hand" in shown
    deal = name_game(night, uuid4(), NamedGame("nightmare"), by=None)
    assert "won the Guts match" not in page(host, f"/nights/{night.pk}")
    drop(night, deal.pk)
    assert "won the Guts match" in page(host, f"/nights/{night.pk}")
    record_hand(night, uuid4(), holdem(), by=None)
    assert "won the Guts match" not in page(host, f"/nights/{night.pk}")


def test_game_without_legs_does_not_start_a_match(host: Client, night: Night) -> None:
    deals_on(night, guts("ann", legs="none"))
    assert 'class="match"' not in page(host, f"/nights/{night.pk}")


def test_voided_deal_is_not_the_last_of_the_match(host: Client, night: Night) -> None:
    deals_on(night, guts("bob"))
    void_hand(deals_on(night, guts("cat")), by=None)
    assert "Guts, after deal 1" in page(host, f"/nights/{night.pk}")


def test_table_skips_a_dealer_without_a_life(host: Client, night: Night) -> None:
    """In Cuckoo, players without lives do not deal (pagat.com)."""
    game = two_lives(night)
    players = [
        {"name": name, "paid": 0} | ({"folded": True} if name == "dan" else {"down": CARDS[name]})
        for name in NAMES
    ]
    record = {"variant": game, "button": 2, "players": players}
    deals_on(night, record)
    table = page(host, f"/nights/{night.pk}/table")
    assert "ann deals" in table
    for asked in ("?other", "?game=omaha-8"):  # in seat order, and as on the form
        assert "dan deals" in page(host, f"/nights/{night.pk}/table{asked}")
        assert "dan deals" in page(host, f"/nights/{night.pk}/record{asked}")
        assert next_record(host, night, asked)["button"] == 3


def test_choosing_the_matchs_game_continues_the_match(night: Night) -> None:
    game = two_lives(night)
    deal = name_game(night, uuid4(), NamedGame(game), by=None)
    states = dict(deal.players.values_list("player__name", "state"))
    assert states["dan"] == DealtPlayer.State.FOLDED
    assert states["ann"] == DealtPlayer.State.IN


def test_next_deal_of_the_match_is_recorded_with_its_state(host: Client, night: Night) -> None:
    first = deals_on(night, guts("bob"))
    host.post(f"/nights/{night.pk}/deal", {"variant": "guts", "key": str(uuid4())})
    deal = open_deal(night)
    assert deal
    assert (deal.options, str(deal.dealer)) == ({"legs": "3"}, "bob")
    record = next_record(host, night)
    assert (record["match"]["id"], record["carried"]) == (str(first.pk), 20)


def test_continuing_the_match_is_offered_instead_of_dealing_again(
    host: Client, night: Night
) -> None:
    deals_on(night, guts("bob"))
    shown = page(host, f"/nights/{night.pk}/deal")
    assert "Continue the match" in shown
    assert "Deal again" not in shown


def test_verdict_links_to_the_previous_and_the_next_deal(host: Client, night: Night) -> None:
    dealt = [deals_on(night, guts(name)) for name in ("ann", "bob", "cat", "dan")]
    void_hand(dealt[1], by=None)
    shown = page(host, f"/hands/{dealt[2].pk}")
    assert "Deal 2 of this match" in shown
    assert f'href="/hands/{dealt[0].pk}" rel="prev">← Deal 1' in shown
    assert f'href="/hands/{dealt[3].pk}" rel="next">Deal 3 →' in shown
    assert 'aria-label="1 of 3 legs"' in shown
    assert 'rel="prev"' not in page(host, f"/hands/{dealt[0].pk}")


def test_hand_outside_a_match_shows_no_match(host: Client, night: Night) -> None:
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    assert 'class="match"' not in page(host, f"/hands/{hand.pk}")


def test_form_reports_a_correction_that_breaks_the_match(host: Client, night: Night) -> None:
    dealt = [deals_on(night, guts(name)) for name in ("ann", "ann", "bob", "cat")]
    fields = form_of(host.get(f"/hands/{dealt[2].pk}/record")).fields
    fields |= {"players/0/state": ["in"], "players/0/down": ["As Ad"]}
    fields |= {"players/1/state": ["folded"], "players/1/down": [""], "showed": ["0"]}
    answer = host.post(f"/hands/{dealt[2].pk}/record", fields)
    assert answer.status_code == 400
    assert "Deal 4 of this match (hand 4)" in html(answer)


def test_undo_warns_that_later_deals_of_the_match_change(host: Client, night: Night) -> None:
    first, second = (deals_on(night, guts(name)) for name in ("bob", "cat"))
    shown = page(host, f"/hands/{first.pk}")
    assert "The later deal of this match, hand 2, is settled again." in shown
    assert "later deal of this match" not in page(host, f"/hands/{second.pk}")
    void_hand(first, by=None)
    undone = page(host, f"/hands/{first.pk}")
    assert "Result before it was undone" in undone
    assert "of this match" not in undone


def test_correction_of_a_deal_names_the_deals_that_follow_from_it(
    host: Client, night: Night
) -> None:
    """Each deal was called corrected, with its whole result instead of the chips that moved.

    Each player pays 10 instead of 5 in the first deal, so the winner of the match gets 20 more.
    """
    first, _second = (deals_on(night, guts("ann", legs="2")) for _ in range(2))
    revise_hand(first, uuid4(), guts("ann", legs="2", paid=10), by=None)
    for path in (f"/nights/{night.pk}", f"/nights/{night.pk}/record"):
        shown = page(host, path)
        assert shown.count('id="corrected-') == 1
        note = re.sub(r"<[^>]*>", "", shown.partition('id="corrected-')[2].partition("</p>")[0])
        assert re.sub(r"\s+", " ", note.partition(">")[2]).strip() == (
            "Hand 1 was corrected by another phone. ann −5 bob −5 cat −5 dan −5 "
            "Hand 2 follows from it and was settled again. ann +20"
        )


def test_page_reports_that_voiding_a_deal_breaks_the_match(host: Client, night: Night) -> None:
    """The first deal had ended the match, but the table continued."""
    first = deals_on(night, guts("ann", legs="none"))
    on = {"match": {"id": str(first.pk), "deal": 2}}
    second = record_hand(night, uuid4(), guts("ann", "bob", legs="none", **on), by=None).hand
    deals_on(night, guts("ann", legs="none"))
    answer = host.post(f"/hands/{second.pk}/void", {})
    assert answer.status_code == 400
    assert "Deal 3 of this match (hand 3)" in html(answer)
    assert not current(second).voids


def test_player_without_a_seat_does_not_deal_next(host: Client, night: Night) -> None:
    deals_on(night, guts("bob"))
    night.seats.filter(player__name="bob").update(left_at=night.started_at)
    record = next_record(host, night)
    assert record["players"][record["button"]]["name"] == "cat"
    assert record["match"]["legs"] == {"ann": 0, "cat": 0, "dan": 0}
    seat(night, player(night, "bob"))
    assert next_record(host, night)["match"]["legs"]["bob"] == 1


def test_game_option_accepts_a_choice_that_looks_like_a_number(host: Client, night: Night) -> None:
    deal = name_game(night, uuid4(), NamedGame("guts"), by=None)
    told = {"deal": str(deal.pk), "options/legs": '"3"'}
    host.post(f"/nights/{night.pk}/deal/game", told)
    deal.refresh_from_db()
    assert deal.options == {"legs": "3"}

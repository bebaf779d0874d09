"""The recording page shows a game's fields, checks while typing, and saves once."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.hands.chip_movements import chip_totals
from league.models import Hand, Night, Revision, Role, User
from league.nights.nights import stacks
from league.nights.opening import open_night
from league.pages.record.fill_form import spell
from league.pages.record.read_form import read
from league.people.leagues import add_member
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.stats.count import count_marked
from rules.documents import catalog
from tests.helpers.api.clients import member
from tests.helpers.league.deals import a_deal
from tests.helpers.league.forms import Form, form_of
from tests.helpers.league.leagues import a_user, holdem, player, qualifiers
from tests.helpers.league.pages import html
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db

VECTORS = Path(__file__).parents[3] / "vectors"
BAD = [json.loads(line) for line in (VECTORS / "errors.jsonl").read_text().splitlines()]


@pytest.fixture
def client(night: Night) -> Client:
    client, user = Client(), a_user()
    add_member(night.league, user, Role.SCOREKEEPER)
    client.force_login(user)
    return client


def at(night: Night, step: str = "record") -> str:
    return f"/nights/{night.pk}/{step}"


def typed(record: dict[str, Any], **more: str) -> dict[str, list[str]]:
    """Return a record's fields, with a key, as a browser sends them."""
    return {"key": [str(uuid4())]} | spell(record) | {name: [text] for name, text in more.items()}


def words(answer: Any) -> str:
    """Return a page's text without its markup."""
    return " ".join(re.sub(r"<[^>]*>", " ", html(answer)).split())


def record_in(form: Form) -> dict[str, Any]:
    """Return the record that the unchanged form would send."""
    return read(form.fields).record


# Form fields


@pytest.mark.parametrize("asked", ["", "?game=omaha-8", "?other"])
def test_recording_page_never_runs_a_query_twice(client: Client, night: Night, asked: str) -> None:
    record_hand(night, uuid4(), holdem(), by=None)
    client.get(f"{at(night)}{asked}")
    with CaptureQueriesContext(connection) as queries:
        client.get(f"{at(night)}{asked}")
    assert len(queries) == len({query["sql"] for query in queries})


@pytest.mark.parametrize(("chip_value", "offered"), [(None, "40"), (50, "")])
def test_first_hand_offers_amounts_of_the_last_night_with_equal_chips(
    client: Client, night: Night, chip_value: int | None, offered: str
) -> None:
    players = [{"name": "ann", "paid": 40}, {"name": "bob", "paid": 40}]
    last = {"variant": "texas-holdem", "depth": "result", "took": {"ann": 80}, "button": 0}
    record_hand(night, uuid4(), last | {"players": players}, by=None)
    later = open_night(night.league)
    if chip_value:
        with unguarded():
            Night.objects.filter(pk=later.pk).update(chip_value=chip_value)
    assert f'data-recent="{offered}"' in html(client.get(at(later)))


def test_popular_games_are_offered_until_the_league_has_dealt_five_games(
    client: Client, night: Night
) -> None:
    popular = catalog.popular_slugs()
    assert set(popular) <= set(catalog.slugs())
    players = [{"name": name, "paid": 10} for name in ("ann", "bob")]
    for variant in popular[:5]:
        assert client.get(at(night)).content.count(b"Popular everywhere") == 1
        record = {"variant": variant, "depth": "result", "button": 0, "players": players}
        record_hand(night, uuid4(), record | {"took": {"bob": 20}}, by=None)
    assert b"Popular everywhere" not in client.get(at(night)).content


def test_saved_hand_is_announced_once_with_an_undo_button(client: Client, night: Night) -> None:
    page = html(client.post(at(night), typed(holdem()), follow=True))
    assert page.count("Hand 1 saved.") == 1
    assert "/undo" in page


def test_new_form_deals_in_all_players_and_preselects_the_next_dealer(
    client: Client, night: Night
) -> None:
    record_hand(night, uuid4(), holdem(), by=None)
    form = form_of(client.get(at(night)))
    assert [form.fields[f"players/{row}/name"] for row in range(4)] == [
        ["ann"],
        ["bob"],
        ["cat"],
        ["dan"],
    ]
    assert all(form.fields[f"players/{row}/state"] == ["in"] for row in range(4))
    assert form.fields["button"] == ["2"]
    assert UUID(form.fields["key"][0])


def test_last_game_is_listed_first(client: Client, night: Night) -> None:
    record_hand(night, uuid4(), holdem(), by=None)
    page = html(client.get(at(night)))
    games = page.split('name="variant" value="')[1:]
    assert games[0].startswith("texas-holdem")
    assert len(games) == len(catalog.slugs())


def test_carried_chips_are_filled_in(client: Client, night: Night) -> None:
    record_hand(night, uuid4(), qualifiers(), by=None)
    form = form_of(client.get(at(night)))
    carried = record_in(form)["carried"]
    assert carried == [{"amount": 20, "for": ["ann", "bob"]}]


def test_deal_after_a_hand_that_passed_on_a_pot_deals_in_all_players(
    client: Client, night: Night
) -> None:
    """It looked like the next deal of the game that had left the pot, for ann and bob alone."""
    record_hand(night, uuid4(), qualifiers(), by=None)
    showed = [
        {"name": name, "paid": 1, "down": cards}
        for name, cards in (("cat", ["Ac", "Ad"]), ("dan", ["Kc", "Kd"]))
    ]
    folded = [{"name": name, "paid": 1, "folded": True} for name in ("ann", "bob")]
    pot = [{"amount": 20, "for": ["ann", "bob"]}]
    passed_on = holdem(players=[*showed, *folded], carried=pot)
    answer = record_hand(night, uuid4(), passed_on, by=None).revision.answer
    assert answer["carries"] == pot
    again = form_of(client.get(at(night))).fields
    assert [again[f"players/{row}/state"] for row in range(4)] == [["in"]] * 4
    deal = a_deal(night, "texas-holdem")
    fields = form_of(client.get(f"{at(night)}?deal={deal.pk}")).fields
    assert [fields[f"players/{row}/state"] for row in range(4)] == [["in"]] * 4


def test_form_after_a_carried_pot_deals_in_only_players_in_that_pot(
    client: Client, night: Night
) -> None:
    """docs/rulings.md: a Qualifiers pot is carried for players who had not folded before."""
    record_hand(night, uuid4(), qualifiers(), by=None)
    form = form_of(client.get(at(night)))
    assert form.fields["variant"] == ["qualifiers"]
    states = [form.fields[f"players/{row}/state"] for row in range(4)]
    assert states == [["in"], ["in"], ["away"], ["away"]]
    page = html(client.get(at(night)))
    inputs = re.findall(r'name="showed" value="(\d)"|data-deals="(\d)"', page)
    hidden = re.findall(
        r'<label class="pill" hidden>\s*<input type="checkbox" name="(showed|late)" value="(\d)"',
        page,
    )
    assert len(inputs) == 8  # scripts require all four rows, two of which are hidden
    assert {row for _name, row in hidden} == {"2", "3"}
    assert re.search(r'<details class="showed scripted-only" open>\s*<summary>Who deals\?', page)
    another = form_of(client.get(at(night) + "?game=nightmare"))
    assert another.fields["variant"] == ["nightmare"]
    assert another.fields["players/2/state"] == ["in"]


THREES = {
    "variant": "3-5-7",
    "button": 0,
    "options": {"round": "3"},
    "players": [
        {"name": "ann", "paid": 1, "down": ["3c", "Kd", "Ks"]},
        {"name": "bob", "paid": 1, "down": ["Ac", "Ad", "Qh"]},
        {"name": "cat", "paid": 1, "folded": True},
    ],
}


def test_pot_next_to_the_save_button_is_that_of_the_verdict(client: Client, night: Night) -> None:
    """Bob lost and puts 3 chips in for the next deal. They are not in this deal's pot."""
    page = html(client.post(at(night, "check"), typed(THREES)))
    assert '<data data-pot="3">' in page
    assert "ann wins 3, 3 carried over" in page


def test_game_of_in_or_out_is_recorded_in_its_own_words(client: Client, night: Night) -> None:
    page = html(client.post(at(night, "redraw"), typed(THREES)))
    assert "Who went in?" in page
    assert "Only one player went in" in page
    assert "Who showed?" not in page
    assert re.search(r'<option value="folded" selected>\s*out\s*<', page)
    other = html(client.post(at(night, "redraw"), typed(holdem())))
    assert "Who showed?" in other
    assert "Who went in?" not in other


def test_next_deal_of_a_match_folds_the_choice_of_the_dealer_away(
    client: Client, night: Night
) -> None:
    record_hand(night, uuid4(), THREES, by=None)
    page = html(client.get(at(night)))
    assert 'name="match"' in page
    assert re.search(r'<details class="showed scripted-only">\s*<summary>Who deals\?', page)


@pytest.mark.parametrize("winner", ["0", "3"])
def test_winner_of_another_game_takes_the_carried_pot(
    client: Client, night: Night, winner: str
) -> None:
    """The pill pays the whole pot: 20 carried chips for ann and bob, and 2 of each player."""
    record_hand(night, uuid4(), qualifiers(), by=None)
    form = form_of(client.get(at(night) + "?other")).fields
    form |= {"variant": ["texas-holdem"], "depth": ["result"], "all_paid": ["2"]}
    client.post(at(night), form | {"winner": [winner]})
    record = Revision.objects.get(hand__number=2).record
    assert list(record["took"].values()) == [28]


def test_player_who_did_not_show_counts_as_folded(client: Client, night: Night) -> None:
    """docs/record.md: `folded` is true for players who are out, or "late" after the last card."""
    fields = typed(qualifiers(), showed="0")
    fields |= {"players/1/state": ["in"], "late": ["1"]}
    assert read(fields).record["players"][1]["folded"] == "late"
    del fields["late"]
    assert read(fields).record["players"][1]["folded"] is True
    page = form_of(client.post(at(night, "redraw"), fields))
    assert page.fields["players/1/state"] == ["folded"]
    assert page.fields["showed"] == ["0"]
    both = fields | {"players/1/state": ["folded"], "showed": ["0", "1"]}
    assert "folded" not in read(both).record["players"][1]


def test_changing_the_game_keeps_values_that_fit_and_drops_the_rest(
    client: Client, night: Night
) -> None:
    record = {
        "variant": "middlemost",
        "button": 0,
        "players": [{"name": "ann", "paid": 7, "down": ["As", "Ks"], "declared": "low"}],
        "options": {"both_ways": "outright"},
        "modifiers": ["two-row", "pat-hand"],
    }
    fields = typed(record) | {"drawn": ["middlemost"], "variant": ["texas-holdem"]}
    form = form_of(client.post(at(night, "redraw"), fields))
    row = {"name": "ann", "paid": 7, "down": ["As", "Ks"]}
    converted = record_in(form)
    assert converted["players"] == [row]
    assert converted["modifiers"] == ["two-row"]
    assert "options" not in converted


def test_changing_an_option_redraws_the_form_and_keeps_the_option(
    client: Client, night: Night
) -> None:
    fields = typed(
        {"variant": "omaha-8", "options": {"declare": "high-low"}, "players": [{"name": "ann"}]}
    )
    page = client.post(at(night, "redraw"), fields | {"drawn": ["omaha-8"]})
    assert record_in(form_of(page))["options"] == {"declare": "high-low"}
    for way in ("low", "high", "both"):
        assert f'name="players/0/declared" value="{way}"' in html(page)


def test_pasted_record_fills_the_form(client: Client, night: Night) -> None:
    page = client.post(at(night, "redraw"), {"paste": json.dumps(holdem()), "fill": "1"})
    assert page.status_code == 200
    assert record_in(form_of(page)) == holdem()
    assert b"ann wins 20" in page.content


def test_games_played_in_the_league_come_first(client: Client, night: Night) -> None:
    record_hand(night, uuid4(), qualifiers(), by=None)
    for _ in range(3):
        record_hand(night, uuid4(), holdem(), by=None)
    page = html(client.get(at(night)))
    order = [page.index(f'value="{slug}"') for slug in ("texas-holdem", "qualifiers", "anaconda")]
    assert order == sorted(order)
    index = re.search('data-index="([^"]+)"', page)
    assert index
    assert "Pass the Trash" in client.get(index[1]).json()["anaconda"][0]


def test_tonights_count_includes_only_tonights_hands(client: Client, night: Night) -> None:
    """The page used to show "Tonight: Texas Hold'em 9×" after only two such hands."""
    for _ in range(3):
        record_hand(night, uuid4(), holdem(), by=None)
    later = open_night(night.league, players=list(night.league.players.order_by("name")))
    for _ in range(2):
        record_hand(later, uuid4(), holdem(), by=None)
    while count_marked(night.league.pk):
        pass
    page = html(client.get(at(later)))
    tonight = page.split("<h2>Tonight</h2>")[1].split("</section>")[0]
    assert "2×" in tonight
    assert "5×" not in tonight


def test_form_preselects_the_options_last_used_in_the_league(client: Client, night: Night) -> None:
    record_hand(night, uuid4(), holdem(options={"odd_chip": "high card"}), by=None)
    page = client.post(at(night, "redraw"), {"variant": "texas-holdem", "drawn": ""})
    assert form_of(page).fields["options/odd_chip"] == ["high card"]


def test_active_players_pay_for_the_pot_evenly(client: Client, night: Night) -> None:
    """The first players pay the odd chips. A player with their own amount pays that amount."""
    fields = {"variant": ["nightmare"], "depth": ["result"], "pot": ["32"], "winner": ["0"]}
    for row, name in enumerate(("ann", "bob", "cat", "dan")):
        fields[f"players/{row}/name"] = [name]
    fields |= {"players/1/paid": ["7"], "players/3/state": ["folded"], "button": ["0"]}
    record = read(fields).record
    assert [each.get("paid") for each in record["players"]] == [13, 7, 12, None]
    assert record["took"] == {"ann": 32}


def test_shared_card_has_a_field(client: Client, night: Night) -> None:
    told = typed(holdem()) | {"shared/0": ["3c"], "shared/0/for": ["0", "1"]}
    page = form_of(client.post(at(night, "check"), told))
    assert record_in(page)["shared"] == [{"card": "3c", "for": ["ann", "bob"]}]
    assert spell({"shared": record_in(page)["shared"], "players": record_in(page)["players"]})[
        "shared/0/for"
    ] == ["0", "1"]


# Undoing


def test_undone_hand_is_put_back_into_the_form(client: Client, night: Night) -> None:
    before = stacks(night)
    client.post(at(night), typed(holdem()))
    hand = Hand.objects.get()
    assert f"/hands/{hand.pk}/undo" in html(client.get(f"/nights/{night.pk}"))
    again = client.post(f"/hands/{hand.pk}/undo", follow=True)
    assert record_in(form_of(again)) == holdem()
    assert "ann wins 20" in html(again)  # the bar shows the verdict without a further tap
    assert "Hand 1 undone. The next hand is number 2." in html(again)
    assert stacks(night) == before
    last = hand.revisions.get(current=True)
    assert (last.voids, last.reason) == (True, "undone right after it was saved")
    client.post(f"/hands/{hand.pk}/undo")
    assert hand.revisions.count() == 2


def test_undone_hand_lists_the_players_who_were_not_dealt_in(client: Client, night: Night) -> None:
    """They were missing, so the hand could not be saved again with them."""
    record = holdem(button=1)
    for each, name in zip(record["players"], ("bob", "dan"), strict=True):
        each["name"] = name
    client.post(at(night), typed(record))
    form = form_of(client.post(f"/hands/{Hand.objects.get().pk}/undo", follow=True))
    rows = [form.fields[f"players/{row}/{key}"][0] for row in range(4) for key in ("name", "state")]
    assert rows == ["ann", "away", "bob", "in", "cat", "away", "dan", "in"]
    assert form.fields["button"] == ["3"]
    assert record_in(form) == record
    correction = form_of(client.get(f"/hands/{Hand.objects.get().pk}/record"))
    assert "players/2/name" not in correction.fields


def test_undone_hand_keeps_its_showdown(client: Client, night: Night) -> None:
    record = holdem()
    record["players"][0]["paid"] = 30
    record["players"][1]["paid"] = 30
    record["players"].append({"name": "cat", "paid": 5, "folded": True})
    client.post(at(night), typed(record))
    form = form_of(client.post(f"/hands/{Hand.objects.get().pk}/undo", follow=True))
    assert form.fields["showed"] == ["0", "1"]
    assert form.fields["showed_paid"] == ["30"]
    assert record_in(form) == record
    correction = form_of(client.get(f"/hands/{Hand.objects.last().pk}/record"))
    assert correction.fields["all_paid"] == ["5"]
    assert record_in(correction) == record


@pytest.mark.parametrize(("paid", "own"), [(30, ""), (5, "5")])
def test_correction_keeps_the_amount_of_a_player_who_mucked(
    client: Client, night: Night, paid: int, own: str
) -> None:
    """Ann showed for 30. Bob mucked for 30 or, with no more chips, for 5. Cat folded."""
    record = holdem()
    record["players"][0]["paid"] = 30
    record["players"][1] |= {"paid": paid, "mucked": True}
    record["players"].append({"name": "cat", "paid": 5, "folded": True})
    client.post(at(night), typed(record))
    form = form_of(client.get(f"/hands/{Hand.objects.get().pk}/record"))
    assert (form.fields["showed_paid"], form.fields["all_paid"]) == (["30"], ["5"])
    assert form.fields["players/1/paid"] == [own]
    assert record_in(form) == record


def test_correction_changes_the_common_payment(client: Client, night: Night) -> None:
    record = holdem()
    record["players"].append({"name": "cat", "paid": 10, "folded": True})
    client.post(at(night), typed(record))
    hand = Hand.objects.get()
    form = form_of(client.get(f"/hands/{hand.pk}/record"))
    assert (form.fields["all_paid"], form.fields["showed"]) == (["10"], ["0", "1"])
    assert record_in(form) == record
    client.post(f"/hands/{hand.pk}/record", form.fields | {"all_paid": ["20"]})
    players = hand.revisions.get(current=True).record["players"]
    assert [player["paid"] for player in players] == [20, 20, 20]


def test_hand_cannot_be_undone_after_the_next_one_is_saved(client: Client, night: Night) -> None:
    client.post(at(night), typed(holdem()))
    first = Hand.objects.get()
    client.post(at(night), typed(holdem()))
    page = html(client.post(f"/hands/{first.pk}/undo", follow=True))
    assert "Too late to undo" in page
    assert first.revisions.count() == 1


def test_hand_cannot_be_undone_after_thirty_seconds(client: Client, night: Night) -> None:
    client.post(at(night), typed(holdem()))
    with unguarded():
        Revision.objects.update(made_at=timezone.now() - timedelta(seconds=31))
    hand = Hand.objects.get()
    assert f"/hands/{hand.pk}/undo" not in html(client.get(f"/nights/{night.pk}"))
    client.post(f"/hands/{hand.pk}/undo")
    assert hand.revisions.count() == 1


# Checks while typing


def test_script_receives_only_the_verdict(client: Client, night: Night) -> None:
    answer = client.post(at(night, "check"), typed(holdem()), headers={"HX-Request": "true"})
    page = html(answer)
    assert "<html" not in page
    assert "ann wins 20" in page
    assert '<p id="says"' in page
    assert 'aria-label="ace of clubs"' in page
    assert not Hand.objects.exists()


def test_unfinished_hand_is_not_an_error(client: Client, night: Night) -> None:
    record = holdem(board=[["2h", "7d", "9s"]])
    del record["players"][1]["down"]
    page = html(client.post(at(night, "check"), typed(record)))
    assert "Still to enter" in page
    to_bob = '<a href="#players/1/down" data-to="players/1/down" data-at="">no hole cards yet</a>'
    assert f"<b>bob</b>: {to_bob}" in page
    assert "Board cards are missing" in page
    assert 'class="error"' not in page


def test_missing_cards_that_can_be_up_or_down_are_not_an_error(
    client: Client, night: Night
) -> None:
    """In Midnight Cobain Baseball, players have seven cards, each down or up at the end."""
    record = holdem(variant="midnight-cobain-baseball", board=[])
    for each in record["players"]:
        each["down"] = each["down"][:1]
    page = html(client.post(at(night, "check"), typed(record)))
    assert "Still to enter" in page
    assert 'class="error"' not in page


def test_piles_have_their_own_fields_and_errors(client: Client, night: Night) -> None:
    """In Cowpie, seven stud cards are split into a hand of five and a hand of two."""
    form = form_of(client.get(at(night), {"game": "cowpie"}))
    assert {"players/0/piles/big", "players/0/piles/small"} <= set(form.fields)
    record = holdem(variant="cowpie", board=[])
    hands = [("2h 5h 7h 9h Jh", "Ac 9c"), ("4c 5d 6s 7c 8d", "Kc Kd")]
    for seat, (big, small) in zip(record["players"], hands, strict=False):
        seat.pop("down", None)
        seat["piles"] = {"big": big.split(), "small": small.split()}
    assert read(typed(record)).record["players"][0]["piles"]["small"] == ["Ac", "9c"]
    assert 'class="error"' not in html(client.post(at(night, "check"), typed(record)))
    record["players"][0]["piles"]["small"] = ["Ac"]
    unfinished = html(client.post(at(night, "check"), typed(record)))
    assert "Still to enter" in unfinished
    assert 'class="error"' not in unfinished
    record["players"][0]["piles"]["small"] = ["Ac", "2h"]
    page = client.post(at(night, "check"), typed(record))
    assert form_of(page).problems["players/0/piles/small"]


def test_errors_are_shown_while_typing(client: Client, night: Night) -> None:
    record = holdem()
    record["players"][1]["down"] = ["Ac", "Kd"]
    page = client.post(at(night, "check"), typed(record))
    assert form_of(page).problems["players/1/down"]
    assert 'data-problem="players/1/down" data-at="0"' in html(page)


def problems_to_fix(page: Any) -> list[str]:
    """Return the items in the list of errors."""
    lines = re.findall(r'<li class="error">(.*?)</li>', html(page))
    return [re.sub(r"<[^>]*>", "", line) for line in lines]


def test_error_list_names_the_players(client: Client, night: Night) -> None:
    record = holdem()
    record["players"][0]["down"] = ["Ac"]
    page = client.post(at(night), typed(record))
    assert problems_to_fix(page) == ["ann: The hand has 1 card down, but the game requires 2."]
    assert form_of(page).problems["players/0/down"] == [
        "The hand has 1 card down, but the game requires 2."
    ]


def test_error_in_the_common_payment_is_shown_once(client: Client, night: Night) -> None:
    record = holdem()
    for each in record["players"]:
        del each["paid"]
    page = client.post(at(night, "check"), typed(record, all_paid="ten"))
    assert len(problems_to_fix(page)) == 1
    assert len(form_of(page).problems["all_paid"]) == 1


def test_invalid_number_is_not_reported_again_as_a_wrong_total(
    client: Client, night: Night
) -> None:
    fields = {
        "variant": ["nightmare"],
        "depth": ["result"],
        "button": ["0"],
        "players/0/name": ["ann"],
        "players/0/paid": ["-5"],
        "players/1/name": ["bob"],
        "players/1/paid": ["10"],
        "players/1/took": ["10"],
    }
    (line,) = problems_to_fix(client.post(at(night, "check"), fields))
    assert line.startswith("ann: ")
    fields["players/0/paid"] = ["5"]
    assert problems_to_fix(client.post(at(night, "check"), fields)) == [
        "15 chips went in, but 10 came out."
    ]


def test_bar_names_two_debts_and_adds_up_more(client: Client, night: Night) -> None:
    cards = {"ann": "Ac Ad", "bob": "Kc Kd", "cat": "Tc Td", "dan": "8c 6d"}
    players = [{"name": name, "paid": 15, "down": two.split()} for name, two in cards.items()]
    bars = []
    for took in ({"bob": 40, "cat": 20}, {"bob": 30, "cat": 20, "dan": 10}):
        fields = typed(holdem(players=players, took=took))
        page = html(client.post(at(night, "check"), fields))
        bar = page[page.index('id="says"') :].partition("</p>")[0]
        bars.append(" ".join(bar.split()))
    assert "bob will owe ann 40. cat will owe ann 20." in bars[0]
    assert "3 debts, 60 chips in all." in bars[1]


def test_debt_is_shown_before_saving_if_the_table_paid_the_wrong_player(
    client: Client, night: Night
) -> None:
    """Ann has the best hand, but the table paid bob, who then owes the chips."""
    fields = typed(holdem(took={"bob": 20}))
    page = words(client.post(at(night, "check"), fields))
    assert "The table paid bob 20. bob will owe ann 20." in page
    assert "Keep what the table paid" in page
    assert "had won" not in page
    client.post(at(night), fields)
    saved = words(client.get(f"/hands/{Hand.objects.get().pk}"))
    assert "The table paid bob 20. bob owes ann 20." in saved
    assert "Keep what the table" not in saved


def test_leaving_the_table_payment_unchanged_creates_no_debt(client: Client, night: Night) -> None:
    """The button adds a second `depth` to the form, and only "result" counts."""
    fields = typed(holdem(took={"bob": 20})) | {"depth": ["", "result"]}
    drawn = form_of(client.post(at(night, "redraw"), fields)).fields
    client.post(at(night), drawn)
    (revision,) = Revision.objects.all()
    assert chip_totals(revision.record, revision.answer).owed == {"ann": 0, "bob": 0}
    assert revision.answer["won"]["bob"] == 20
    assert revision.answer["findings"] == []


def test_leaving_the_table_payment_unchanged_keeps_the_cards(client: Client, night: Night) -> None:
    record = holdem(took={"bob": 20})
    fields = typed(record) | {"depth": ["", "result"]}
    client.post(at(night), form_of(client.post(at(night, "redraw"), fields)).fields)
    (revision,) = Revision.objects.all()
    kept = {key: revision.record[key] for key in ("board", "depth")}
    assert kept == {"board": record["board"], "depth": "result"}
    assert [each["down"] for each in revision.record["players"]] == [["Ac", "Ad"], ["Kc", "Kd"]]
    page = words(client.get(f"/hands/{revision.hand_id}"))
    assert "bob wins 20" in page
    assert "ann hole cards A A bob hole cards K K" in page


def test_cards_that_nobody_saw_can_be_filled_in_at_once(client: Client, night: Night) -> None:
    """A player stops turning cards over once best. bob's four earned him an eighth card."""
    up = {"ann": "Ah Ad 5c", "bob": "Qh Qd Qc 4s", "cat": "8h 8d 8s 7d 5s 6c 7c"}
    players = [{"name": name, "paid": 10, "up": cards.split()} for name, cards in up.items()]
    record = {
        "variant": "midnight-cobain-baseball",
        "button": 0,
        "players": players,
        "board": [["2c"]],
    }
    fields = typed(record)
    page = client.post(at(night, "check"), fields, headers={"HX-Request": "true"})
    (counts,) = re.findall(r'data-never-seen="([^"]*)"', html(page))
    assert counts.split() == ["players/0/down:4", "players/1/down:4"]
    assert "Fill in 8 unseen cards" in words(page)
    filled = fields | {name: ["?? " * 4] for name in ("players/0/down", "players/1/down")}
    page = client.post(at(night, "check"), filled, headers={"HX-Request": "true"})
    assert "data-never-seen" not in html(page)
    assert "cat wins 30" in words(page)


def test_cards_return_after_a_result_is_changed_back(client: Client, night: Night) -> None:
    fields = typed(holdem()) | {"depth": ["result"]}
    by_result = form_of(client.post(at(night, "redraw"), fields)).fields
    by_cards = form_of(client.post(at(night, "redraw"), by_result | {"depth": ["showdown"]})).fields
    names = ("board/0", "players/0/down", "players/1/down")
    assert {name: by_cards[name] for name in names} == {name: fields[name] for name in names}


def test_tie_names_tied_players_and_links_to_their_cards(client: Client, night: Night) -> None:
    """Ann and bob have 21, cat 26 (tests/vectors/points/five-card-21.jsonl)."""
    hands = {"ann": "Ah Ad 4c 5s Ts", "bob": "As Ac 4d 5h Th", "cat": "Kh Qd 2s 3c 4h"}
    players = [{"name": name, "paid": 10, "down": cards.split()} for name, cards in hands.items()]
    record = {"variant": "five-card-21", "button": 0, "players": players}
    page = html(client.post(at(night, "check"), typed(record), headers={"HX-Request": "true"}))
    assert 'data-tied="0 1"' in page
    assert "Enter the tie-break: ann, bob" in page
    assert page.count('data-to="tiebreaks/0/0"') == 2
    rounds = [{"ann": ["2c", "5d", "9h", "Jd", "Ks"], "bob": ["3c", "3d", "4h", "6d", "7s"]}]
    page = html(client.post(at(night, "check"), typed(record | {"tiebreaks": rounds})))
    assert "data-tied" not in page


def test_player_paid_a_carried_pot_by_the_table_owes_it(client: Client, night: Night) -> None:
    """No hand qualified, so 20 stays in the pot. The table gave it to bob."""
    page = words(client.post(at(night, "check"), typed(qualifiers() | {"took": {"bob": 20}})))
    assert "bob will owe the carried pot 20." in page


@pytest.mark.parametrize(
    ("took", "message"),
    [
        (15, "The players took 15 of 20. Add the missing 5."),
        (25, "The players took 25 of 20. That is 5 too many."),
    ],
)
def test_table_payout_must_match_the_pot(
    client: Client, night: Night, took: int, message: str
) -> None:
    """A different payout used to be ignored silently, and the stacks followed the rules."""
    fields = typed(holdem(took={"bob": took}))
    assert message in html(client.post(at(night, "check"), fields))
    page = client.post(at(night), fields)
    assert page.status_code == 400
    assert message in html(page)
    assert not Hand.objects.exists()
    client.post(at(night), typed(holdem(took={"bob": 20})))
    assert Hand.objects.count() == 1


def test_payment_above_the_stack_causes_a_finding(client: Client, night: Night) -> None:
    record = holdem()
    for each in record["players"]:
        each["paid"] = 500
    assert b"Is a buy-in missing?" in client.post(at(night, "check"), typed(record)).content
    assert client.post(at(night), typed(record)).status_code == 302


def test_wild_cards_show_the_cards_they_represent(client: Client, night: Night) -> None:
    record = {
        "variant": "middlemost",
        "button": 0,
        "players": [
            {
                "name": "ann",
                "paid": 10,
                "down": ["2c", "2d", "5s"],
                "up": ["Kh", "Kd", "8c"],
                "declared": "high",
            },
            {
                "name": "bob",
                "paid": 10,
                "down": ["7c", "9d", "Js"],
                "up": ["9h", "Ac", "As"],
                "declared": "high",
            },
        ],
    }
    page = html(client.post(at(night, "check"), typed(record)))
    assert "bob wins 20" in page
    assert "playing as ace of" in page


@pytest.mark.parametrize(("players", "asks"), [(7, True), (6, False), (1, False)])
def test_game_for_fewer_players_asks_which_players_sit_out(
    client: Client, night: Night, players: int, asks: bool
) -> None:
    """The page used to only warn, and leaving a player out took four taps further down."""
    seated = [{"name": f"player {number}"} for number in range(players)]
    page = html(client.post(at(night, "redraw"), typed({"variant": "3-5-7", "players": seated})))
    assert page.count("data-away=") == players
    assert ("hidden" not in page[page.index("data-too-many") :].split(">")[0]) == asks


def test_rows_against_the_bank_are_named_put_and_take(client: Client, night: Night) -> None:
    """The rows used to be named row 1 and row 2, terms that Put and Take players don't use."""
    page = html(client.post(at(night, "redraw"), typed({"variant": "put-and-take"})))
    assert [f'data-label="{title}"' in page for title in ("Put", "Take", "Row 1")] == [
        *(True, True),
        False,
    ]
    assert 'data-label="Row 1"' in html(
        client.post(at(night, "redraw"), typed({"variant": "cluster"}))
    )


def test_line_against_the_bank_shows_the_total_moved(client: Client, night: Night) -> None:
    """Ann puts 2 and takes 2. Bob puts 14 and takes 4 (vectors/banking/put-and-take.jsonl)."""
    record = {
        "variant": "put-and-take",
        "button": 2,
        "players": [
            {"name": "ann", "up": ["Kh", "Kc", "4d", "8s", "Ts"]},
            {"name": "bob", "up": ["7s", "9d", "Jc", "2s", "6h"]},
            {"name": "cat"},
        ],
        "board": [["Ks", "7d", "2h", "9c", "Jd"], ["Kd", "3s", "Qh", "7c", "5d"]],
    }
    page = html(client.post(at(night, "check"), typed(record)))
    assert page.count("cat wins 10, bob loses 10") == 2
    assert "ann wins" not in page.replace("\n", " ").split('class="story"')[0]


# Saving


def test_saving_a_hand_moves_the_chips(client: Client, night: Night) -> None:
    assert client.post(at(night), typed(holdem())).headers["Location"] == f"/nights/{night.pk}"
    assert stacks(night)[player(night, "ann").pk] == 110
    page = html(client.get(f"/nights/{night.pk}"))
    assert "Hand 1 saved" in page


def test_double_tap_saves_a_hand_once(client: Client, night: Night) -> None:
    fields = typed(holdem())
    for _ in range(2):
        assert client.post(at(night), fields).status_code == 302
    assert Hand.objects.count() == 1


def test_key_that_belongs_to_another_hand_is_refused(client: Client, night: Night) -> None:
    fields = typed(holdem())
    client.post(at(night), fields)
    page = client.post(at(night), typed(holdem(button=0)) | {"key": fields["key"]})
    assert page.status_code == 409
    form = form_of(page)
    assert record_in(form)["button"] == 0
    assert form.fields["key"] != fields["key"]
    assert Hand.objects.count() == 1


def test_server_creates_the_key_if_scripts_are_disabled(client: Client, night: Night) -> None:
    assert client.post(at(night), typed(holdem()) | {"key": ["none"]}).status_code == 302
    assert Hand.objects.count() == 1


def test_result_only_hand_requires_just_payers_and_winners(client: Client, night: Night) -> None:
    fields = {
        "variant": ["nightmare"],
        "depth": ["result"],
        "button": ["0"],
        "all_paid": ["5"],
        "winner": ["2"],
        **{f"players/{row}/name": [name] for row, name in enumerate(("ann", "bob", "cat", "dan"))},
    }
    assert client.post(at(night), fields).status_code == 302
    assert Revision.objects.get().depth == Revision.Depth.RESULT
    assert stacks(night)[player(night, "cat").pk] == 115


def test_result_without_a_winner_is_refused(client: Client, night: Night) -> None:
    page = client.post(at(night), typed(holdem(depth="result")))
    assert page.status_code == 400
    assert "Choose who won the pot." in html(page)


def test_hand_without_a_game_is_refused(client: Client, night: Night) -> None:
    page = client.post(at(night), typed(holdem()) | {"variant": ""})
    assert page.status_code == 400
    assert "Choose a game." in html(page)


def test_only_boards_with_several_rows_name_the_rows_of_a_run(client: Client, night: Night) -> None:
    page = html(client.post(at(night, "redraw"), typed(holdem(), drawn="texas-holdem", runs="3")))
    assert 'data-label="Run 2"' in page
    assert 'data-label="Run 3"' in page
    several = typed({"variant": "nightmare"}, drawn="nightmare", runs="2")
    page = html(client.post(at(night, "redraw"), several))
    assert 'data-label="Run 2, Row 1"' in page


def test_hand_for_a_closed_night_is_refused(client: Client, night: Night) -> None:
    with unguarded():
        Night.objects.update(state=Night.State.CLOSED)
    page = client.post(at(night), typed(holdem()))
    assert page.status_code == 409
    assert b"The night is closed" in page.content
    empty = client.get(f"/nights/{night.pk}/record")
    assert "The night is closed. A host can reopen it." in html(empty)  # before anything is typed
    assert record_in(form_of(page)) == holdem()


# Every documented error is next to its field, and all typed values are kept


def test_each_error_is_shown_next_to_its_field(client: Client, night: Night) -> None:
    for bad in (each for each in BAD if "record" in each):
        page = client.post(at(night), typed(bad["record"]))
        assert page.status_code == 400, bad
        form = form_of(page)
        assert record_in(form) == bad["record"]
        assert form.problems.get(field_for(bad)), (bad, form.problems)
    assert not Hand.objects.exists()


KEYS = ("name", "paid", "dead", "down", "declared")


def field_for(bad: dict[str, Any]) -> str:
    """Return this error's field, found by dropping the last parts of its path."""
    path = bad["where"].split("/")
    match path:
        case ["players", row, key, *_]:
            key = "state" if key == "folded" else key
            return f"players/{row}/{key if key in (*KEYS, 'state') else 'more'}"
        case ["board" | "options" as head, step, *_]:
            return f"{head}/{step}"
        case ["took", "ann" | "bob" as name]:
            return f"players/{('ann', 'bob').index(name)}/took"
        case ["runs", *_] if "runs" not in spell(bad["record"]):
            return "more"
        case ["runs", "0", ("board" | "options") as head, step, *_]:
            return f"{head}/{step}"
        case ["runs", run, ("board" | "options") as head, step, *_]:
            return f"runs/{run}/{head}/{step}"
        case ["runs", run, *_]:
            return f"runs/{max(1, int(run))}"
    return {"colour": "more"}.get(path[0], path[0])


@pytest.mark.parametrize("bad", [b for b in BAD if "text" in b], ids=lambda b: b["note"])
def test_invalid_json_is_shown_again_as_pasted(
    client: Client, night: Night, bad: dict[str, Any]
) -> None:
    page = client.post(at(night, "redraw"), {"paste": bad["text"], "fill": "1"})
    assert page.status_code == 400
    form = form_of(page)
    assert form.problems["paste"]
    assert form.fields["paste"] == [bad["text"]]


def test_invalid_number_is_shown_again_as_typed(client: Client, night: Night) -> None:
    for text in ("2.50", "forty", "1e999", "9" * 400, "٤٠"):
        fields = typed(holdem()) | {"players/0/paid": [text]}
        page = client.post(at(night), fields)
        assert page.status_code == 400
        form = form_of(page)
        assert form.fields["players/0/paid"] == [text]
        assert form.problems["players/0/paid"]


WHATEVER = [
    ("players/0/name", "\0"),
    ("players/0/name", "n" * 10_000),
    ("players/0/down", "\0 " * 50),
    ("players/0/down", "As" * 5_000),
    ("variant", "\0"),
    ("variant", "v" * 10_000),
    ("modifiers", "m" * 10_000),
    ("options/odd_chip", "\0"),
    ("options/\0", "x"),
    ("board/0", "Kd" * 10_000),
    ("board/999", "Kd"),
    ("board/99999999999", "Kd"),
    ("tiebreaks/999/0", "Kd"),
    ("players/999/name", "zoe"),
    ("more", '{"\\ud800": "\\ud800"}'),
    ("more", '{"variant": {"name": "\\ud800"}}'),
    ("more", '{"players": 7}'),
    ("more", '{"modifiers": {"a": 1}, "options": [1], "board": 3, "took": 4}'),
    ("more", "[" * 50_000),
    ("players/0/more", '{"down": [["As"]], "paid": {}}'),
    ("carried", "[" * 50_000),
    ("button", "1e999"),
    ("depth", "\0"),
    ("paste", '{"players": [1, {"name": "\\ud800"}], "variant": ["x"]}'),
]


@pytest.mark.parametrize("step", ["record", "check", "redraw"])
def test_any_input_returns_a_page(client: Client, night: Night, step: str) -> None:
    recorded_hands = 0
    for name, text in WHATEVER:
        page = client.post(at(night, step), typed(holdem()) | {name: [text]})
        assert page.status_code in (200, 302, 400), name
        assert b"Traceback" not in page.content
        recorded_hands += page.status_code == 302
        assert Hand.objects.count() == recorded_hands, name


def test_more_fields_than_a_hand_can_have_are_refused(client: Client, night: Night) -> None:
    fields = {f"players/{row}/name": "x" for row in range(2_000)}
    assert client.post(at(night), fields).status_code == 400


# Correcting


def test_hand_can_be_corrected_in_its_own_form(client: Client, night: Night) -> None:
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    page = client.get(f"/hands/{hand.pk}/record")
    form = form_of(page)
    assert record_in(form) == holdem()
    assert '<p class="who-won wrap">ann wins 20</p>' in html(page)
    fields = form.fields | {
        "players/0/paid": ["30"],
        "players/1/paid": ["30"],
        "reason": ["miscounted"],
    }
    verdict = client.post(f"/hands/{hand.pk}/check", fields, headers={"HX-Request": "true"})
    assert b"ann wins 60" in verdict.content
    landed = client.post(f"/hands/{hand.pk}/record", fields, follow=True)
    assert "Hand 1 corrected." in html(landed)
    assert stacks(night)[player(night, "ann").pk] == 130
    text = html(client.get(f"/hands/{hand.pk}"))
    assert "miscounted" in text
    assert "replaced" in text
    assert Hand.objects.count() == 1


def test_correction_without_a_change_is_not_saved(client: Client, night: Night) -> None:
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    fields = form_of(client.get(f"/hands/{hand.pk}/record")).fields
    landed = client.post(f"/hands/{hand.pk}/record", fields, follow=True)
    assert "Nothing changed." in html(landed)
    assert "Hand 1 corrected." not in html(landed)
    assert hand.revisions.count() == 1


def test_correction_that_is_sent_twice_is_saved_once(client: Client, night: Night) -> None:
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    fields = form_of(client.get(f"/hands/{hand.pk}/record")).fields
    fields |= {"players/0/paid": ["30"], "players/1/paid": ["30"]}
    for _ in range(2):
        landed = client.post(f"/hands/{hand.pk}/record", fields, follow=True)
        assert "Hand 1 corrected." in html(landed)
    assert hand.revisions.count() == 2


def corrected_fields(page: HttpResponse, paid: int) -> dict[str, list[str]]:
    """Return the fields of a correction form after everyone's payment was changed."""
    return form_of(page).fields | {f"players/{row}/paid": [str(paid)] for row in (0, 1)}


def test_correction_of_a_version_that_was_replaced_must_be_confirmed(
    client: Client, night: Night
) -> None:
    """Repeating the first correction still succeeds, although it is no longer current."""
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    at, eve = f"/hands/{hand.pk}/record", member(night.league, Role.SCOREKEEPER)
    User.objects.filter(pk=eve.session["_auth_user_id"]).update(first_name="Eve")
    first, second = corrected_fields(eve.get(at), 4), corrected_fields(client.get(at), 6)
    assert "Hand 1 corrected." in html(eve.post(at, first, follow=True))
    refused = client.post(at, second)
    assert refused.status_code == 409
    text = (
        "Eve corrected this hand while you were editing: everyone paid 4 instead of 10. "
        "Save again to replace that version."
    )
    assert text in html(refused)
    assert record_in(form_of(refused))["players"][0]["paid"] == 6
    assert hand.revisions.count() == 2
    assert "Hand 1 corrected." in html(client.post(at, form_of(refused).fields, follow=True))
    assert "Hand 1 corrected." in html(eve.post(at, first, follow=True))
    assert hand.revisions.get(current=True).answer["net"] == {"ann": 6, "bob": -6}


def test_correction_of_a_hand_undone_meanwhile_must_be_confirmed(
    client: Client, night: Night
) -> None:
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    at = f"/hands/{hand.pk}/record"
    fields = corrected_fields(client.get(at), 6)
    void_hand(hand, by=a_user("host"))
    refused = client.post(at, fields)
    assert refused.status_code == 409
    assert "undid this hand while you were editing. Save again to restore it" in html(refused)
    assert Hand.objects.get().voided
    client.post(at, form_of(refused).fields)
    assert not Hand.objects.get().voided


def test_form_redrawn_after_a_correction_still_requires_a_confirmation(
    client: Client, night: Night
) -> None:
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    at = f"/hands/{hand.pk}"
    fields = corrected_fields(client.get(f"{at}/record"), 6)
    revise_hand(hand, uuid4(), holdem(took={"bob": 20}), by=None)
    drawn = form_of(client.post(f"{at}/redraw", fields)).fields
    refused = client.post(f"{at}/record", drawn)
    text = "Another phone corrected this hand while you were editing: the table paid bob 20."
    assert text in html(refused)


def test_same_correction_from_two_phones_needs_no_confirmation(
    client: Client, night: Night
) -> None:
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    at = f"/hands/{hand.pk}/record"
    forms = [corrected_fields(client.get(at), 6) for _ in range(2)]
    assert "Hand 1 corrected." in html(client.post(at, forms[0], follow=True))
    assert "Nothing changed." in html(client.post(at, forms[1], follow=True))


def test_correction_form_without_a_revision_is_saved(client: Client, night: Night) -> None:
    """Pages cached before 0116 have no such field."""
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    fields = corrected_fields(client.get(f"/hands/{hand.pk}/record"), 6)
    del fields["revision"]
    revise_hand(hand, uuid4(), holdem(took={"bob": 20}), by=None)
    landed = client.post(f"/hands/{hand.pk}/record", fields, follow=True)
    assert "Hand 1 corrected." in html(landed)


def test_undone_hand_is_restored_without_a_change(client: Client, night: Night) -> None:
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    void_hand(hand, by=None)
    fields = form_of(client.get(f"/hands/{hand.pk}/record")).fields
    landed = client.post(f"/hands/{hand.pk}/record", fields, follow=True)
    assert "Hand 1 corrected." in html(landed)
    assert stacks(night)[player(night, "ann").pk] == 110


def test_choice_that_looks_like_a_number_stays_a_string(client: Client, night: Night) -> None:
    """In guts with three legs, `legs` has named choices, one of which is 3."""
    fields = {"variant": ["guts"], "drawn": ["guts"], "options/legs": ['"3"']}
    form = form_of(client.post(at(night, "redraw"), fields))
    assert form.fields["options/legs"] == ['"3"']
    assert record_in(form)["options"] == {"legs": "3"}

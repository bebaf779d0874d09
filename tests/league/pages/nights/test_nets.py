"""All pages show the net that is paid, and explain why it differs from the stack."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from league.charges.charging import NewCharge, Share, charge
from league.closing.chip_count import count
from league.closing.close import Decisions, close_night, reopen_night
from league.closing.standings import on_the_table, standings
from league.models import Charge, Night, Role
from league.nights.buy_ins import buy_in
from league.nights.cash_box import cash_box, store_cash_box
from league.nights.opening import open_night
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night, holdem, player
from tests.helpers.league.nights import again, closed, counted, dealt
from tests.helpers.league.pages import html
from tests.helpers.league.stats_rows import count_all
from tests.helpers.league.tournaments import a_tournament, entered

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return a_night()


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def row(page: str, name: str) -> str:
    """Return the text of the table row that starts with this name, and of the reasons below it."""
    rows = re.findall(r'<tr[^>]*>.*?</tr>(?:\s*<tr class="why">.*?</tr>)?', page)
    found = next(each for each in rows if f">{name}<" in each or f">{name} <" in each)
    return " ".join(re.sub(r"<[^>]*>", " ", found).split())


def seen(host: Client, path: str) -> str:
    return html(host.get(path))


def test_results_tonight_match_the_payments_if_the_table_paid_the_wrong_player(
    night: Night, host: Client
) -> None:
    """By the rules ann won, but the table paid bob. Her stack is 90 and her net is +10."""
    hand = dealt(night, holdem(took={"bob": 20}))
    page = seen(host, f"/nights/{night.pk}")
    assert row(page, "ann") == "ann +20 paid to the wrong player, hand 1 +10 +0.10 90"
    assert row(page, "bob").endswith("−20 paid to the wrong player, hand 1 −10 −0.10 110")
    assert f'href="/hands/{hand.pk}">+20 paid to the wrong player' in page


def test_closed_night_shows_what_was_paid_to_the_wrong_player(night: Night, host: Client) -> None:
    dealt(night, holdem(took={"bob": 20}))
    closed(night)
    page = seen(host, f"/nights/{night.pk}")
    assert row(page, "ann") == "ann +20 paid to the wrong player +10 +0.10 90"


def test_list_of_hands_counts_the_warnings_that_the_hand_shows(night: Night, host: Client) -> None:
    """Both ann and bob took other amounts than they won, which the hand's page shows as one."""
    dealt(night, holdem(took={"bob": 20}))
    assert "1 warning<" in re.sub(r"\s*<", "<", seen(host, f"/nights/{night.pk}/hands"))


def test_undone_hand_is_not_shown_as_paid_to_the_wrong_player(night: Night, host: Client) -> None:
    void_hand(dealt(night, holdem(took={"bob": 20})), by=None)
    assert "wrong player" not in seen(host, f"/nights/{night.pk}")


def test_closing_page_shows_how_the_count_changes_results(night: Night, host: Client) -> None:
    """According to the hands, ann won 10. Three of her chips are missing, and dan gets them."""
    dealt(night)
    counted(night, ann=107)
    sent = {"key": uuid4(), "missing": 3, "bears": str(player(night, "dan").pk)}
    page = html(host.post(f"/nights/{night.pk}/close/check", sent))
    assert row(page, "ann") == "ann +7 +0.07 USD +10 from hands, counted 3 chips short"
    assert row(page, "dan") == "dan +3 +0.03 USD 0 from hands, credited 3"
    assert row(page, "bob") == "bob −10 −0.10 USD"


def test_count_of_a_night_without_hands_is_no_difference(night: Night, host: Client) -> None:
    counted(night, ann=137, bob=63)
    sent = {"key": uuid4(), "missing": 0}
    page = html(host.post(f"/nights/{night.pk}/close/check", sent))
    assert row(page, "ann") == "ann +37 +0.37 USD +37 by chip count"
    closed(night, ann=137, bob=63)
    for at in (f"/nights/{night.pk}", f"/nights/{night.pk}/receipt"):
        assert "−37 by chip count" in row(seen(host, at), "bob")
    count_all(night.league)
    assert "+37 by count and corrections" not in seen(host, f"/seasons/{night.season_id}")


@pytest.mark.parametrize(
    ("counts", "shown"),
    [
        ({"cat": 97}, ["Chip count: 3 chips missing", "cat counted 97, expected 100"]),
        ({"ann": 111, "bob": 90}, ["Chip count: 1 chip too many", "ann counted 111, expected 110"]),
        (
            {"cat": 97, "dan": 103},
            ["the total is right", "cat counted 97, expected 100", "dan counted 103, expected 100"],
        ),
    ],
)
def test_open_night_shows_a_count_that_differs_from_the_hands(
    night: Night, host: Client, counts: dict[str, int], shown: list[str]
) -> None:
    """A count with missing chips was saved, and the night page showed nothing of it."""
    dealt(night)  # ann wins 10 from bob
    counted(night, **counts)
    page = seen(host, f"/nights/{night.pk}")
    assert [each for each in shown if each not in page] == []


def test_open_night_shows_no_count_that_matches_the_hands(night: Night, host: Client) -> None:
    dealt(night)
    counted(night, ann=110, cat=100)
    assert "Chip count:" not in seen(host, f"/nights/{night.pk}")


def test_standings_and_closed_night_show_how_the_count_changed_results(
    night: Night, host: Client
) -> None:
    """Standings and players' figures show +7 from the count. The hands alone give +10."""
    dealt(night)
    closed(night, ann=107, bears="dan")
    count_all(night.league)
    page = seen(host, f"/seasons/{night.season_id}")
    places, figures = page.split('id="figures"')
    assert row(places, "ann").startswith(
        "1 ann 1 night −3 by count and corrections still gets 0.07 USD +7"
    )
    assert row(figures, "ann").startswith("ann +7")
    assert f'href="/nights/{night.pk}/receipt">−3 by count and corrections' in page
    assert "counted 3 chips short" in row(seen(host, f"/nights/{night.pk}"), "ann")
    assert "credited 3" in row(seen(host, f"/nights/{night.pk}"), "dan")


def test_player_credited_with_missing_chips_sees_why(night: Night, host: Client) -> None:
    """Cat's stack was 133 and her net +36, which only the receipt explained."""
    dealt(night)
    closed(night, cat=97, bears="cat")
    assert row(seen(host, f"/nights/{night.pk}"), "cat") == (
        "cat counted 3 chips short, credited 3 0 0.00 97"
    )
    assert "counted 3 chips short, credited 3" in " ".join(
        re.sub(r"<[^>]*>", " ", seen(host, f"/nights/{night.pk}/receipt")).split()
    )


def test_closed_night_shows_what_was_counted_before_a_correction(
    night: Night, host: Client
) -> None:
    """Not Bob but Cat lost the 10. Her line read "counted 7 chips over credited 3"."""
    hand = dealt(night)
    closed(night, cat=97, bears="cat")
    record = holdem()
    record["players"][1]["name"] = "cat"
    revise_hand(hand, uuid4(), record, by=None)
    page, receipt = (seen(host, f"/nights/{night.pk}{part}") for part in ("", "/receipt"))
    why = "counted 3 chips short, credited 3, −10 by corrections after the count"
    assert row(page, "cat") == f"cat {why} 0 0.00 97"
    assert row(page, "bob") == "bob +10 by corrections after the count −10 −0.10 90"
    assert row(page, "ann") == "ann +10 +0.10 110"
    assert why in row(receipt, "cat")
    assert "+10 by corrections after the count" in row(receipt, "bob")


def test_count_after_a_correction_is_compared_with_the_corrected_hands(
    night: Night, host: Client
) -> None:
    hand = dealt(night)
    closed(night, cat=97, bears="cat")
    reopen_night(again(night), by=None)
    record = holdem()
    record["players"][1]["name"] = "cat"
    revise_hand(hand, uuid4(), record, by=None)
    counted(night, cat=96)
    counted(night, cat=97, bob=90)
    bearing = [player(night, "cat").pk]
    close_night(again(night), uuid4(), by=None, decisions=Decisions(shared_by=bearing))
    page = seen(host, f"/nights/{night.pk}")
    assert row(page, "cat").startswith("cat counted 7 chips over, credited 3 0")
    assert row(page, "bob").startswith("bob counted 10 chips short −10")


def test_correction_is_shown_alike_for_both_players_if_another_player_bears_chips(
    night: Night, host: Client
) -> None:
    """The count is the same, so the correction explains 10 of cat's chips and 10 of bob's."""
    hand = dealt(night)
    closed(night, cat=97, bears="cat")
    reopen_night(again(night), by=None)
    record = holdem()
    record["players"][1]["name"] = "cat"
    revise_hand(hand, uuid4(), record, by=None)
    bearing = [player(night, "dan").pk]
    close_night(again(night), uuid4(), by=None, decisions=Decisions(shared_by=bearing))
    page = seen(host, f"/nights/{night.pk}")
    why = "by corrections after the count"
    assert row(page, "cat").startswith(f"cat counted 3 chips short, −10 {why}")
    assert row(page, "bob").startswith(f"bob +10 {why}")
    assert row(page, "dan").startswith("dan credited 3")


def test_surplus_chips_are_shown_as_charged(night: Night, host: Client) -> None:
    dealt(night)
    closed(night, cat=104, bears="dan")
    page = seen(host, f"/nights/{night.pk}")
    assert "counted 4 chips over" in row(page, "cat")
    assert "charged 4" in row(page, "dan")


@pytest.mark.parametrize(
    ("counts", "ticked"),
    [({"cat": 97}, ["cat"]), ({"cat": 98, "dan": 99}, []), ({"cat": 96, "dan": 101}, [])],
)
def test_closing_preselects_the_only_player_whose_count_was_short(
    night: Night, host: Client, counts: dict[str, int], ticked: list[str]
) -> None:
    """Cat's count was short, and a host had to guess which player to tick."""
    dealt(night)
    counted(night, **counts)
    page = seen(host, f"/nights/{night.pk}/close")
    assert "3 chips (0.03 USD) are missing" in page
    assert "Who should get them back?" in page
    boxes = re.findall(
        r'<label class="check">(<input[^>]*name="bears"[^>]*>).*?<span class="wrap">(\w+)', page
    )
    assert [name for box, name in boxes if "checked" in box] == ticked
    assert ("Before you close" in page) is not bool(ticked)


def test_closing_page_links_to_what_has_to_be_decided_first(night: Night, host: Client) -> None:
    dealt(night)
    entered(a_tournament(night), "ann", "bob")
    page = html(host.get(f"/nights/{night.pk}/close"))
    undecided = page.split("Before you close")[1].split("</ul>")[0]
    assert "is still running: end it or cancel it first</a>" in undecided
    assert f'href="/nights/{night.pk}/tournaments"' in undecided
    assert f'href="/nights/{night.pk}/count"' in undecided


def test_hand_list_separates_the_hands_of_several_winners(night: Night, host: Client) -> None:
    players = [
        {"name": "ann", "paid": 50, "down": ["As", "Kd"]},
        {"name": "bob", "paid": 50, "down": ["Qh", "Qc"]},
    ]
    boards = ["2c 8d Kh 9s 8c", "9d 3c 3h Js 7d"]
    runs = [{"board": [board.split()]} for board in boards]
    dealt(night, {"variant": "texas-holdem", "button": 0, "players": players, "runs": runs})
    page = seen(host, f"/nights/{night.pk}/hands")
    assert re.search(r'<span class="wrap">two pair[^<]*</span>\s*<span class="wrap">two', page)


def test_chips_on_the_table_are_not_debts(night: Night, host: Client) -> None:
    """All players used to show −100 while a night was open. Earlier winnings are still owed."""
    dealt(night)
    closed(night)
    later = a_later_night(night)
    record_hand(later, uuid4(), holdem(took={"bob": 20}), by=None)
    open_chips = on_the_table(night.league)
    told = {each.name: each.tab - open_chips[each.player] for each in standings(night.season)}
    assert told == {"ann": 10, "bob": -10, "cat": 0, "dan": 0}
    page = seen(host, f"/seasons/{night.season_id}")
    assert row(page, "ann").endswith("still gets 0.10 USD +10 +0.10 USD")
    assert row(page, "cat").endswith("1 night 0 0.00 USD")


def test_charges_of_an_open_night_are_not_debts(night: Night, host: Client) -> None:
    """A charge of the open night made a settled player owe chips that no payment listed."""
    closed(night)
    later = a_later_night(night)
    ann, bob = player(night, "ann"), player(night, "bob")
    shares = {ann: Share(gets=80), bob: Share(owes=80)}
    bet = NewCharge(kind=Charge.Kind.COST, title="pizza", shares=shares)
    charge(later, bet, charge_id=uuid4(), by=None)
    page = seen(host, f"/seasons/{night.season_id}")
    assert "still gets" not in page
    assert "still owes" not in page


def a_later_night(night: Night) -> Night:
    players = [player(night, name) for name in ("ann", "bob", "cat")]
    later = open_night(night.league, players=players)
    buy_in(later, players[0], 100, buy_in_id=uuid4(), by=None)
    buy_in(later, players[1], 100, buy_in_id=uuid4(), by=None, banker=players[2])
    return later


def test_closing_explains_what_is_settled_besides_the_result(night: Night, host: Client) -> None:
    """The payments used to differ from the results without a reason."""
    dealt(night)
    ann, bob = player(night, "ann"), player(night, "bob")
    shares = {ann: Share(gets=2), bob: Share(owes=2)}
    bet = NewCharge(kind=Charge.Kind.COST, title="pizza", shares=shares)
    charge(night, bet, charge_id=uuid4(), by=None)
    counted(night)
    page = seen(host, f"/nights/{night.pk}/close")
    assert row(page, "ann") == "ann +10 +0.10 USD +10 from hands, +2 costs, +12 to settle"


def test_closing_and_receipt_name_the_kinds_of_charges(night: Night, host: Client) -> None:
    """Starting cash used to be called "costs and bets". The chips are those of the charges."""
    dealt(night)
    ann, bob, box = player(night, "ann"), player(night, "bob"), cash_box(night.league)
    store_cash_box(box)
    kinds = {
        Charge.Kind.STARTING_CASH: {ann: Share(gets=30), box: Share(owes=30)},
        Charge.Kind.COST: {ann: Share(owes=5), bob: Share(gets=5)},
        Charge.Kind.BOUNTY: {ann: Share(gets=2), bob: Share(owes=2)},
    }
    for kind, shares in kinds.items():
        charge(
            night, NewCharge(kind=kind, title="pizza", shares=shares), charge_id=uuid4(), by=None
        )
    counted(night)
    parts = "+30 starting cash, −5 costs, +2 side bets, +37 to settle"
    assert parts in row(seen(host, f"/nights/{night.pk}/close"), "ann")
    closed(night)
    receipt = row(seen(host, f"/nights/{night.pk}/receipt"), "ann")
    assert parts in receipt


@pytest.mark.parametrize("has_hands", [True, False])
def test_receipt_of_an_uncounted_night_mentions_hands_only_if_there_are_any(
    night: Night, host: Client, has_hands: bool
) -> None:
    """The page said both "The recorded hands decide." and "No hands." before."""
    if has_hands:
        dealt(night)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    page = seen(host, f"/nights/{night.pk}/receipt")
    assert "The chips were not counted." in page
    assert ("The recorded hands decide." in page) == has_hands
    assert ("No hands." in page) != has_hands


def test_receipt_reports_once_that_chips_were_not_counted(night: Night, host: Client) -> None:
    """Each player's line used to say so."""
    dealt(night)
    count(night, player(night, "ann"), 110, count_id=uuid4(), by=None)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    page = seen(host, f"/nights/{night.pk}/receipt")
    assert page.lower().count("not counted") == 1
    assert "Not counted: bob, cat, dan" in page

"""Receipts have unguessable links and contain all results. Their CSV is safe to open."""

import csv
from uuid import uuid4

import pytest
from django.test import Client

from league.charges.charging import NewCharge, Share, charge
from league.closing.close import reopen_night
from league.closing.payments import receive
from league.closing.receipts import as_csv, receipt, share, shared_night, unshare
from league.common.errors import RefusedError
from league.models import Charge, ReceiptLink
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people.leagues import add_player
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from tests.helpers.league.leagues import a_league, a_night, holdem, player
from tests.helpers.league.nights import closed, counted, dealt

pytestmark = pytest.mark.django_db


def test_receipt_link_opens_its_night_and_only_its_hash_is_stored() -> None:
    night = a_night()
    closed(night)
    token = share(night, by=None)
    assert len(token) >= 32
    assert shared_night(token) == night
    assert token not in str(ReceiptLink.objects.values_list())
    assert shared_night(token[:-1]) is None
    assert shared_night("") is None


def test_revoked_links_are_invalid() -> None:
    night = a_night()
    closed(night)
    tokens = [share(night, by=None) for _ in range(2)]
    assert unshare(night) == 2
    assert [shared_night(token) for token in tokens] == [None, None]


def test_open_night_has_neither_a_receipt_nor_a_link() -> None:
    night = a_night()
    assert receipt(night) is None
    with pytest.raises(RefusedError):
        share(night, by=None)
    closed(night)
    token = share(night, by=None)
    reopen_night(night, by=None)
    assert shared_night(token) is None


def test_receipt_includes_all_results_of_the_night() -> None:
    night = a_night()
    dealt(night)
    closing = closed(night)
    debt = closing.plan.payments.get()
    receive(debt, uuid4(), 4, by=None)
    made = receipt(night)
    assert made is not None
    assert [(line.player.name, line.net) for line in made.lines][:2] == [("ann", 10), ("bob", -10)]
    assert [hand.hand.number for hand in made.hands] == [1]
    assert [(str(each), each.open_chips()) for each in made.payments] == [("bob pays ann 10", 6)]
    rows = list(csv.reader(as_csv(made).splitlines()))
    assert rows[0] == [
        "player", "bought", "cashed out", "at the end", "counted", "difference",
        "tournaments", "net", "USD", "paid in cash", "costs and bets", "to settle",
        "paid to the wrong player", "share of the difference",
    ]  # fmt: skip
    assert rows[1] == [
        "ann", "100", "0", "110", "110", "0", "0", "10", "0.10", "0", "0", "10", "0", "0"
    ]  # fmt: skip
    assert rows[-1] == ["hash", closing.hash]


def test_parts_of_each_row_of_the_csv_file_add_up_to_its_totals() -> None:
    """The file had no columns for a pot paid to the wrong player and the count's difference."""
    night = a_night()
    dealt(night, holdem(took={"bob": 20}))
    into_fund = {player(night, name): Share(owes=3) for name in ("ann", "bob")}
    charge(
        night,
        NewCharge(kind=Charge.Kind.FUND, shares=into_fund, fund=6, keeper=player(night, "ann")),
        charge_id=uuid4(),
        by=None,
    )
    closed(night, cat=97, bears="bob dan")
    made = receipt(night)
    assert made is not None
    header, *rows = list(csv.reader(as_csv(made).splitlines()))[: len(made.lines) + 1]
    texts = {"player", "USD", "counted"}
    cells = [
        {title: int(cell) for title, cell in zip(header, row, strict=True) if title not in texts}
        for row in rows
    ]
    assert [row["paid to the wrong player"] for row in cells] == [20, -20, 0, 0]
    assert [row["share of the difference"] for row in cells] == [0, 2, 0, 1]
    for row in cells:
        won = row["at the end"] + row["cashed out"] - row["bought"] + row["tournaments"]
        fixed = row["paid to the wrong player"] + row["share of the difference"]
        assert row["net"] == won + fixed
        assert row["to settle"] == row["net"] + row["paid in cash"] + row["costs and bets"]


def test_csv_file_includes_what_the_season_fund_gets() -> None:
    night = a_night()
    ann, bob = player(night, "ann"), player(night, "bob")
    into_fund = NewCharge(
        kind=Charge.Kind.FUND, shares={ann: Share(owes=3), bob: Share(owes=4)}, fund=7, keeper=ann
    )
    charge(night, into_fund, charge_id=uuid4(), by=None)
    closed(night)
    made = receipt(night)
    assert made is not None
    rows = [row[2:] for row in csv.reader(as_csv(made).splitlines()) if row[:1] == ["fund"]]
    assert sorted(rows) == [
        ["ann", "0", "3", ""],
        ["bob", "0", "4", ""],
        ["season fund", "7", "0", "ann"],  # the keeper is named last
    ]


def test_receipt_names_the_keeper_of_the_fund(client: Client) -> None:
    """The keeper owes the fund's money, but the receipt did not say who that is."""
    night = a_night()
    ann, cat = player(night, "ann"), player(night, "cat")
    into_fund = NewCharge(kind=Charge.Kind.FUND, shares={ann: Share(owes=3)}, fund=3, keeper=cat)
    charge(night, into_fund, charge_id=uuid4(), by=None)
    closed(night)
    page = client.get(f"/receipts/{share(night, by=None)}").content.decode()
    assert "+0.03 USD in the season fund held by <bdi>cat</bdi>" in page


def test_undone_hands_count_as_zero_in_the_csv_file() -> None:
    night = a_night()
    dealt(night)
    void_hand(dealt(night), by=None)
    closed(night)
    made = receipt(night)
    assert made is not None
    rows = [row for row in csv.reader(as_csv(made).splitlines()) if row[2:3] == ["voided"]]
    assert rows == [
        ["2", "Texas Hold'em", "voided", "ann", "0"],
        ["2", "Texas Hold'em", "voided", "bob", "0"],
    ]


@pytest.mark.parametrize("name", ["=1+1", "+cmd", "-2+3", "@sum", "=HYPERLINK(0)"])
def test_player_name_in_a_csv_file_cannot_be_a_formula(name: str) -> None:
    league = a_league()
    players = [add_player(league, name), add_player(league, "bob")]
    night = open_night(league, players=players)
    for each in players:
        buy_in(night, each, 50, buy_in_id=uuid4(), by=None)
    hand = holdem()
    hand["players"][0]["name"] = name
    record_hand(night, uuid4(), hand, by=None)
    counted(night)
    closed(night)
    made = receipt(night)
    assert made is not None
    cells = [cell for row in csv.reader(as_csv(made).splitlines()) for cell in row]
    assert f"'{name}" in cells
    assert name not in cells
    assert "-10" in cells

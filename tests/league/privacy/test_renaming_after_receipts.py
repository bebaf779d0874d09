"""A renamed player keeps the chips, and receipts keep the signed name (decision 0108)."""

import gzip
import json
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from league.archive.export_season import export_season
from league.archive.import_season import import_season
from league.charges.charging import NewCharge, Share, charge
from league.closing.close import reopen_night
from league.closing.closing_hash import last_hash
from league.closing.standings import standings
from league.common.errors import RefusedError
from league.imports.contents import ImportOptions, Source
from league.imports.planning import plan
from league.integrity.audit import audit
from league.models import (
    Charge,
    Closing,
    ClosingSignature,
    Hand,
    JournalEntry,
    League,
    Night,
    PlannedPayment,
    Player,
    Revision,
)
from league.nights.nights import seat
from league.nights.opening import open_night
from league.people.leagues import add_player, make_league, names_on_receipts
from league.privacy.erasure import erase_player
from league.privacy.renaming import rename_player
from league.proofs.signing import proof_of, public_key
from league.proofs.verification import as_file, flaws
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from league.stats.count import rebuild
from league.stats.figures.players import players
from league.stats.scopes import of_all_time
from ledger.balances import balances
from tests.helpers.league.leagues import a_night, a_user, holdem, player
from tests.helpers.league.nights import again, chosen, closed, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """Return a closed night in which bbo lost 10 chips to ann."""
    night = a_night()
    rename_player(player(night, "bob"), "bbo", by=None)
    dealt(night)
    closed(night)
    return again(night)


def fixed(night: Night) -> Player:
    return rename_player(player(night, "bbo"), "Bob", by=None)


def payments() -> list[tuple[object, ...]]:
    return list(PlannedPayment.objects.order_by("pk").values_list("payer", "payee", "chips"))


def host(night: Night) -> Client:
    client = Client()
    assert night.league.created_by
    client.force_login(night.league.created_by)
    return client


def test_chips_and_seals_do_not_change(night: Night) -> None:
    before = balances(night.league.book), payments(), last_hash(night.league)
    bob = fixed(night)
    assert (balances(night.league.book), payments(), last_hash(night.league)) == before
    assert {row.player: row.name for row in standings(night.season)}[bob.pk] == "Bob"
    assert JournalEntry.objects.filter(kind=JournalEntry.Kind.RENAMED).count() == 1
    assert audit() == []


def test_receipt_keeps_the_signed_name_and_shows_the_new_one(night: Night) -> None:
    [closing] = Closing.objects.all()
    before = proof_of(closing)
    fixed(night)
    after = proof_of(Closing.objects.get())
    assert after == before
    assert after
    assert "bbo" in after.names
    assert list(flaws(after, trusted=[public_key(night.league)])) == []
    page = html(host(night).get(reverse("receipt", args=[night.pk])))
    assert "<span>bbo</span>" in page
    assert "now Bob" in page
    assert "bbo pays ann" in page
    assert "Bob" not in page.replace("now Bob", "")
    sheet = host(night).get(reverse("receipt-csv", args=[night.pk])).content.decode()
    assert "bbo,ann,10,10" in sheet
    assert ",bbo,-10\r\n" in sheet
    assert "Bob" not in sheet


def test_later_receipt_is_signed_with_the_new_name(night: Night) -> None:
    fixed(night)
    later = open_night(night.league)
    for name in ("ann", "Bob"):
        seat(later, player(night, name))
    closed(later)
    first, second = (proof_of(row) for row in Closing.objects.order_by("sequence"))
    assert first
    assert second
    assert "bbo" in first.names
    assert "bbo" not in second.names
    rename_player(player(night, "Bob"), "Robert", by=None)
    assert [proof_of(row) for row in Closing.objects.order_by("sequence")] == [first, second]
    page = html(host(night).get(reverse("receipt", args=[night.pk])))
    assert "now Robert" in page
    assert audit() == []


@pytest.mark.parametrize("name", ["bbo", "BBO"])
def test_name_on_a_receipt_is_reserved(night: Night, name: str) -> None:
    fixed(night)
    for take in (
        lambda: add_player(night.league, name),
        lambda: rename_player(player(night, "cat"), name, by=None),
    ):
        with pytest.raises(RefusedError) as refused:
            take()
        assert [each["code"] for each in refused.value.errors] == ["name-twice"]
        assert "on earlier receipts" in refused.value.errors[0]["text"]
    assert rename_player(player(night, "Bob"), name, by=None).name == name
    assert audit() == []


def test_name_that_no_receipt_contains_is_free_again(night: Night) -> None:
    for old, new in (("ann", "tmp"), ("bbo", "Bod"), ("Bod", "Bob")):
        rename_player(player(night, old), new, by=None)
    assert names_on_receipts(night.league) == {"ann": "tmp", "bbo": "Bob"}
    with pytest.raises(RefusedError):  # a phone may send it if the night is reopened
        rename_player(player(night, "cat"), "Bod", by=None)
    assert add_player(night.league, "Bod").name == "Bod"
    assert audit() == []


def test_players_on_a_receipt_cannot_swap_names(night: Night) -> None:
    rename_player(player(night, "ann"), "tmp", by=None)
    for old in ("bbo", "cat"):
        with pytest.raises(RefusedError):
            rename_player(player(night, old), "ann", by=None)
    page = html(host(night).get(reverse("receipt", args=[night.pk])))
    assert "<span>ann</span>" in page
    assert "now tmp" in page


def test_player_cannot_take_a_name_that_another_had_in_a_night_with_them() -> None:
    night = a_night()
    rename_player(player(night, "bob"), "Rob", by=None)
    closed(night)
    with pytest.raises(RefusedError) as refused:
        rename_player(player(night, "cat"), "BOB", by=None)
    [error] = refused.value.errors
    assert error["code"] == "name-twice"
    assert "Rob was called bob in a night that is shared with this player" in error["text"]
    absent = add_player(night.league, "eve")
    assert rename_player(absent, "bob", by=None).name == "bob"


def test_renaming_twice_and_back_keeps_every_receipt(night: Night) -> None:
    before = proof_of(Closing.objects.get())
    for old, new in (("bbo", "Bob"), ("Bob", "bbo"), ("bbo", "Bill"), ("Bill", "Bob")):
        rename_player(player(night, old), new, by=None)
        assert proof_of(Closing.objects.get()) == before
        assert audit() == []


def test_hand_of_a_closed_night_is_corrected_under_either_name(night: Night) -> None:
    hand, bob = Hand.objects.get(), player(night, "bbo")
    fixed(night)
    for name in ("bbo", "Bob"):
        record = holdem(took={name: 20})
        record["players"][1]["name"] = name
        revision = revise_hand(hand, uuid4(), record, by=None).revision
        assert revision.names["Bob"] == str(bob.pk)
    assert {names[0] for names in payments()} == {bob.pk}
    assert audit() == []


def test_phone_sends_a_hand_of_a_reopened_night_with_the_old_name(night: Night) -> None:
    bob = fixed(night)
    reopen_night(night, by=None)
    record = holdem()
    record["players"][1]["name"] = "bbo"
    revision = record_hand(again(night), uuid4(), record, by=None).revision
    assert revision.names == {"ann": str(player(night, "ann").pk), "Bob": str(bob.pk)}
    closed(again(night))
    assert audit() == []
    assert "bbo" not in str(proof_of(Closing.objects.latest("sequence")))


def test_statistics_are_the_same_when_they_are_counted_again(night: Night) -> None:
    rebuild(night.league.pk)
    bob = fixed(night)
    counted = [(row.player, row.name, row.net) for row in players(of_all_time(night.league))]
    rebuild(night.league.pk)
    assert counted == [
        (row.player, row.name, row.net) for row in players(of_all_time(night.league))
    ]
    assert (bob.pk, "Bob", -10) in counted


def test_season_file_has_current_names_and_proves_the_chips(
    night: Night, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = proof_of(Closing.objects.get())
    assert proof
    (tmp_path / "old.json").write_text(as_file(proof))
    fixed(night)
    lines = list(export_season(night.season))
    assert "bbo" not in "".join(lines)
    (tmp_path / "season.jsonl").write_text("\n".join(lines))
    call_command("verify", str(tmp_path / "old.json"), str(tmp_path / "season.jsonl"))
    assert capsys.readouterr().out.count("closing 1 of") == 2
    copy = make_league(a_user("other"), "Copy", chip_value=night.league.chip_value)
    season = import_season(copy, lines, by=copy.created_by)
    assert {row.name: row.net for row in standings(season)} == {
        "ann": 10,
        "Bob": -10,
        "cat": 0,
        "dan": 0,
    }
    assert audit() == []


def test_file_exported_before_the_renaming_is_not_imported_twice(night: Night) -> None:
    record = Revision.objects.get().record
    fixed(night)
    file = Source("hands.json", "", json.dumps(record))
    planned = plan(night.league, [file], ImportOptions(add_players=True))
    assert (planned.refused, planned.known, planned.new_players) == ([], 1, [])


def test_import_adds_no_player_with_an_earlier_name_of_an_open_night() -> None:
    night = a_night()
    dealt(night)
    file = Source("hands.json", "", json.dumps(Revision.objects.get().record))
    rename_player(player(night, "bob"), "Rob", by=None)
    planned = plan(night.league, [file], ImportOptions(add_players=True))
    assert planned.new_players == []
    assert "Rob was called bob in a night that is still open" in planned.refused[0].text


def test_backup_keeps_the_signed_name(night: Night, tmp_path: Path) -> None:
    fixed(night)
    before, file = proof_of(Closing.objects.get()), tmp_path / "league.backup"
    call_command("backup", str(file), stdout=StringIO())
    assert b"bbo" in gzip.decompress(file.read_bytes())
    call_command("restore", "--replace", str(file), stdout=StringIO())
    assert proof_of(Closing.objects.get()) == before
    with pytest.raises(RefusedError):
        add_player(League.objects.get(), "bbo")
    assert audit() == []


def test_erasure_removes_the_signed_name(night: Night) -> None:
    bob = fixed(night)
    erase_player(bob, by=None)
    proof = proof_of(Closing.objects.get())
    assert proof
    assert proof.names == ""
    assert list(flaws(proof)) == []
    assert "bbo" not in str(ClosingSignature.objects.values_list())
    assert audit() == []


def test_erasure_keeps_the_signed_names_of_other_peoples_nights(night: Night) -> None:
    other = add_player(night.league, "eve")
    fixed(night)
    before = proof_of(Closing.objects.get())
    erase_player(other, by=None)
    assert proof_of(Closing.objects.get()) == before
    assert audit() == []


def test_erasure_removes_the_signed_names_of_everyone_at_the_night(night: Night) -> None:
    fixed(night)
    erase_player(player(night, "ann"), by=None)
    assert "ann" not in str(ClosingSignature.objects.values_list("names", "salt"))
    assert ClosingSignature.objects.get().salt == ""
    assert audit() == []


def test_keeper_of_the_fund_without_a_seat_is_renamed_after_closing() -> None:
    night = a_night()
    keeper = add_player(night.league, "Kep")
    shares = {player(night, "ann"): Share(owes=3)}
    into_fund = NewCharge(kind=Charge.Kind.FUND, shares=shares, fund=3, keeper=keeper)
    charge(night, into_fund, charge_id=uuid4(), by=None)
    closed(night)
    rename_player(keeper, "Ken", by=None)
    assert audit() == []
    with pytest.raises(RefusedError):
        add_player(night.league, "Kep")


def test_banker_without_a_seat_is_renamed_after_closing() -> None:
    night = a_night()
    banker = add_player(night.league, "Bnk")
    night = chosen(night, banker=banker)
    dealt(night)
    closed(night)
    rename_player(banker, "Bank", by=None)
    page = html(host(night).get(reverse("receipt", args=[night.pk])))
    assert "bob pays Bnk" in page
    assert "Bnk is now called Bank." in page
    assert audit() == []
    with pytest.raises(RefusedError):
        add_player(night.league, "Bnk")


def test_page_explains_what_receipts_show(night: Night) -> None:
    client, at = host(night), reverse("edit-player", args=[player(night, "bbo").pk])
    page = html(client.get(at))
    assert "Receipts of closed nights keep the old name" in page
    assert "bbo is now called Bob." in html(client.post(at, {"name": "Bob"}, follow=True))

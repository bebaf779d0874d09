"""`manage.py audit` reports every violation and nothing else."""

from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from league.closing.close import reopen_night
from league.closing.payments import receive
from league.integrity import triggers
from league.integrity.audit import audit
from league.models import BuyIn, Closing, ClosingLine, Night, Payment, PlannedPayment
from league.nights import accounts
from league.nights.opening import open_night
from ledger import guards
from ledger.models import NewTransfer
from ledger.posting import post
from tests.helpers.league.leagues import a_night, player, qualifiers
from tests.helpers.league.nights import a_table, closed, dealt
from tests.helpers.league.seasons import a_season
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db


def finding_codes() -> set[str]:
    return {each.code for each in audit()}


@pytest.mark.parametrize("leftover", ["back", "stays"])
def test_audit_of_valid_data_finds_nothing(leftover: str) -> None:
    league = a_season(a_table(leftover=leftover))
    assert audit() == []
    assert audit(league) == []


def test_changed_receipt_line_breaks_the_seal() -> None:
    a_season(a_table())
    with unguarded():
        ClosingLine.objects.filter(bought__gt=0).update(put_right=1)
    assert {"seal-broken", "balance-differs"} & finding_codes() == {"seal-broken"}


def test_changed_plan_breaks_the_seal() -> None:
    a_season(a_table())
    with unguarded():
        PlannedPayment.objects.filter(pk=PlannedPayment.objects.first().pk).update(chips=999)  # type: ignore[union-attr]
    assert "seal-broken" in finding_codes()


def test_missing_closing_breaks_the_chain() -> None:
    a_season(a_table())
    first = Closing.objects.get(sequence=1)
    with unguarded():
        Closing.objects.filter(sequence=2).update(previous_hash="0" * 64)
    assert finding_codes() == {"chain-broken", "proof-broken", "seal-broken"}
    assert first.previous_hash == ""


def test_altered_closing_breaks_its_seal() -> None:
    a_season(a_table())
    first = Closing.objects.get(sequence=1)
    with unguarded():
        Closing.objects.filter(pk=first.pk).update(by_hands=not first.by_hands)
    assert "seal-broken" in finding_codes()


def test_unexplained_transfer_is_reported() -> None:
    night = a_night()
    ann, bob = (accounts.tab(player(night, name).pk) for name in ("ann", "bob"))
    post(night.league.book, "by hand", [NewTransfer(ann, bob, 5)])
    assert finding_codes() == {"balance-differs", "debts-differ"}
    assert {each.ids[0] for each in audit()} == {ann.key, bob.key}


def test_payment_of_more_than_is_owed_is_reported_with_the_difference() -> None:
    night = a_night()
    dealt(night)
    planned = closed(night).plan.payments.get()
    receive(planned, uuid4(), 4, by=None)
    with unguarded():
        Payment.objects.update(chips=11)
    texts = [each.text for each in audit() if each.code == "debts-differ"]
    assert sorted(text.partition(", ")[2] for text in texts) == [
        "ann has 6 chips on the tab but 0 to settle",
        "bob has -6 chips on the tab but 0 to settle",
    ]


def test_changed_buy_in_is_reported() -> None:
    night = a_night()
    with unguarded():
        BuyIn.objects.filter(night=night).update(chips=7)
    assert finding_codes() == {"balance-differs", "debts-differ"}


def test_hand_that_cannot_be_replayed_is_reported() -> None:
    night = a_night()
    revision = dealt(night).revisions.get()
    revision.record["players"][0]["down"] = ["3c", "3d"]
    with unguarded():
        revision.save()
    assert "hand-differs" in finding_codes()


def test_chips_left_on_the_table_of_a_closed_night_are_reported() -> None:
    night = a_night()
    dealt(night)
    closed(night)
    reopen_night(night, by=None)
    with unguarded():
        Night.objects.filter(pk=night.pk).update(state=Night.State.CLOSED)
    assert "chips-left" in finding_codes()


def test_missing_trigger_is_reported() -> None:
    guards.remove(connection, triggers.league())
    assert finding_codes() == {"unguarded"}


def run(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("audit", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_command_reports_that_all_checks_pass() -> None:
    league = a_season(a_table())
    assert run() == run("--league", str(league.pk)) == ["Everything holds."]


def test_command_reports_violations_and_exits_with_1() -> None:
    a_season(a_table())
    with unguarded():
        ClosingLine.objects.filter(bought__gt=0).update(put_right=1)
    out = StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("audit", stdout=out)
    assert left.value.code == 1
    assert out.getvalue().startswith("seal-broken: Tuesday, closing line ")


def test_command_refuses_an_unknown_league() -> None:
    with pytest.raises(CommandError, match="There is no league"):
        run("--league", str(uuid4()))


def test_audit_passes_for_a_reopened_night_whose_pot_was_passed_on() -> None:
    night = a_table(leftover="stays")
    dealt(night, qualifiers())
    closed(night)
    open_night(night.league, players=[player(night, "ann")])
    reopen_night(night, by=None)
    assert audit() == []
    dealt(night, qualifiers())
    closed(night)
    assert audit() == []

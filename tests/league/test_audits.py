"""`manage.py audit`: what does not hold is named, and nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from league import accounts, seals
from league.audits import audit
from league.closing import reopen_night
from league.models import BuyIn, Closing, League, Line, Night, PlannedPayment
from league.nights import buy_in, carry, open_night
from league.paying import receive
from league.recording import revise_hand, void_hand
from ledger import guards
from ledger.posting import Move, post
from tests.league.evenings import a_table, closed, dealt
from tests.league.tables import a_night, holdem, player, qualifiers

pytestmark = pytest.mark.django_db


def a_season(night: Night) -> League:
    """Two nights with all that can happen at one."""
    eve = player(night, "dan")
    buy_in(night, player(night, "cat"), 30, buy_in_id=uuid4(), by=None, banker=eve)
    hand = dealt(night, holdem(took={"bob": 20}))
    void_hand(dealt(night), by=None)
    dealt(night, qualifiers())
    first = closed(night, cat=129, bears="ann")
    receive(first.plan.payments.first(), uuid4(), 1, by=None)
    later = open_night(night.league, players=[player(night, "ann"), player(night, "bob")])
    for name in ("ann", "bob"):
        buy_in(later, player(night, name), 50, buy_in_id=uuid4(), by=None)
    dealt(later, holdem(carried=carry(later)))
    closed(later)
    revise_hand(hand, uuid4(), holdem(), by=None)
    open_night(night.league)
    return night.league


@contextmanager
def unguarded() -> Iterator[None]:
    """Do what the database refuses otherwise."""
    connection.check_constraints()
    guards.remove(connection, seals.league())
    yield
    connection.check_constraints()
    guards.install(connection, seals.league())


def found() -> set[str]:
    return {each.code for each in audit()}


@pytest.mark.parametrize("leftover", ["back", "stays"])
def test_nothing_is_found_where_all_holds(leftover: str) -> None:
    league = a_season(a_table(leftover=leftover))
    assert audit() == []
    assert audit(league) == []


def test_a_changed_line_breaks_the_seal() -> None:
    a_season(a_table())
    with unguarded():
        Line.objects.filter(bought__gt=0).update(put_right=1)
    assert {"seal-broken", "balance-differs"} & found() == {"seal-broken"}


def test_a_changed_plan_breaks_the_seal() -> None:
    a_season(a_table())
    with unguarded():
        PlannedPayment.objects.filter(pk=PlannedPayment.objects.first().pk).update(chips=999)  # type: ignore[union-attr]
    assert "seal-broken" in found()


def test_a_closing_that_is_gone_breaks_the_chain() -> None:
    a_season(a_table())
    first = Closing.objects.get(sequence=1)
    with unguarded():
        Closing.objects.filter(sequence=2).update(previous_hash="0" * 64)
    assert found() == {"chain-broken", "seal-broken"}
    assert first.previous_hash == ""


def test_chips_posted_past_the_seal_break_it() -> None:
    night = a_table()
    a_season(night)
    with unguarded():
        Closing.objects.filter(sequence=1).update(upto=1)
    assert "seal-broken" in found()


def test_chips_that_nobody_moved_are_found() -> None:
    night = a_night()
    ann, bob = (accounts.tab(player(night, name).pk) for name in ("ann", "bob"))
    post(night.league.book, "by hand", [Move(ann, bob, 5)])
    assert found() == {"balance-differs"}
    assert sorted(each.ids[0] for each in audit()) == sorted([ann.key, bob.key])


def test_a_buy_in_that_was_changed_is_found() -> None:
    night = a_night()
    with unguarded():
        BuyIn.objects.filter(night=night).update(chips=7)
    assert found() == {"balance-differs"}


def test_a_hand_that_does_not_replay_is_found() -> None:
    night = a_night()
    revision = dealt(night).revisions.get()
    revision.record["players"][0]["down"] = ["3c", "3d"]
    revision.save()
    assert "hand-differs" in found()


def test_chips_left_on_the_table_of_a_closed_night_are_found() -> None:
    night = a_night()
    dealt(night)
    closed(night)
    reopen_night(night, by=None)
    Night.objects.filter(pk=night.pk).update(state=Night.State.CLOSED)
    assert "chips-left" in found()


def test_a_guard_that_is_gone_is_found() -> None:
    guards.remove(connection, seals.league())
    assert found() == {"unguarded"}


def run(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("audit", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_the_command_says_that_everything_holds() -> None:
    league = a_season(a_table())
    assert run() == run("--league", str(league.pk)) == ["Everything holds."]


def test_the_command_exits_with_1_and_says_what_does_not_hold() -> None:
    a_season(a_table())
    with unguarded():
        Line.objects.filter(bought__gt=0).update(put_right=1)
    out = StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("audit", stdout=out)
    assert left.value.code == 1
    assert out.getvalue().startswith("seal-broken: Tuesday, Night 1, closing 1 is not what was")


def test_the_command_refuses_a_league_that_is_not_there() -> None:
    with pytest.raises(CommandError, match="There is no league"):
        run("--league", str(uuid4()))


def test_a_night_whose_pot_went_on_and_that_is_open_again_holds() -> None:
    night = a_table(leftover="stays")
    dealt(night, qualifiers())
    closed(night)
    open_night(night.league, players=[player(night, "ann")])
    reopen_night(night, by=None)
    assert audit() == []
    dealt(night, qualifiers())
    closed(night)
    assert audit() == []

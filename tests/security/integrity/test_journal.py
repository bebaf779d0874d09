"""The journal has one hash chain per league, with concurrent writers and deleted users."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from league.audit_log import Kind, log_action
from league.closing import closing_hash
from league.closing.close import reopen_night
from league.closing.payments import promise, receive
from league.games.house_games import delete, revise
from league.integrity.audit import audit
from league.integrity.sealed_audit import broken_seals, read_journal, seal_imported
from league.journal import entries
from league.journal.sealed_rows import digest
from league.models import (
    NO_LEAGUE,
    Hand,
    HouseGameVersion,
    JournalEntry,
    JournalHead,
    League,
    LogbookEntry,
    Night,
    PaymentStep,
    Player,
    Revision,
    User,
)
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.privacy.erasure import erase_player, erase_user
from league.recording.conflicts import keep_hand
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from ledger import guards
from tests.helpers.league.house_games import LOW_CROSS, a_house_game
from tests.helpers.league.leagues import a_league, a_night, a_user, holdem, player
from tests.helpers.league.nights import again, closed, dealt
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db

MANY = 6
ROUNDS = 5


def codes(league: League | None) -> set[str]:
    return {each.code for each in broken_seals(league)}


def kinds(league: League) -> list[str]:
    return [each.kind for each in entries.entries(league)]


# --- entries -------------------------------------------------------------------------------------


def test_receipt_hash_matches_a_journal_entry_covering_the_night() -> None:
    night = a_night()
    hand = dealt(night)
    closing = closed(night)
    entry = JournalEntry.objects.get(pk=closing.hash)
    assert (entry.kind, entry.chain_id) == (entries.Kind.CLOSED, night.league.pk)
    assert closing_hash.hash_of(closing) == closing.hash
    tables = {row[0] for row in entry.rows}
    wanted = "night seat buyin count hand revision gamedocument player closing line plan"
    assert {f"league_{each}" for each in wanted.split()} | {"ledger_posting"} <= tables
    assert ["league_revision", str(hand.pk)] in [row[:2] for row in entry.rows]


def test_hands_on_open_nights_have_no_journal_entries() -> None:
    night = a_night()
    revise_hand(dealt(night), uuid4(), holdem(took={"ann": 20}), by=None)
    assert kinds(night.league) == []
    assert audit() == []


def test_changes_made_after_a_closing_are_journaled_immediately() -> None:
    night = a_night()
    knew = ClientContext(origin="a", seen=0, number=1)
    hand = record_hand(night, uuid4(), holdem(), by=None, context=knew).hand
    closing = closed(night)
    late = ClientContext(origin="b", seen=0, number=1)
    record_hand(night, uuid4(), holdem(took={"bob": 20}), by=None, context=late)
    keep_hand(hand, by=None)
    promise(closing.plan.payments.get(), uuid4(), 1, by=None)
    revise_hand(hand, uuid4(), holdem(took={"ann": 20}), by=None)
    reopen_night(again(night), by=None)
    assert kinds(night.league) == ["closed", "told", "picked", "paid", "closed", "reopened"]
    assert audit() == []


def test_writing_and_deleting_a_house_game_are_journaled() -> None:
    night = a_night()
    game = a_house_game(night)
    revise(game, LOW_CROSS, by=None)
    assert kinds(night.league) == ["written", "written"]
    with unguarded():
        HouseGameVersion.objects.filter(number=1).update(text="otherwise")
    assert codes(night.league) == {"seal-broken"}
    delete(game)
    assert codes(night.league) == set()


# --- unsealed rows ------------------------------------------------------------------------------


def test_sealing_an_imported_league_includes_rows_without_seals() -> None:
    night = a_night()
    league = night.league
    a_house_game(night)
    log_action(Kind.CODE_RENEWED, by=None, league=league)
    with unguarded():
        JournalEntry.objects.filter(chain=league.pk).delete()
        JournalHead.objects.filter(chain=league.pk).update(sequence=0, hash="")
    assert codes(league) == {"not-sealed"}
    seal_imported(league)
    assert kinds(league) == ["found"]
    assert audit() == []
    assert seal_imported(league) == 0
    with unguarded():
        HouseGameVersion.objects.update(text="otherwise")
    assert codes(league) == {"seal-broken"}


def test_closing_without_its_journal_entry_is_reported_as_broken() -> None:
    night = a_night()
    dealt(night)
    closed(night)
    with unguarded():
        JournalEntry.objects.filter(chain=night.league.pk).delete()
        JournalHead.objects.filter(chain=night.league.pk).update(sequence=0, hash="")
    seal_imported(night.league)
    assert {each.code for each in audit()} == {"seal-broken"}


# --- deleted users -------------------------------------------------------------------------------


def test_missing_user_is_accepted_only_if_the_account_was_deleted() -> None:
    host = a_user()
    night = a_night(a_league(host))
    other = a_user("other")
    record_hand(night, uuid4(), holdem(), by=other)
    closed(night, by=host)
    log_action(Kind.CODE_RENEWED, by=other, league=night.league)
    Revision.objects.update(made_by=None)
    assert codes(night.league) == {"seal-broken"}
    User.objects.filter(pk=other.pk).delete()
    assert codes(night.league) == set()
    with unguarded():
        Revision.objects.update(made_by=host)
    assert codes(night.league) == {"seal-broken"}


def test_reused_user_id_does_not_break_the_audit() -> None:
    """After a backup is restored, new accounts may get the ids of deleted accounts."""
    other = a_user("other")
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=other)
    closed(night)
    number = other.pk
    other.delete()
    User.objects.create(pk=number, username="somebody else")
    assert codes(night.league) == set()


def test_erasure_replaces_the_salt_of_the_name_hashes() -> None:
    night = a_night()
    dealt(night)
    payment = closed(night).plan.payments.get()
    promise(payment, uuid4(), 1, by=None, note="bob said so")
    salt, bob = entries.head(night.league).salt, player(night, "bob")
    was = read_journal(night.league).known[("league_player", str(bob.pk))].words
    assert was == digest([salt, "bob"])
    erase_player(bob, by=None)
    assert salt not in {*JournalHead.objects.values_list("salt", flat=True)}
    assert was in str(JournalEntry.objects.filter(kind="erased").values_list("rows"))
    assert PaymentStep.objects.get().note == "Gone 1 said so"
    assert audit() == []


def test_erasure_does_not_hide_earlier_manipulation() -> None:
    """Rows that were manipulated before an erasure are still reported after it."""
    night = a_night()
    dealt(night)
    closed(night)
    with unguarded():
        Night.objects.filter(pk=night.pk).update(name="Ann's night")
    erase_player(player(night, "bob"), by=None)
    assert codes(night.league) == {"journal-broken"}


def test_erasure_does_not_seal_a_card_that_was_manipulated() -> None:
    night = a_night()
    revision = dealt(night).revisions.get()
    closed(night)
    with unguarded():
        revision.record["board"][0][0] = "2d"
        revision.save()
    erase_player(player(night, "bob"), by=None)
    assert codes(night.league) == {"journal-broken"}


def test_erasing_an_account_erases_it_from_all_of_its_leagues() -> None:
    user = a_user("wanda")
    nights = [a_night(a_league()) for _ in range(2)]
    for night in nights:
        Player.objects.filter(pk=player(night, "ann").pk).update(user=user)
        dealt(night)
        closed(night, by=user)
    erase_user(user, by=None)
    assert audit() == []
    assert all(kinds(night.league).count("erased") == 1 for night in nights)


# --- the activity log ----------------------------------------------------------------------------


def test_activity_log_has_one_chain_per_league_and_one_for_no_league() -> None:
    night, host = a_night(), a_user()
    log_action(Kind.CODE_RENEWED, by=host, league=night.league)
    log_action(Kind.SIGNED_IN, by=host)
    log_action(Kind.SIGNED_IN, by=host)
    assert kinds(night.league) == ["noted"]
    first, second = JournalEntry.objects.filter(chain=NO_LEAGUE).order_by("sequence")
    assert second.previous_hash == first.hash
    assert audit() == []
    with unguarded():
        LogbookEntry.objects.filter(league=None).latest("pk").delete()
    assert {each.code for each in audit()} == {"row-gone"}


# --- concurrency ---------------------------------------------------------------------------------


def at_once(*works: Callable[[], Any]) -> list[Exception]:
    """Run the functions repeatedly in concurrent threads. Return their errors."""
    ready = Barrier(len(works))

    def one(work: Callable[[], Any]) -> list[Exception]:
        errors = []
        try:
            connection.ensure_connection()
            ready.wait()
            for _ in range(ROUNDS):
                try:
                    work()
                except Exception as error:  # noqa: BLE001 (all errors are reported)
                    errors.append(error)
        finally:
            connection.close()
        return errors

    with ThreadPoolExecutor(len(works)) as threads:
        return [error for some in threads.map(one, works) for error in some]


@pytest.mark.django_db(transaction=True)
def test_concurrent_entries_do_not_fork_the_chain() -> None:
    league, host = a_league(), a_user()
    assert at_once(*[lambda: log_action(Kind.CODE_RENEWED, by=host, league=league)] * MANY) == []
    assert at_once(*[lambda: log_action(Kind.SIGNED_IN, by=host)] * MANY) == []
    assert len(kinds(league)) == MANY * ROUNDS
    assert JournalHead.objects.get(chain=NO_LEAGUE).sequence == MANY * ROUNDS
    assert audit() == []


@pytest.mark.django_db(transaction=True)
def test_concurrent_payments_corrections_and_entries_never_deadlock() -> None:
    nights = [a_night()]
    nights.append(a_second(nights[0]))
    hands = [dealt(night, holdem()) for night in nights]
    plans = [closed(night).plan.payments.get() for night in nights]
    league, host = nights[0].league, a_user()

    def correct(hand: Hand) -> None:
        revise_hand(Hand.objects.get(pk=hand.pk), uuid4(), holdem(), by=None)

    errors = at_once(
        *[lambda each=each: receive(each, uuid4(), 1, by=None) for each in plans],
        *[lambda each=each: correct(each) for each in hands],
        lambda: log_action(Kind.CODE_RENEWED, by=host, league=league),
    )
    assert errors == []
    assert audit() == []


@pytest.mark.django_db(transaction=True)
def test_audit_reads_a_consistent_snapshot() -> None:
    night = a_night()
    dealt(night)
    planned = closed(night).plan.payments.get()
    findings: list[Any] = []
    errors = at_once(
        lambda: receive(planned, uuid4(), 1, by=None),
        lambda: log_action(Kind.CODE_RENEWED, by=None, league=night.league),
        lambda: findings.extend(broken_seals(night.league)),
        lambda: findings.extend(broken_seals(night.league)),
    )
    assert (errors, findings) == ([], [])


def a_second(night: Night) -> Night:
    players = [player(night, name) for name in ("ann", "bob")]
    second = open_night(night.league, players=players)
    for each in players:
        buy_in(second, each, 100, buy_in_id=uuid4(), by=None)
    return second


def test_database_guards_are_restored_after_an_erasure() -> None:
    night = a_night()
    dealt(night)
    closed(night)
    erase_player(player(night, "bob"), by=None)
    assert not any(guards.missing(connection, each) for each in guards.REGISTERED)


@pytest.mark.parametrize(
    ("sent", "given_back"),
    [(1e16, 10**16), (1.5e300, 15 * 10**299), (-1e22, -(10**22)), (-0.0, 0.0)],
)
def test_number_has_the_same_digest_on_both_databases(sent: float, given_back: float) -> None:
    """PostgreSQL stores JSON numbers as numeric, which may change how a number is written."""
    assert digest([{"about": {"x": [sent]}}]) == digest([{"about": {"x": [given_back]}}])


@pytest.mark.parametrize("text", ["1e+16", "-0.0", "x"])
def test_strings_that_look_like_numbers_are_hashed_as_strings(text: str) -> None:
    assert len({digest([text]), digest([f" {text}"]), digest([text, 1e16])}) == 3

"""No deadlocks: all writers lock night, league, book and journal head in this order.

Each test holds one of the locks while a writer runs. A writer that waits for this lock may not hold
any later lock, or two writers could wait for each other. Only PostgreSQL locks rows.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Model, QuerySet
from pytest_django import Settings

from league.closing import chip_requests, payment_plans
from league.closing.close import Decisions, close_night, reopen_night
from league.closing.payments import dispute, promise, receive, withdraw
from league.games.house_games import delete
from league.integrity.audit import audit
from league.models import (
    ChipRequest,
    Closing,
    Delivery,
    FeedLink,
    Invitation,
    JoinRequest,
    JournalHead,
    League,
    LeftoverPolicy,
    Night,
    Role,
    SettlementPeriod,
    Token,
    User,
    Webhook,
)
from league.nights.nights import seat_guest
from league.nights.opening import open_night
from league.options import choose, options_of
from league.people import api_keys, devices, joining, members
from league.people.joining import claim_player
from league.people.leagues import add_member, add_player, renew_code
from league.privacy.erasure import erase_player
from league.privacy.renaming import rename_player
from league.recording.conflicts import accept_conflict
from league.recording.corrections import revise_hand, undo_hand, void_hand
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from league.webhooks import delivery, management
from ledger.models import Book
from tests.helpers.league.house_games import a_house_game
from tests.helpers.league.leagues import a_league, a_night, a_user, holdem, player, qualifiers
from tests.helpers.league.nights import again, chosen, closed, dealt
from tests.helpers.league.receiver import HERE, receiver
from tests.helpers.league.receiver import a_hook as a_listener

Act = Callable[[], object]
PATIENCE = 10.0

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL alone locks rows"),
]


def an_open_night() -> Night:
    night = a_night(a_league())
    dealt(night)
    return again(night)


def a_closed_night(**options: object) -> Night:
    night = an_open_night()
    night = chosen(night, **options) if options else night
    closed(night)
    return again(night)


def a_member(night: Night, role: Role = Role.PLAYER) -> User:
    """A member with everything that ends with a membership, and a waiting chip request."""
    user = a_user("member")
    add_member(night.league, a_user(), Role.HOST)
    name = add_player(night.league, "eve")
    claim_player(night.league, name, user=user, role=role)
    devices.remember(night.league, user, name, session_key="", kind="")
    api_keys.make_token(night.league, user, "mine", "read")
    api_keys.make_token(night.league, user, "another", "read")
    api_keys.make_link(night.league, "mine", by=user)
    joining.invite(night.league, "mine", by=user)
    ann = player(night, "ann")
    wanted = chip_requests.Exchange(
        kind=ChipRequest.Kind.BUY_IN, id=uuid4(), night=night, player=ann, chips=5
    )
    chip_requests.exchange(wanted, by=user, word=ann)
    return user


def closing() -> tuple[Night, Act]:
    night = an_open_night()
    return night, lambda: close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))


def reopening() -> tuple[Night, Act]:
    night = a_closed_night()
    return night, lambda: reopen_night(night, by=None)


def correcting() -> tuple[Night, Act]:
    night = a_closed_night()
    hand = night.hands.get()
    return night, lambda: revise_hand(hand, uuid4(), holdem(took={"ann": 20}), by=None)


def taking_a_hand_back() -> tuple[Night, Act]:
    night = a_closed_night()
    hand = night.hands.get()
    return night, lambda: void_hand(hand, by=None)


def undoing() -> tuple[Night, Act]:
    night = an_open_night()
    hand = night.hands.get()
    return night, lambda: undo_hand(hand, by=None)


def picking() -> tuple[Night, Act]:
    night = a_night(a_league())
    knew = [ClientContext(origin=each, seen=0, number=1) for each in "ab"]
    record_hand(night, uuid4(), holdem(), by=None, context=knew[0])
    closed(night)
    record_hand(night, uuid4(), holdem(took={"bob": 20}), by=None, context=knew[1])
    conflict = again(night).conflicts.get()
    return night, lambda: accept_conflict(conflict, by=None)


def opening_with_pots() -> tuple[Night, Act]:
    night = chosen(a_night(a_league()), leftover=LeftoverPolicy.STAYS)
    dealt(night, qualifiers())
    closed(night)

    @transaction.atomic
    def open_as_imports_do() -> None:
        seat_guest(open_night(League.objects.get(pk=night.league.pk)), uuid4(), "gus")

    return night, open_as_imports_do


def seating_a_guest() -> tuple[Night, Act]:
    night = an_open_night()
    return night, lambda: seat_guest(night, uuid4(), "gus")


def choosing() -> tuple[Night, Act]:
    night = an_open_night()
    league = night.league
    return night, lambda: choose(league, replace(options_of(league), closing_hour=5), by=None)


def paying() -> tuple[Night, Act]:
    night = a_closed_night()
    planned = Closing.objects.get(night=night).plan.payments.get()
    return night, lambda: receive(planned, uuid4(), 5, by=None)


def paying_for_a_season() -> tuple[Night, Act]:
    night = a_closed_night(settles=SettlementPeriod.SEASON)
    planned = payment_plans.settle_season(night.season, uuid4(), by=None).payments.get()

    def pay() -> None:
        dispute(promise(planned, uuid4(), 2, by=None), by=None)
        withdraw(receive(planned, uuid4(), 5, by=None), by=None)

    return night, pay


def settling() -> tuple[Night, Act]:
    night = a_closed_night(settles=SettlementPeriod.SEASON)
    return night, lambda: payment_plans.settle_season(night.season, uuid4(), by=None, end=True)


def asking_to_come_in() -> tuple[Night, Act]:
    night = an_open_night()
    name = add_player(night.league, "eve")
    return night, lambda: joining.request_to_join(night.league, name)


def letting_in() -> tuple[Night, Act]:
    night = an_open_night()
    request, _ = joining.request_to_join(night.league, add_player(night.league, "eve"))
    return night, lambda: joining.accept(request, by=None)


def not_letting_in() -> tuple[Night, Act]:
    night = an_open_night()
    request, _ = joining.request_to_join(night.league, add_player(night.league, "eve"))
    return night, lambda: joining.decline(request, by=None)


def coming_by_invitation() -> tuple[Night, Act]:
    night = an_open_night()
    name = add_player(night.league, "eve")
    made, _ = joining.invite(night.league, "eve", by=a_user())
    return night, lambda: joining.use(made, name, user=a_user("eve"))


def ending_an_invitation() -> tuple[Night, Act]:
    night = an_open_night()
    made, _ = joining.invite(night.league, "eve", by=a_user())
    return night, lambda: joining.end(night.league, made.pk, by=None)


def ending_keys() -> tuple[Night, Act]:
    night = an_open_night()
    user = a_member(night)

    def end() -> None:
        api_keys.revoke_token(night.league, Token.objects.filter(user=user)[0].id)
        api_keys.revoke_link(night.league, FeedLink.objects.get(made_by=user).pk)

    return night, end


def renewing_the_code() -> tuple[Night, Act]:
    night = an_open_night()
    joining.request_to_join(night.league, add_player(night.league, "eve"))
    return night, lambda: renew_code(night.league)


def signing_a_phone_out() -> tuple[Night, Act]:
    night = an_open_night()
    device = devices.joined(night.league).get(user=a_member(night))
    return night, lambda: devices.sign_out(device)


def removing_a_member() -> tuple[Night, Act]:
    night = an_open_night()
    member = a_member(night).memberships.get()
    return night, lambda: members.remove(member)


def changing_a_role() -> tuple[Night, Act]:
    night = an_open_night()
    member = a_member(night, Role.SCOREKEEPER).memberships.get()
    return night, lambda: members.change_role(member, Role.VIEWER)


def freeing_a_name() -> tuple[Night, Act]:
    night = an_open_night()
    name = night.league.players.get(user=a_member(night))
    return night, lambda: devices.free(name)


def erasing() -> tuple[Night, Act]:
    night = a_closed_night()
    a_hook(night, note="bob's")
    name = player(night, "bob")
    return night, lambda: erase_player(name, by=None)


def renaming() -> tuple[Night, Act]:
    night = a_closed_night()
    a_hook(night)
    bob = player(night, "bob")
    return night, lambda: rename_player(bob, "Bob", by=None)


def a_hook(night: Night, note: str = "") -> Webhook:
    return management.create(night.league, uuid4(), "https://example.org/", by=None, note=note)[0]


def changing_a_hook() -> tuple[Night, Act]:
    night = an_open_night()
    hook = a_hook(night)
    return night, lambda: management.change(hook, note="other")


def deleting_a_game() -> tuple[Night, Act]:
    night = an_open_night()
    game = a_house_game(night)
    return night, lambda: delete(game)


WRITERS = (
    closing,
    reopening,
    correcting,
    taking_a_hand_back,
    undoing,
    picking,
    opening_with_pots,
    seating_a_guest,
    choosing,
    paying,
    paying_for_a_season,
    settling,
    asking_to_come_in,
    letting_in,
    not_letting_in,
    coming_by_invitation,
    ending_an_invitation,
    ending_keys,
    renewing_the_code,
    signing_a_phone_out,
    removing_a_member,
    changing_a_role,
    freeing_a_name,
    erasing,
    renaming,
    changing_a_hook,
    deleting_a_game,
)


def order(night: Night) -> list[list["QuerySet[Model]"]]:
    """Return the locked tables in order.

    Key and webhook tables are locked after the league.
    """
    league = night.league
    models = (Invitation, JoinRequest, Token, FeedLink)
    beside = [each.objects.filter(league=league) for each in models]
    return [
        [Night.objects.filter(season__league=league)],
        [League.objects.filter(pk=league.pk)],
        [*beside, Webhook.objects.filter(league=league), Book.objects.filter(pk=league.book_id)],
        [JournalHead.objects.filter(pk=league.pk)],
    ]


def at_work(act: Act, errors: list[Exception]) -> Thread:
    """Return a thread that runs the function and collects its errors."""

    def work() -> None:
        try:
            act()
        except Exception as error:  # noqa: BLE001 (all errors are reported)
            errors.append(error)
        finally:
            connection.close()

    return Thread(target=work, daemon=True)


def waits(thread: Thread) -> bool:
    """Wait until the writer waits for a lock or is done. Return whether it is waiting."""
    end = time.monotonic() + PATIENCE
    sql = """SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock'"""
    while thread.is_alive() and time.monotonic() < end:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(sql)
            if cursor.fetchone()[0]:
                return True
        time.sleep(0.02)
    return False


def held(rows: "QuerySet[Model]") -> list[str]:
    with suppress(DatabaseError), transaction.atomic():
        list(rows.select_for_update(of=("self",), no_key=True, nowait=True))
        return []
    return [rows.model.__name__]


@pytest.mark.parametrize("place", range(3), ids=["night", "league", "book"])
@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.__name__)
def test_waiting_transaction_does_not_hold_a_later_lock(
    writer: Callable[[], tuple[Night, Act]], place: int
) -> None:
    night, act = writer()
    mine, *later = order(night)[place:]
    errors: list[Exception] = []
    tables: list[str] = []
    thread = at_work(act, errors)
    with transaction.atomic():
        for rows in mine:
            list(rows.select_for_update(of=("self",), no_key=True))
        thread.start()
        if waits(thread):
            tables = [table for locks in later for rows in locks for table in held(rows)]
    thread.join(PATIENCE)
    assert (tables, errors) == ([], [])
    assert audit() == []


@pytest.mark.parametrize("writer", [ending_keys, ending_an_invitation])
def test_revoking_a_key_locks_the_league_first(writer: Callable[[], tuple[Night, Act]]) -> None:
    """A writer that revokes and logs all of a user's keys uses the same lock order."""
    night, act = writer()
    *_, [head] = order(night)
    errors: list[Exception] = []
    thread = at_work(act, errors)
    with transaction.atomic():
        head.select_for_update(of=("self",), no_key=True).get()
        thread.start()
        assert waits(thread)
        locks = held(League.objects.filter(pk=night.league.pk))
    thread.join(PATIENCE)
    assert (locks, errors) == (["League"], [])


def test_delivery_is_stored_after_locking_its_webhook(settings: Settings) -> None:
    """A writer that retires a webhook and cancels its deliveries uses the same lock order."""
    settings.WEBHOOK_NETWORKS = [HERE]
    night = a_night(a_league())
    errors: list[Exception] = []
    with receiver() as far:
        hook = a_listener(night.league, far.url)
        dealt(night)
        leased = delivery.SENDER.lease_next(night.league.pk)
        assert leased
        thread = at_work(lambda: delivery.SENDER.deliver(leased), errors)
        with transaction.atomic():
            Webhook.objects.select_for_update(no_key=True).get(pk=hook.pk)
            thread.start()
            assert waits(thread)
            locks = held(Delivery.objects.filter(webhook=hook))
        thread.join(PATIENCE)
    assert (locks, errors) == ([], [])

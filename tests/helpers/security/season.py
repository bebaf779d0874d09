"""A league with every kind of sealed event, created with the service's own functions."""

from typing import Any
from uuid import uuid4

from league.charges.charging import NewCharge, Share, charge, undo
from league.closing.cash_outs import Terms, cash_out, cash_out_and_leave
from league.closing.close import Decisions, close_night, reopen_night
from league.closing.payment_plans import settle_season
from league.closing.payments import confirm, dispute, promise, receive, unpaid, withdraw
from league.closing.receipts import share
from league.deals.open_deal import change_game, move_on, name_game
from league.deals.table import NamedGame
from league.hands.objections import Kind, answer_objection, object_to
from league.hands.writing import last_number
from league.house_rules import write_rule
from league.models import Charge, Hand, League, LeftoverPolicy, Night, Player, Role, User
from league.nights.buy_ins import buy_in
from league.nights.nights import carry, seat_guest
from league.nights.opening import open_night
from league.people.leagues import add_member
from league.privacy.erasure import erase_player, erase_user
from league.recording.conflicts import accept_conflict, keep_hand, separate_conflict
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from league.tournaments.clock import Level
from league.tournaments.events import NewEvent, record_event
from league.tournaments.field import Act
from league.tournaments.finishing import finish
from league.tournaments.making import Details, call_off, make
from tests.helpers.league.house_games import a_house_game, crossed
from tests.helpers.league.leagues import a_user, holdem, player, qualifiers
from tests.helpers.league.nights import a_table, again, closed, dealt


def a_whole_league() -> League:
    """Create an open night and two closed nights with all kinds of events."""
    night = a_table(leftover=LeftoverPolicy.STAYS)
    host = night.league.created_by
    assert host
    guest = a_user("Dora")
    add_member(night.league, guest, Role.SCOREKEEPER)
    Player.objects.filter(pk=player(night, "dan").pk).update(user=guest)
    _first(night, host, guest)
    later = open_night(night.league, players=[player(night, name) for name in ("ann", "bob")])
    for name in ("ann", "bob"):
        buy_in(later, player(night, name), 50, buy_in_id=uuid4(), by=host)
    dealt(later, holdem(carried=carry(later)))
    closed(later, by=host)
    _after_it(night, host)
    _pay(night, host)
    settle_season(night.season, uuid4(), by=host)
    erase_player(player(night, "cat"), by=host)
    erase_user(guest, by=host)
    goes_on = open_night(night.league, players=[player(night, "ann")])
    buy_in(goes_on, player(night, "ann"), 10, buy_in_id=uuid4(), by=host)
    return again(goes_on).league


def _first(night: Night, host: User, other: User) -> None:
    bob = player(night, "bob")
    guest = seat_guest(night, uuid4(), "Guest").player
    buy_in(night, guest, 40, buy_in_id=uuid4(), by=other, banker=bob)
    hand = _record_from_phone(night, "a", holdem(), by=other)
    dealt(night, crossed(a_house_game(night).slug))
    void_hand(dealt(night), by=host, reason="dealt twice, said dan")
    _record_from_phone(night, "b", holdem(took={"bob": 20}), by=other)
    keep_hand(hand, by=host)
    _record_from_phone(night, "c", holdem(took={"ann": 12, "bob": 8}), by=host)
    separate_conflict(hand.conflicts.get(origin="c"), by=host)
    _object(night, host)
    dealt(night, qualifiers())
    _announce(night, host)
    cash_out(night, player(night, "ann"), 5, cash_out_id=uuid4(), by=host, terms=Terms(banker=bob))
    cash_out_and_leave(night, player(night, "dan"), 100, cash_out_id=uuid4(), by=other)
    _charge(night, host)
    _tournament(night, host)
    closed(night, by=host, cat=99, bears="ann")
    share(night, by=host)
    write_rule(night.league, "misdeal", "cat deals again", by=other)


def _announce(night: Night, host: User) -> None:
    """Change the options of a live deal after the first card, and record its hand."""
    deal = name_game(night, uuid4(), NamedGame("texas-holdem"), by=host)
    for stage in range(2):
        move_on(night, deal.pk, stage)
    change_game(night, deal.pk, (), {"odd_chip": "high card"})
    seen = last_number(night)
    context = ClientContext(origin="a", seen=seen, number=seen + 1, of_deal=True)
    record_hand(night, deal.pk, holdem(carried=carry(night)), by=host, context=context)


def _object(night: Night, host: User) -> None:
    """Object to the first hand in each way. Three objections get an answer."""
    hand = night.hands.order_by("number")[0]
    made = {
        name: object_to(hand, player(night, name), f"{name} won", objection_id=uuid4(), by=host)
        for name in ("ann", "bob", "cat", "dan")
    }
    answer_objection(made["ann"], Kind.STANDS, "cat saw it", by=host)
    answer_objection(made["bob"], Kind.WITHDRAWN, by=host)
    record = holdem(took={"ann": 20})
    revise_hand(hand, uuid4(), record, by=host, objection=made["dan"])


def _charge(night: Night, host: User) -> None:
    """Charge a pizza that bob paid for, a side bet and the fund, and undo one charge."""
    ann, bob, cat = (player(night, name) for name in ("ann", "bob", "cat"))
    hand = night.hands.order_by("number")[0]
    even = {ann: Share(owes=6), bob: Share(gets=12), cat: Share(owes=6)}
    pizza = NewCharge(kind=Charge.Kind.COST, title="pizza for cat", shares=even)
    bounty = {ann: Share(gets=2), bob: Share(owes=2)}
    undo(charge(night, pizza, charge_id=uuid4(), by=host), by=host)
    charge(night, pizza, charge_id=uuid4(), by=host)
    seven_deuce = NewCharge(kind=Charge.Kind.BOUNTY, title="7-2", shares=bounty, hand=hand)
    charge(night, seven_deuce, charge_id=uuid4(), by=host)
    owed = {ann: Share(owes=3), bob: Share(owes=3)}
    fund = NewCharge(kind=Charge.Kind.FUND, shares=owed, fund=6, keeper=bob)
    charge(night, fund, charge_id=uuid4(), by=host)


def _tournament(night: Night, host: User) -> None:
    """Create a tournament of three players that cat won, and a cancelled tournament."""
    details = Details(
        name="for cat", entry=5, bounty=1, stack=500, levels=[Level(600, 5, 10)], seats=4
    )
    tournament = make(night, uuid4(), details, by=host)
    ann, bob, cat = (player(night, name) for name in ("ann", "bob", "cat"))
    for kind, who, by in (
        (Act.ENTRY, ann, ()),
        (Act.ENTRY, bob, ()),
        (Act.ENTRY, cat, ()),
        (Act.OUT, bob, (ann,)),
        (Act.OUT, ann, (cat,)),
    ):
        record_event(
            tournament, uuid4(), NewEvent(kind=kind, player=who, knocked_out_by=by), by=host
        )
    finish(tournament, by=host)
    call_off(make(night, uuid4(), details, by=host), by=host)


def _record_from_phone(night: Night, origin: str, record: dict[str, Any], *, by: User) -> Hand:
    """Record the first hand again, from a phone that has not seen any hands."""
    knew = ClientContext(origin=origin, seen=0, number=1)
    return record_hand(night, uuid4(), record, by=by, context=knew).hand


def _after_it(night: Night, host: User) -> None:
    """Correct a closed night in both ways, reopen it, and close it again."""
    hand = _record_from_phone(night, "d", holdem(took={"ann": 15, "bob": 5}), by=host)
    accept_conflict(hand.conflicts.get(origin="d"), by=host)
    revise_hand(hand, uuid4(), holdem(took={"ann": 19, "bob": 1}), by=host, reason="as ann said")
    late = object_to(hand, player(night, "ann"), "as cat said", objection_id=uuid4(), by=host)
    answer_objection(late, Kind.STANDS, by=host)
    reopen_night(night, by=host)
    decisions = Decisions(shared_by=[player(night, "ann").pk])
    close_night(night, uuid4(), by=host, decisions=decisions, reason="dan has seen it all")


def _pay(night: Night, host: User) -> None:
    """Report, confirm, dispute and undo payments."""
    first = unpaid().filter(plan__closing__night=night).order_by("plan", "position")[0]
    withdraw(receive(first, uuid4(), 1, by=host), by=host, note="too early")
    dispute(promise(first, uuid4(), 1, by=host), by=host, note="nothing came")
    confirm(promise(first, uuid4(), 1, by=host, note="in cash, dan saw it"), by=host)

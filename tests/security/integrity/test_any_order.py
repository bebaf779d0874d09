"""After any sequence of actions, a league's journal and ledger are valid."""

import contextlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection
from django.db.models import Model, QuerySet
from django.utils import timezone

from league.charges import charging, side_bets
from league.charges.charging import NewCharge, Share, by_parts
from league.chat import services
from league.closing import cash_outs, chip_count, chip_requests, close, payment_plans
from league.closing.close import Decisions, close_night, reopen_night
from league.closing.payments import confirm, dispute, promise, receive, withdraw
from league.closing.receipts import share, unshare
from league.common.errors import IdReusedError, NightClosedError, RefusedError
from league.games import house_games
from league.integrity.audit import audit
from league.models import (
    BuyIn,
    CashOut,
    Charge,
    ChatChannel,
    ChipRequest,
    ClosingJob,
    ConflictingRecord,
    Hand,
    HouseGame,
    JoinRequest,
    League,
    LeftoverPolicy,
    Membership,
    Night,
    NightAnswer,
    Payment,
    PlannedNight,
    PlannedPayment,
    Player,
    Role,
    Season,
    SettlementPeriod,
    Tournament,
    UncountedPolicy,
    User,
)
from league.nights import buy_ins, nights
from league.nights.opening import open_night
from league.nights.share_links import share_hand, unshare_hand
from league.options import choose, options_of
from league.people import devices, joining, members
from league.people.joining import claim_player
from league.people.leagues import add_member, add_player, add_season, renew_code
from league.planned_nights import planning
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import Details, change_planned
from league.privacy.erasure import erase_player, erase_user
from league.recording import conflicts
from league.recording.corrections import TooLateError, revise_hand, undo_hand, void_hand
from league.recording.record import SentHand, record_batch, record_hand
from league.recording.sent_hands import ClientContext
from league.tournaments import events, finishing, making
from league.tournaments.events import state_of
from league.tournaments.field import Act
from tests.helpers.league.house_games import CROSS, LOW_CROSS, crossed
from tests.helpers.league.leagues import NAMES, a_league, a_user, holdem, qualifiers
from tests.helpers.league.side_bets import with_seven_deuce
from tests.helpers.league.tournaments import details
from tests.helpers.stages import sample

pytestmark = pytest.mark.django_db

EXPECTED = (RefusedError, IdReusedError, NightClosedError, TooLateError, house_games.GameInUseError)
# ANY_ORDER=200 tries 200 leagues. By default, every run tries one league, and the nightly run tries
# a second one.
LEAGUES = int(os.environ.get("ANY_ORDER", "2"))
FIRST = int(os.environ.get("ANY_ORDER_FIRST", "0"))
SEEDS = sample(range(FIRST, FIRST + LEAGUES), LEAGUES if "ANY_ORDER" in os.environ else 1)
STEPS = 80 if "ANY_ORDER" in os.environ else 40
AT_ONCE = 4


@dataclass
class Evening:
    """A league, and random actions on its nights."""

    chance: Random
    league: League
    users: list[User]
    done: list[str] = field(default_factory=list)

    def random_row(self, rows: "QuerySet[Any]") -> Any:
        keys = list(rows.order_by("pk"))
        if not keys:
            raise RefusedError([])
        # Ids are random, so rows are chosen by age, which makes the choice depend only on the seed.
        return self.chance.choice(keys)

    @property
    def by(self) -> User:
        return self.chance.choice(self.users)

    def night(self, *, is_open: bool = True) -> Night:
        mine = Night.objects.filter(season__league=self.league)
        rows = mine.select_related("season__league__book")
        likely = rows.filter(state=Night.State.OPEN if is_open else Night.State.CLOSED)
        return self.random_row(likely if likely.exists() and self.chance.random() < 0.8 else rows)

    def player(self) -> Player:
        return self.random_row(Player.objects.filter(league=self.league))

    def mine(self, model: type[Model], path: str) -> Any:
        return self.random_row(model._default_manager.filter(**{path: self.league}))

    def hand(self) -> Hand:
        rows = Hand.objects.filter(night__season__league=self.league)
        return self.random_row(rows.select_related("night__season__league__book"))

    def record(self, night: Night) -> dict[str, Any]:
        """Draw a hand of two seated players, won by one of them or carried over."""
        seats = night.seats.filter(left_at=None).order_by("position")
        names = list(seats.values_list("player__name", flat=True))
        if len(names) < 2:
            raise RefusedError([])
        one, two = self.chance.sample(names, 2)
        paid = self.chance.choice([1, 5, 10, 40])
        game = HouseGame.objects.filter(league=self.league).first()
        seven_deuce = with_seven_deuce()
        seven_deuce["players"].pop()  # without the player who folded
        made = [holdem(), holdem(took={"ann": 2 * paid}), qualifiers(), qualifiers(carried=5)]
        made.append(seven_deuce)
        made += [crossed(game.slug)] if game else []
        record = self.chance.choice(made)
        called = {"ann": one, "bob": two}
        for each in record["players"]:
            each["name"], each["paid"] = called[each["name"]], paid
        if "took" in record:
            record["took"] = {called[name]: chips for name, chips in record["took"].items()}
        return record


def opens(e: Evening) -> None:
    players = list(Player.objects.filter(league=e.league).order_by("name"))
    league = League.objects.get(pk=e.league.pk)
    night = open_night(league, players=e.chance.sample(players, min(4, len(players))))
    for seat in night.seats.all():
        buy_ins.buy_in(night, seat.player, 100, buy_in_id=uuid4(), by=e.by)


def seats(e: Evening) -> None:
    e.chance.choice(
        [
            lambda: nights.seat(e.night(), e.player()),
            lambda: nights.leave(e.night(), e.player()),
            lambda: nights.seat_guest(e.night(), uuid4(), f"guest {e.chance.randrange(99)}"),
        ]
    )()


def buys(e: Evening) -> None:
    banker = e.player() if e.chance.random() < 0.3 else None
    buy_ins.buy_in(e.night(), e.player(), 20, buy_in_id=uuid4(), by=e.by, banker=banker)


def cashes(e: Evening) -> None:
    terms = cash_outs.Terms(
        banker=e.player() if e.chance.random() < 0.3 else None, beyond_stack=True
    )
    out = e.chance.choice([cash_outs.cash_out, cash_outs.cash_out_and_leave])
    out(e.night(), e.player(), 15, cash_out_id=uuid4(), by=e.by, terms=terms)


def takes_back(e: Evening) -> None:
    model = e.chance.choice([BuyIn, CashOut])
    buy_ins.undo(e.mine(model, "night__season__league"), by=e.by)


def asks(e: Evening) -> None:
    kind = e.chance.choice([ChipRequest.Kind.BUY_IN, ChipRequest.Kind.CASH_OUT])
    player = e.player()
    wanted = chip_requests.Exchange(
        kind=kind, id=uuid4(), night=e.night(), player=player, chips=10, leaves=False
    )
    chip_requests.exchange(wanted, by=e.by, word=player)


def answers(e: Evening) -> None:
    how = [chip_requests.accept, chip_requests.decline, chip_requests.withdraw]
    e.chance.choice(how)(e.mine(ChipRequest, "night__season__league"), by=e.by)


def deals(e: Evening) -> None:
    night = e.night()
    record_hand(night, uuid4(), e.record(night), by=e.by)


def tells_late(e: Evening) -> None:
    """Record a hand from a phone that has missed hands. The night may be closed."""
    night = e.night(is_open=e.chance.random() < 0.5)
    hand = night.hands.order_by("-number").first()
    knew = ClientContext(
        origin=e.chance.choice("abc"),
        seen=0,
        number=hand.number if hand else 1,
        corrects=e.chance.random() < 0.5,
    )
    record = e.record(night)
    if hand and e.chance.random() < 0.7:
        record = hand.revisions.get(current=True).record
    record_hand(night, uuid4(), record, by=e.by, context=knew)


def sends_many(e: Evening) -> None:
    night = e.night()
    record_batch(night, [SentHand(hand_id=uuid4(), record=e.record(night)) for _ in "ab"], by=e.by)


def corrects(e: Evening) -> None:
    hand = e.hand()
    record = hand.revisions.get(current=True).record
    if "took" not in record and e.chance.random() < 0.7:
        pot = sum(each["paid"] for each in record["players"])
        record = record | {"took": {record["players"][0]["name"]: pot}}
    revise_hand(hand, uuid4(), record, by=e.by, reason="it was so")


def takes_a_hand_back(e: Evening) -> None:
    e.chance.choice([void_hand, undo_hand])(e.hand(), by=e.by)


def picks(e: Evening) -> None:
    conflict = e.mine(ConflictingRecord, "night__season__league")
    e.chance.choice(
        [
            lambda: conflicts.keep_hand(conflict.hand, by=e.by),
            lambda: conflicts.accept_conflict(conflict, by=e.by),
            lambda: conflicts.separate_conflict(conflict, by=e.by),
        ]
    )()


def counts_chips(e: Evening) -> None:
    night = e.night()
    lines = [line for line in chip_count.tally(night).lines if line.position]
    off = e.chance.choice([0, 0, 0, 3, -2])
    chips = {
        Player.objects.get(pk=line.player): max(0, line.expected + (0 if at else off))
        for at, line in enumerate(lines)
    }
    chip_count.count_all(night, chips, counts_id=uuid4(), by=e.by)


def closes(e: Evening) -> None:
    if e.chance.random() < 0.7:
        counts_chips(e)
    night = e.night()
    sat: list[UUID] = list(night.seats.values_list("player", flat=True))
    bears = e.chance.sample(sat, 1) if sat and e.chance.random() < 0.7 else []
    decisions = Decisions(by_hands=e.chance.random() < 0.7, shared_by=bears)
    close_night(night, uuid4(), by=e.by, decisions=decisions, reason="late")


def closes_by_itself(e: Evening) -> None:
    jobs = ClosingJob.objects.filter(night__season__league=e.league, done_at=None)
    jobs.update(due_at="2020-01-01T00:00Z")
    close.close_next(e.league.pk)


def reopens(e: Evening) -> None:
    reopen_night(e.night(is_open=False), by=e.by)


def pays(e: Evening) -> None:
    planned = e.mine(PlannedPayment, "plan__season__league")
    chips = e.chance.randint(1, planned.chips)
    e.chance.choice([promise, receive])(planned, uuid4(), chips, by=e.by)


def pays_on(e: Evening) -> None:
    payment = e.mine(Payment, "planned__plan__season__league")
    e.chance.choice([confirm, dispute, withdraw])(payment, by=e.by)


def settles(e: Evening) -> None:
    season = e.mine(Season, "league")
    payment_plans.settle_season(season, uuid4(), by=e.by, end=e.chance.random() < 0.4)


def charges(e: Evening) -> None:
    """Charge a pizza, a payment into the fund, a prize from the fund, or a won side bet."""
    night, keeper = e.night(), e.player()
    players = list(Player.objects.filter(league=e.league).order_by("pk"))
    who, chips = e.chance.sample(players, min(3, len(players))), e.chance.randint(1, 50)
    owes = by_parts(chips, {person: e.chance.randint(0, 2) for person in who})
    paid = by_parts(chips, dict.fromkeys(who[:2], 1)) if owes else {}
    all_of_it = {
        person: Share(paid.get(person, 0), owes.get(person, 0)) for person in {*owes, *paid}
    }
    bets = side_bets.of_night(night, nights.hands(night), side_bets.charges_of(night))
    wanted = e.chance.choice(
        [
            NewCharge(kind="cost", title="Pizza", shares=all_of_it),
            NewCharge(kind="fund", shares={who[0]: Share(owes=chips)}, fund=chips, keeper=keeper),
            NewCharge(kind="prize", shares={who[0]: Share(gets=chips)}, fund=-chips, keeper=keeper),
            NewCharge(
                kind="season-high-hand",
                shares={who[0]: Share(gets=chips)},
                hand=e.hand(),
                fund=-chips,
                keeper=keeper,
            ),
            *(bet.new_charge for bet in bets),
        ]
    )
    charging.charge(night, wanted, charge_id=uuid4(), by=e.by)


def undoes_a_charge(e: Evening) -> None:
    charging.undo(e.mine(Charge, "night__season__league"), by=e.by)


def holds_a_tournament(e: Evening) -> None:
    """Create a tournament, or add random events to it. Many of them are rejected."""
    tournaments = Tournament.objects.filter(night__season__league=e.league)
    if not tournaments.running().exists():
        making.make(e.night(), uuid4(), details(add_on=5, add_on_stack=1_000), by=e.by)
    tournament = e.random_row(tournaments.running() if e.chance.random() < 0.9 else tournaments)
    acts = [
        *[lambda: happens(e, tournament)] * 6,
        lambda: events.draw_seats(tournament, uuid4(), by=e.by),
        lambda: events.balance_tables(tournament, uuid4(), by=e.by),
        lambda: events.start_clock(tournament, by=e.by),
        lambda: events.go_to_level(tournament, e.chance.randrange(3)),
    ]
    for act in e.chance.choices(acts, k=8):
        with contextlib.suppress(RefusedError):
            act()


def happens(e: Evening, tournament: Tournament) -> None:
    """Record that a player enters, buys more or is knocked out, or undo an event."""
    kind = e.chance.choice([*[Act.ENTRY] * 3, Act.REBUY, Act.ADD_ON, Act.OUT, Act.OUT, Act.UNDO])
    if kind == Act.UNDO:
        event = events.NewEvent(kind=kind, undoes=e.random_row(tournament.events.all()).pk)
    else:
        by = (e.player(),) if kind == Act.OUT and e.chance.random() < 0.6 else ()
        event = events.NewEvent(kind=kind, player=e.player(), knocked_out_by=by)
    events.record_event(tournament, uuid4(), event, by=e.by)


def ends_a_tournament(e: Evening) -> None:
    found = Tournament.objects.filter(night__season__league=e.league)
    tournament = e.random_row(found.running() if e.chance.random() < 0.7 else found)
    left = state_of(tournament)
    shared = by_parts(sum(finishing.prizes_left(left)), dict.fromkeys(left.field.playing, 1))
    deal = {each: shared.get(each, 0) for each in left.field.playing}
    e.chance.choice(
        [
            *[lambda: finishing.finish(tournament, deal=deal, by=e.by)] * 3,
            lambda: finishing.finish(tournament, by=e.by),
            lambda: finishing.resume(tournament, by=e.by),
            lambda: making.call_off(tournament, by=e.by),
        ]
    )()


def plans(e: Evening) -> None:
    """Plan a night, answer, bring guests, or change, cancel or start it."""
    planned_nights, at = (
        PlannedNight.objects.filter(league=e.league),
        timezone.now() + timedelta(days=2),
    )
    details = Details(seats=e.chance.choice([None, 2, 4]))
    if not planned_nights.exists() or e.chance.random() < 0.1:
        planning.plan(e.league, uuid4(), at, details, by=e.by)
        return
    planned, who = (
        e.random_row(planned_nights),
        e.chance.choice([e.player(), f"guest {e.chance.randrange(9)}"]),
    )
    says, guests = e.chance.choice(NightAnswer.Says.values), e.chance.randrange(3)
    e.chance.choice(
        [
            *[lambda: answer_for(planned, who, says, guests=guests)] * 6,
            lambda: change_planned(planned, at, details, by=e.by),
            lambda: planning.cancel(planned),
            lambda: starts_as_planned(e, planned),
        ]
    )()


def starts_as_planned(e: Evening, planned: PlannedNight) -> None:
    said_yes = planned.answers.filter(says=NightAnswer.Says.YES).select_related("player")
    sitting = [(each, 100) for each in planning.as_players(planned, said_yes)]
    planning.start(planned, planned.pk, sitting, by=e.by)


def tells_a_chat(e: Evening) -> None:
    if e.chance.random() < 0.5:
        services.add_channel(e.league, uuid4(), "https://ntfy.example.org/thursdays", by=e.by)
    else:
        services.end_channel(e.mine(ChatChannel, "league"), by=e.by)


def chooses(e: Evening) -> None:
    banker = e.player() if e.chance.random() < 0.3 else None
    league = League.objects.get(pk=e.league.pk)
    wanted = {
        "settles": e.chance.choice(SettlementPeriod.values),
        "leftover": e.chance.choice(LeftoverPolicy.values),
        "uncounted": e.chance.choice(UncountedPolicy.values),
        "closing_hour": e.chance.randrange(24),
        "seven_deuce": e.chance.choice([0, 2]),
        "high_hand": e.chance.choice([0, 5]),
        "stand_up": e.chance.choice([0, 3]),
        "most_buy_in": e.chance.choice([0, 500]),
        "season_high_hand": e.chance.choice([0, 4]),
        "fund_each": e.chance.choice([0, 3]),
        "fund_keeper": e.player(),
        "waits_below": e.chance.choice([0, 8]),
        "banker": banker,
    }
    if e.chance.random() < 0.2:
        wanted["chip_value"] = e.chance.choice([1, 5])
    choose(league, replace(options_of(league), **wanted), by=e.by)


def shares(e: Evening) -> None:
    e.chance.choice(
        [
            lambda: share_hand(e.hand(), by=e.by),
            lambda: unshare_hand(e.hand(), by=e.by),
            lambda: share(e.night(is_open=False), by=e.by),
            lambda: unshare(e.night(is_open=False), by=e.by),
        ]
    )()


def invents(e: Evening) -> None:
    game = HouseGame.objects.filter(league=e.league).first()
    if game is None:
        house_games.write(e.league, CROSS, by=e.by)
        return
    e.chance.choice(
        [
            lambda: house_games.revise(game, e.chance.choice([CROSS, LOW_CROSS]), by=e.by),
            lambda: house_games.retire(game),
            lambda: house_games.delete(game),
        ]
    )()


def comes(e: Evening) -> None:
    e.chance.choice(
        [
            lambda: claim_player(e.league, e.player(), user=a_user("guest")),
            lambda: claim_player(e.league, e.player()),
            lambda: joining.request_to_join(e.league, e.player()),
            lambda: joining.accept(e.mine(JoinRequest, "league"), by=e.by),
            lambda: renew_code(e.league, by=e.by),
        ]
    )()


def goes(e: Evening) -> None:
    name = f"new {e.chance.randrange(999)}"
    e.chance.choice(
        [
            lambda: devices.free(e.player(), by=e.by),
            lambda: members.remove(e.mine(Membership, "league"), by=e.by),
            lambda: add_season(e.league),
            lambda: add_player(e.league, name),
            lambda: erase_player(e.player(), by=e.by),
            lambda: erase(e),
        ]
    )()


def erase(e: Evening) -> None:
    if len(e.users) > 2:
        user = e.users[-1]
        erase_user(user, by=None)
        e.users.remove(user)
    else:
        user = a_user("late")
        add_member(e.league, user, Role.SCOREKEEPER)
        e.users.append(user)


ACTS: tuple[tuple[Callable[[Evening], None], int], ...] = (
    (opens, 3),
    (seats, 2),
    (buys, 3),
    (cashes, 3),
    (takes_back, 2),
    (asks, 2),
    (answers, 2),
    (deals, 8),
    (tells_late, 5),
    (sends_many, 2),
    (corrects, 5),
    (takes_a_hand_back, 3),
    (picks, 4),
    (counts_chips, 2),
    (closes, 8),
    (closes_by_itself, 1),
    (reopens, 2),
    (pays, 5),
    (pays_on, 4),
    (settles, 2),
    (charges, 4),
    (undoes_a_charge, 2),
    (holds_a_tournament, 5),
    (ends_a_tournament, 4),
    (plans, 5),
    (tells_a_chat, 1),
    (chooses, 3),
    (shares, 2),
    (invents, 2),
    (comes, 2),
    (goes, 2),
)


CHANCES = tuple(zip(*ACTS, strict=True))


def an_evening(seed: int) -> Evening:
    host, other = a_user(), a_user("other")
    league = a_league(host)
    for name in NAMES:
        add_player(league, name)
    add_member(league, other, Role.HOST)
    return Evening(Random(seed), league, [host, other])


@pytest.mark.parametrize("seed", SEEDS)
def test_invariants_hold_after_every_step(seed: int) -> None:
    evening = an_evening(seed)
    opens(evening)
    for _ in range(STEPS):
        [act] = evening.chance.choices(*CHANCES)
        try:
            act(evening)
        except EXPECTED:
            continue
        evening.done.append(act.__name__)
        assert audit() == [], evening.done


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one write at a time")
@pytest.mark.parametrize("seed", SEEDS)
def test_invariants_hold_after_many_concurrent_steps(seed: int) -> None:
    """No thread deadlocks, and no thread sees an incomplete change of another thread."""
    evening = an_evening(seed)
    opens(evening)
    errors: list[tuple[str, Exception]] = []

    def go_on(number: int) -> None:
        mine = Evening(Random(seed * AT_ONCE + number), evening.league, evening.users)
        try:
            for _ in range(STEPS // 2):
                [act] = mine.chance.choices(*CHANCES)
                try:
                    act(mine)
                except (*EXPECTED, ObjectDoesNotExist, IndexError):
                    continue  # another thread got there first
                except Exception as error:  # noqa: BLE001 (all errors are reported)
                    errors.append((act.__name__, error))
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(go_on, range(AT_ONCE)))
    assert errors == []
    assert audit() == []

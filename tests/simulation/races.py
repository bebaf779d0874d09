"""Races of two concurrent writers. Every order of their statements equals a sequential run.

Each race starts from the same night. Running both writers one after the other, in either order,
gives the two allowed results. Every other order must give one of these results.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import count
from random import Random
from typing import Any
from uuid import UUID

from league.closing import close
from league.common.errors import NightClosedError
from league.deals.open_deal import name_game
from league.deals.table import NamedGame
from league.integrity.audit import audit
from league.models import (
    ClosingJob,
    Deal,
    Event,
    League,
    Night,
    OutgoingMail,
    PlannedNight,
    Player,
    Revision,
)
from league.nights.nights import seat
from league.people.leagues import add_player
from league.planned_nights import planning
from league.privacy.renaming import rename_player
from league.sending import mail
from league.stats.count import count_marked, rebuild
from league.webhooks import delivery
from tests.simulation import snapshot
from tests.simulation.beginning import NAMES, Beginning
from tests.simulation.beginning import League as Furnished
from tests.simulation.comparison import MismatchError, tallies
from tests.simulation.faults import Database
from tests.simulation.nature import Clock, nature
from tests.simulation.outside import Outside
from tests.simulation.service import Service
from tests.simulation.turns import Turns, Work, give_way

# More than the number of statements that the other writer executes.
MOST_TRIES = 200
NIGHT, HAND, PLANNED, PAYMENT = (str(UUID(int=number)) for number in range(10, 14))
PLAYED, PLAYED_HAND = (str(UUID(int=number)) for number in range(20, 22))
OTHER_NIGHT, STOOD_UP = (str(UUID(int=number)) for number in range(22, 24))
MISTAKEN, STARTED, RECEIVED = (str(UUID(int=number)) for number in range(24, 27))
GUEST, RENAMED = "eve", "eva"
IN_BOX = 100
# Statuses after which a writer retries: key in use, database conflict, or database full.
AGAIN = {409, 503}


@dataclass
class Scene:
    """A league with open nights, a closed one, cash, a payment, a side bet and a planned night."""

    service: Service
    league: Furnished
    clock: Clock
    outside: Outside
    plan: str = ""
    open_chips: int = 0
    bet: dict[str, Any] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: Any = None, *, key: str = "", by: str = "") -> Any:
        token = self.league.record if by == "phone" else self.league.manage
        return self.service.ask(token, method, f"/api/v1/{path}", body, key)

    def done(self, path: str, body: Any = None, **how: Any) -> Any:
        answer = self.ask("POST", path, body, **how)
        if answer.status >= 400:
            raise MismatchError(f"{path} was answered {answer.status}: {answer.body!r}")
        return answer.json()

    def furnish(self) -> None:
        """Create the rows that exist before each race."""
        players = self.league.players
        at = f"leagues/{self.league.league}"
        for night, hand in ((PLAYED, PLAYED_HAND), (NIGHT, HAND)):
            self.done(f"{at}/nights", {"id": night, "players": list(players.values())})
            self.done(f"nights/{night}/hands", hand_of(hand, 10))
        self.done(f"nights/{PLAYED}/closing", {"id": str(UUID(int=30)), "by_hands": True})
        [plan] = self.ask("GET", f"nights/{PLAYED}/payment-plans").json()["results"]
        self.plan, self.open_chips = plan["id"], plan["planned_payments"][0]["chips"]
        self.done(f"payment-plans/{self.plan}/payments", {"id": PAYMENT, "position": 0, "chips": 4})
        starts_at = "2026-06-01T18:00:00Z"
        self.done(f"{at}/planned-nights", {"id": PLANNED, "starts_at": starts_at, "seats": 1})
        received = {"id": RECEIVED, "position": 1, "chips": 5, "received": True}
        self.done(f"payment-plans/{self.plan}/payments", received)
        self._furnish_other_nights()
        self._furnish_mistaken_night()

    def _furnish_other_nights(self) -> None:
        """Create a night to be raced for cash, and one with a round of the stand-up game."""
        players = self.league.players
        for night in (OTHER_NIGHT, STOOD_UP):
            body = {"id": night, "players": list(players.values())}
            self.done(f"leagues/{self.league.league}/nights", body)
        for number, (night, name, in_cash) in enumerate(
            ((NIGHT, "bob", True), (NIGHT, "cat", False), (OTHER_NIGHT, "cat", False)), start=90
        ):
            body = {"id": str(UUID(int=number)), "player": players[name], "chips": IN_BOX}
            self.done(f"nights/{night}/buy-ins", body | {"cash_box": in_cash})
        for number, name in enumerate(("ann", "bob", "cat")):
            self.done(f"nights/{STOOD_UP}/hands", hand_of(str(UUID(int=100 + number)), 5, name))
        [bet] = self.ask("GET", f"nights/{STOOD_UP}/side-bets").json()["results"]
        self.bet = bet["charge"]

    def _furnish_mistaken_night(self) -> None:
        """Start a planned night by mistake, and seat a player who is on no receipt."""
        body = {"id": STARTED, "starts_at": "2026-06-02T18:00:00Z"}
        self.done(f"leagues/{self.league.league}/planned-nights", body)
        planned = PlannedNight.objects.get(pk=STARTED)
        ann, bob = (Player.objects.get(name=name) for name in ("ann", "bob"))
        planning.start(planned, UUID(MISTAKEN), [(ann, 100), (bob, 100)], by=None)
        night = Night.objects.select_related("season__league__book").get(pk=NIGHT)
        seat(night, add_player(night.league, GUEST))


def hand_of(
    key: str, chips: int, winner: str = "ann", names: Sequence[str] = NAMES, **more: Any
) -> dict[str, Any]:
    """Return a hand in which the winner takes this many chips from each player."""
    record = {
        "variant": "texas-holdem",
        "depth": "result",
        "button": 1,
        "players": [{"name": name, "paid": chips} for name in names],
        "took": {winner: chips * len(names)},
    }
    return {"id": key, "record": record, **more}


def _post(
    path: str, body: Any = None, *, method: str = "POST", **how: Any
) -> Callable[[Scene], Work]:
    """Return a writer that sends a request until the response is definite."""

    def of(scene: Scene) -> Work:
        def ask() -> int:
            confirmed = body(scene) if callable(body) else body
            for _ in range(MOST_TRIES):
                at = path.format(plan=scene.plan, league=scene.league.league)
                answer = scene.ask(method, at, confirmed, **how)
                in_flight = answer.status == 409 and answer.json()["type"].endswith("key-in-use")
                if answer.status not in AGAIN or (answer.status == 409 and not in_flight):
                    break
                if in_flight:
                    give_way()
            return int(answer.status or 0)

        return ask

    return of


def _job(work: Callable[[UUID], object]) -> Callable[[Scene], Work]:
    """Return a writer that runs a worker's job for the league."""
    return lambda scene: lambda: _done(work, UUID(scene.league.league))


def _done(work: Callable[[UUID], object], league: UUID) -> str:
    work(league)
    return "worked"


def _cancel(scene: Scene) -> Work:
    """Return a writer that cancels the mistaken night on its page."""
    path = f"/nights/{MISTAKEN}/cancel"
    return lambda: scene.service.submit(scene.league.session, path, {}).status


def _name_game(_: Scene) -> Work:
    def named() -> str:
        night = Night.objects.select_related("season__league__book").get(pk=MISTAKEN)
        with suppress(NightClosedError):
            name_game(night, UUID(NEW), NamedGame("texas-holdem"), by=None)
        return "named"

    return named


def _rename(_: Scene) -> Work:
    def renamed() -> str:
        rename_player(Player.objects.get(name=GUEST), RENAMED, by=None)
        return "renamed"

    return renamed


def _at_mistaken(place: str, **body: Any) -> Callable[[Scene], Work]:
    """Return a writer for ann at the mistaken night."""
    path = f"nights/{MISTAKEN}/{place}"
    return _post(path, lambda scene: {**body, "player": scene.league.players["ann"]})


def _close_two(league: UUID) -> None:
    """Close the night that is due, and then the mistaken one."""
    close.close_next(league)
    close.close_next(league)


def _answer(name: str, planned: str = PLANNED) -> Callable[[Scene], Work]:
    path = f"planned-nights/{planned}/answers"
    return _post(path, lambda scene: {"player": scene.league.players[name], "rsvp": "yes"})


def _pay(number: int) -> Callable[[Scene], Work]:
    def body(scene: Scene) -> Any:
        chips = scene.open_chips - 4
        return {"id": str(UUID(int=number)), "position": 0, "chips": chips, "received": True}

    return _post("payment-plans/{plan}/payments", body)


def _buy(number: int) -> Callable[[Scene], Work]:
    path = f"nights/{NIGHT}/buy-ins"
    key = str(UUID(int=number))
    return _post(path, lambda s: {"id": key, "player": s.league.players["bob"], "chips": 50})


def _cash_out(number: int, night: str, name: str) -> Callable[[Scene], Work]:
    """Return a writer that takes more than half of the cash."""
    more: dict[str, Any] = {"id": str(UUID(int=number)), "chips": IN_BOX * 2 // 3}
    return _post(
        f"nights/{night}/cash-outs",
        lambda scene: more | {"player": scene.league.players[name], "cash_box": True},
    )


def _change(**settings: Any) -> Callable[[Scene], Work]:
    return _post("leagues/{league}", settings, method="PATCH")


NEW, OTHER = str(UUID(int=40)), str(UUID(int=41))
_record = partial(_post, f"nights/{NIGHT}/hands")
_close = _post(f"nights/{NIGHT}/closing", {"id": str(UUID(int=50)), "by_hands": True})
_close_too = _post(f"nights/{NIGHT}/closing", {"id": str(UUID(int=51)), "by_hands": True})
_reopen = _post(f"nights/{PLAYED}/reopen", {})
_confirm = _post(f"payments/{PAYMENT}/confirm", {})
_confirm_bet = partial(_post, f"nights/{STOOD_UP}/charges", lambda scene: scene.bet)
_keyed_void = _post(f"hands/{HAND}/void", {}, key="a key")
_revise = partial(_post, f"hands/{PLAYED_HAND}/revisions")
_charge = _post(
    f"nights/{PLAYED}/charges",
    lambda s: {
        "id": str(UUID(int=60)),
        "title": "pizza",
        "shares": [
            {"player": s.league.players["bob"], "credited": 9},
            {"player": s.league.players["cat"], "charged": 9},
        ],
    },
)
_withdraw = _post(f"payments/{RECEIVED}/withdraw", {})
_receive = _post(
    "payment-plans/{plan}/payments",
    lambda scene: {"id": NEW, "position": 1, "chips": scene.open_chips, "received": True},
)
_of_guest = hand_of(NEW, 7, names=("ann", GUEST))
PAIRS: dict[str, tuple[Callable[[Scene], Work], Callable[[Scene], Work]]] = {
    "one hand sent twice": (_record(hand_of(NEW, 7)), _record(hand_of(NEW, 7))),
    "two phones record one hand": (
        _record(hand_of(NEW, 7, snapshot=1)),
        _record(hand_of(OTHER, 7, snapshot=1), by="phone"),
    ),
    "two phones record other hands": (_record(hand_of(NEW, 7)), _record(hand_of(OTHER, 9))),
    "a recorder and the close": (_record(hand_of(NEW, 7)), _close),
    "two close": (_close, _close_too),
    "a correction and a charge": (_revise({**hand_of(NEW, 3), "reason": "x"}), _charge),
    "a correction and the reopening": (_revise({**hand_of(NEW, 3), "reason": "x"}), _reopen),
    "one key sent twice": (_keyed_void, _keyed_void),
    "two confirmations": (_confirm, _confirm),
    "two payments of what is open": (_pay(70), _pay(71)),
    "a payment and the reopening": (_confirm, _reopen),
    "two answers for the last seat": (_answer("ann"), _answer("bob")),
    "two answers of one player": (_answer("ann"), _answer("ann")),
    "one buy-in sent twice": (_buy(80), _buy(80)),
    "a buy-in and the close": (_buy(80), _close),
    "two cash-outs from the box": (
        _cash_out(81, NIGHT, "bob"),
        _cash_out(82, NIGHT, "cat"),
    ),
    "two cash-outs from the box at two nights": (
        _cash_out(81, NIGHT, "bob"),
        _cash_out(82, OTHER_NIGHT, "cat"),
    ),
    "two confirmations of a side game": (_confirm_bet(), _confirm_bet(by="phone")),
    "a confirmation of a side game and a correction": (
        _confirm_bet(),
        _post(f"hands/{UUID(int=100)}/revisions", {**hand_of(NEW, 5, "dan"), "reason": "x"}),
    ),
    "two change other settings": (_change(leave_notice=60), _change(bomb_pot_every=7)),
    "two count": (_job(count_marked), _job(count_marked)),
    "a count and a correction": (_job(count_marked), _revise({**hand_of(NEW, 3), "reason": "x"})),
    "two call a receiver": (_job(delivery.SENDER.send_next), _job(delivery.SENDER.send_next)),
    "two send letters": (
        _job(mail.SENDER.send_next),
        _job(mail.SENDER.send_next),
    ),
    "two close by the hour": (_job(close.close_next), _job(close.close_next)),
    "a recorder and the close by the hour": (
        _record(hand_of(NEW, 7)),
        _job(close.close_next),
    ),
    "a cancelled night and a hand": (
        _cancel,
        _post(f"nights/{MISTAKEN}/hands", hand_of(NEW, 7, names=("ann", "bob"))),
    ),
    "a cancelled night and a buy-in": (_cancel, _at_mistaken("buy-ins", id=NEW, chips=50)),
    "a cancelled night and a count": (_cancel, _at_mistaken("chip-counts", id=NEW, chips=100)),
    "a cancelled night and a player who joins": (
        _cancel,
        _post(f"nights/{MISTAKEN}/seats", lambda scene: {"player": scene.league.players["dan"]}),
    ),
    "a cancelled night and a named game": (_cancel, _name_game),
    "a cancelled night and the close by the hour": (_cancel, _job(_close_two)),
    "a cancelled night and an answer": (_cancel, _answer("cat", STARTED)),
    "two cancel": (_cancel, _cancel),
    "an undone receipt and a second one": (_withdraw, _receive),
    "an undone receipt and a charge": (_withdraw, _charge),
    "two undo a receipt": (_withdraw, _withdraw),
    "a renaming and a hand": (_rename, _record(_of_guest)),
    "a renaming and a batch": (
        _rename,
        _post(f"nights/{NIGHT}/hands/batch", {"hands": [_of_guest]}),
    ),
    "a renaming and a correction": (
        _rename,
        _post(
            f"hands/{HAND}/revisions",
            {**hand_of(NEW, 3, names=("ann", GUEST)), "reason": "x"},
        ),
    ),
}
Order = list[tuple[int, int]]


class Race:
    """A pair of writers that run in any order from the same initial state."""

    def __init__(self, scene: Scene, name: str, beginning: Beginning) -> None:
        self.scene, self.name, self.beginning = scene, name, beginning
        self.runs = 0
        self.steps = [0, 0]
        self.allowed: list[Any] = []

    def learn(self) -> None:
        """Run the writers one after the other, in both orders, to get the allowed results."""
        for first in (0, 1):
            outcome, steps = self._run([(first, 10_000), (1 - first, 10_000)])
            self.allowed.append(outcome)
            self.steps[first] = steps[first]
            self.steps[1 - first] = max(self.steps[1 - first], steps[1 - first])

    def run(self, order: Order) -> None:
        """Run the writers in this order. Raises MismatchError."""
        outcome, _ = self._run(order)
        if outcome not in self.allowed:
            raise MismatchError(f"{self.name}, {order}: {outcome} instead of one of {self.allowed}")

    def _run(self, order: Order) -> tuple[Any, list[int]]:
        scene = self.scene
        self.beginning.put_back()
        scene.outside.__init__()  # type: ignore[misc] # reset the recipients as well
        scene.outside.calm = True
        self.runs += 1
        works = [each(scene) for each in PAIRS[self.name]]
        turns = Turns(works, order, scene.clock.with_time)
        answers, steps = turns.run()
        for answer in answers:
            if isinstance(answer, BaseException):
                raise MismatchError(f"{self.name}, {order}: {answer!r}")
        return self._outcome(answers), steps

    def _outcome(self, answers: Sequence[Any]) -> Any:
        names = {str(player): name for player, name in Player.objects.values_list("pk", "name")}
        if findings := audit():
            raise MismatchError(f"{self.name}: the audit finds {findings}")
        _tell_the_rest(UUID(self.scene.league.league))
        state = snapshot.look(names)
        confirmed = Counter(self.scene.outside.confirmed)
        seats = self.scene.ask("GET", f"planned-nights/{PLANNED}").json()["seated"]
        return (
            sorted(map(str, answers)),
            state.accounts,
            state.hands,
            state.open_nights,
            state.payments,
            state.rows,
            state.settings,
            Counter(Event.objects.values_list("kind", flat=True)),
            OutgoingMail.objects.count(),
            sorted(confirmed.values()),
            len(seats),
            _is_counted_right(),
            sorted(map(sorted, Revision.objects.values_list("names", flat=True))),
            PlannedNight.objects.get(pk=STARTED).state,
            Deal.objects.count(),
        )


def _tell_the_rest(league: UUID) -> None:
    """Send remaining messages. In some orders a writer found the receiver busy and sent nothing."""
    while delivery.SENDER.send_next(league):
        pass
    while mail.SENDER.send_next(league):
        pass


def _is_counted_right() -> bool:
    """Count the remaining stats and return whether a rebuild gives the same result."""
    key = League.objects.get().pk
    while count_marked(key):
        pass
    before = tallies()
    rebuild(key)
    return before == tallies()


def one_switch(steps: Sequence[int]) -> Iterator[Order]:
    """Yield all orders in which a writer stops once, after any statement, and the other ends."""
    for first in (0, 1):
        for at in range(1, steps[first]):
            yield [(first, at), (1 - first, 10_000)]


def two_switches(steps: Sequence[int]) -> Iterator[Order]:
    """Yield all orders in which a writer stops, and continues once the other one has stopped."""
    for first in (0, 1):
        for at in range(1, steps[first]):
            for back in range(1, steps[1 - first]):
                yield [(first, at), (1 - first, back), (first, 10_000)]


def any_order(chance: Random, steps: Sequence[int]) -> Order:
    """Return a random order."""
    first = chance.randrange(2)
    turns = count()
    most = max(steps)
    return [
        ((first + next(turns)) % 2, chance.randint(1, chance.choice((2, 5, most))))
        for _ in range(chance.randint(1, 6))
    ]


@contextmanager
def races(beginning: Beginning) -> Iterator[Callable[[str], Race]]:
    """Yield a function that creates a race from its pair's name."""
    with nature(0) as clock:
        league = beginning.put_back()
        scene = Scene(Service(Database(clock)), league, clock, Outside())
        scene.outside.calm = True
        with scene.outside.listening():
            scene.furnish()
            # Advance the time past the closing hour, so that the night is due to be closed.
            clock.pass_by(timedelta(hours=20))
            ClosingJob.objects.filter(night=NIGHT).update(due_at=clock.now())
            later = clock.now() + timedelta(microseconds=1)
            ClosingJob.objects.filter(night=MISTAKEN).update(due_at=later)
            beginning.keep()
            yield lambda name: Race(scene, name, beginning)

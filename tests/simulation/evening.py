"""An evening of random steps from one seed: people's actions and faults."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from random import Random

from django.core.cache import cache

from league.models import ClosingJob
from tests.simulation import service as there
from tests.simulation import snapshot
from tests.simulation.beginning import Beginning, League
from tests.simulation.comparison import Comparison, MismatchError
from tests.simulation.faults import Database, Fault, any_fault
from tests.simulation.followers import followers
from tests.simulation.makes import MAKES, WITHOUT_A_NIGHT, Everything
from tests.simulation.model import Model
from tests.simulation.nature import Clock, nature
from tests.simulation.outside import Outside
from tests.simulation.phone_request import PhoneRequest
from tests.simulation.replica import Replica
from tests.simulation.service import Answer, Service
from tests.simulation.snapshot import Snapshot

STEPS = 200
PHONES = 4
LOSSES = ("", "", "", "request", "answer", "twice")
FAULTS = 0.25
# Number of steps between audits. The model is compared after every step.
AUDITED = 50
SETTLED = 40


@dataclass(eq=False)
class Phone:
    """A phone with its unsent requests. The first phone is the host's."""

    number: int
    waiting: list[PhoneRequest] = field(default_factory=list)
    is_online: bool = True


@dataclass(eq=False)
class Evening:
    """An evening generated from one seed.

    `history` lists its events, and its digest is reproducible. `counted` contains the accepted
    requests of each kind. Each step has its own random source,
    so removing a step does not change the others.
    """

    seed: int
    service: Service
    clock: Clock
    league: League
    history: list[str] = field(default_factory=list)
    model: Model = field(default_factory=Model)
    unsure: set[str] = field(default_factory=set)
    sent: list[PhoneRequest] = field(default_factory=list)
    faults: int = 0
    acknowledged: int = 0
    counted: Counter[str] = field(default_factory=Counter)
    calm: bool = False
    taken: int = 0

    def __post_init__(self) -> None:
        self.chance = Random(0)
        self.maker = Everything(self.league)
        self.phones = [Phone(number) for number in range(PHONES)]
        self.outside = Outside()
        self.names = self.league.names
        self.comparison = Comparison(self)
        self.replica = Replica()
        self.replica.catch_up()
        self.followers = followers(self.league.league, self.league.record)

    def run(self, steps: Iterable[int] = range(STEPS)) -> None:
        """Run the steps, then finish all pending work. Raises MismatchError."""
        with self.outside.listening():
            for self.taken, number in enumerate(steps, 1):
                self._begin(number)
                self._step()
                self.comparison.check()
                if self.taken % AUDITED == 0:
                    self.comparison.audit()
            self._begin(-1)
            self._rest()

    def digest(self) -> str:
        return sha256("\n".join(self.history).encode()).hexdigest()[:16]

    def say(self, text: str) -> None:
        self.history.append(text)

    def _begin(self, number: int) -> None:
        self.say(f"step {number}")
        chance = Random(f"{self.seed} {number}")
        self.chance = self.maker.chance = self.outside.chance = chance

    # --- steps ------------------------------------------------------------------------------------

    def _step(self) -> None:
        does: list[tuple[int, Callable[[], None]]] = [
            (40, self._make),
            (60, self._send),
            (6, self._send_old),
            (6, self._signal),
            (14, self._work),
            (6, self._pass_time),
            (5, self._pay),
            (2, self._restart),
            (2, self._flush),
            (6, self._look),
            (6, self._bet),
            (5, self._ask_what_if),
            (1, self._read_house_rules),
            (8, self._follow),
            (4, self._replicate),
        ]
        [step] = self.chance.choices([each for _, each in does], [weight for weight, _ in does])
        step()

    def _make(self) -> None:
        [kind] = self.chance.choices(list(MAKES), list(MAKES.values()))
        if not self.maker.nights and kind not in WITHOUT_A_NIGHT:
            kind = "open_night"
        made: PhoneRequest | None = getattr(self.maker, kind)(self.model)
        if made:
            self._hand_to_a_phone(made)

    def _hand_to_a_phone(self, made: PhoneRequest) -> None:
        phone = self.phones[0] if made.by_host else self.chance.choice(self.phones)
        phone.waiting.append(made)
        self.say(f"phone {phone.number} wants to {made.kind} {made.key[:8]}")

    def _send(self) -> None:
        ready = [phone for phone in self.phones if phone.is_online and phone.waiting]
        if ready:
            phone = self.chance.choice(ready)
            # Requests made offline can arrive in any order.
            self._send_one(phone, self.chance.choice(phone.waiting[:3]))

    def _send_one(self, phone: Phone, request: PhoneRequest) -> None:
        lost = "" if self.calm else self.chance.choice(LOSSES)
        if lost == "request":
            self.say(f"phone {phone.number}: {request.key[:8]} is lost on its way")
            return
        answer = self._ask(request)
        if lost == "twice":
            answer = self._ask(request)
        if lost == "answer" or not answer.is_sure:
            return
        phone.waiting.remove(request)
        self.sent.append(request)
        self.acknowledged += 1
        self.counted[request.kind] += (answer.status or 0) < 400

    def _send_old(self) -> None:
        """Send an old request again, as if its response had been lost."""
        if self.sent:
            self._ask(self.chance.choice(self.sent))

    def _signal(self) -> None:
        phone = self.chance.choice(self.phones)
        phone.is_online = not phone.is_online
        self.say(f"phone {phone.number} is {'online' if phone.is_online else 'offline'}")

    def _work(self) -> None:
        self.work(self.chance.choice([*there.QUEUES, *there.BEAT]), self._fault())

    def work(self, name: str, fault: Fault | None = None) -> None:
        lived = self.service.work(name, fault=fault)
        self.say(f"a worker sees to {name} ({fault or 'no fault'}): {'done' if lived else 'gone'}")
        if name not in ("closings", "the sweep"):
            return
        still_open = snapshot.look(self.names).open_nights
        for night in sorted(self.model.open_nights() - still_open):
            self.model.nights[night].close()
            self.say(f"night {night[:8]} closed by itself")
            if self.model.nights[night].missing:
                raise MismatchError(f"night {night} closed by itself, with chips that nobody has")

    def _pass_time(self) -> None:
        span = timedelta(minutes=self.chance.choice((1, 7, 59, 300, 1441)))
        self.clock.pass_by(span)
        self.say(f"{span} pass by")

    def _pay(self) -> None:
        """Look up open payments and report or confirm one of them."""
        closed = [key for key, night in self.model.nights.items() if night.closed]
        if not closed:
            return
        night = self.chance.choice(closed)
        plans = self.read(f"/api/v1/nights/{night}/payment-plans").json()["results"]
        made = self.maker.pay(self.chance.choice(plans)) if plans else None
        if made:
            self._hand_to_a_phone(made)

    def _restart(self) -> None:
        self.service.restart()
        self.say("the service starts anew")

    def _flush(self) -> None:
        cache.clear()
        self.say("the cache loses everything")

    def _look(self) -> None:
        """Open a night on a phone, which must show current data."""
        if self.model.nights:
            self.comparison.phone_shows(self.chance.choice(list(self.model.nights)))

    def _bet(self) -> None:
        """Look up the side bets of a night, and confirm one of them, sometimes on two phones."""
        night = self.maker.one_of(self.model.nights)
        bets = self.comparison.side_bets(night) if night else []
        if bets:
            charge = self.chance.choice(bets)
            for _ in range(self.chance.choice((1, 1, 2))):
                self._hand_to_a_phone(self.maker.confirm_bet(self.model, night, charge))

    def _ask_what_if(self) -> None:
        """Settle a hand under other options, and sometimes correct it to the outcome."""
        hands = [
            (night, hand)
            for night, there in self.model.nights.items()
            for hand, each in there.hands.items()
            if each.deal.cards or self.chance.random() < 0.1
        ]
        if not hands:
            return
        night, hand = self.chance.choice(hands)
        deal = self.model.nights[night].hands[hand].deal
        options = self.maker.other_options(deal)
        changes = self.comparison.what_if(night, hand, options)
        self.counted["ask what if"] += 1
        if deal.cards and self.chance.random() < 0.6:
            made = self.maker.correct_as(night, hand, deal.under(**options), changes)
            self._hand_to_a_phone(made)

    def _read_house_rules(self) -> None:
        self.comparison.house_rules()

    def _follow(self) -> None:
        """Let a dashboard read the next page of a feed."""
        follower, fault = self.chance.choice(self.followers), self._fault()
        more = follower.read(self.service, self.chance.choice((1, 2, 5, 100)), fault)
        confirmed = f"{follower.cursor}{' and goes on' if more else ''}"
        self.say(f"a dashboard follows {follower.feed} ({fault or 'no fault'}) up to {confirmed}")

    def _replicate(self) -> None:
        if is_away := self.chance.random() < 0.3:
            self.replica.go_away()
        else:
            self.replica.catch_up()
        self.say(f"the replica {'goes away' if is_away else 'catches up'}")

    # --- requests ---------------------------------------------------------------------------------

    def _fault(self) -> Fault | None:
        if self.calm or self.chance.random() >= FAULTS:
            return None
        self.faults += 1
        return any_fault(self.chance)

    def read(self, path: str) -> Answer:
        answer = self.service.ask(self.league.manage, "GET", path)
        self.say(f"GET {path} -> {answer.status} {_digest(answer.body)}")
        return answer

    def post(self, path: str, body: object) -> Answer:
        """Send a request that stores nothing."""
        answer = self.service.ask(self.league.record, "POST", path, body)
        self.say(f"POST {path} -> {answer.status} {_digest(answer.body)}")
        return answer

    def _ask(self, request: PhoneRequest) -> Answer:
        fault = self._fault()
        answer = self._sent(request, fault)
        self.say(
            f"{request.kind} {request.key[:8]} ({fault or 'no fault'}) ->"
            f" {answer.status} {_digest(answer.body)}"
        )
        self._believe(request, answer, struck=self.service.database.struck)
        return answer

    def _sent(self, request: PhoneRequest, fault: Fault | None) -> Answer:
        path, body = request.path, request.body
        if request.is_form:
            return self.service.submit(self.league.session, path, body, fault=fault)
        key = request.key if request.header else ""
        token = self.league.manage if request.by_host else self.league.record
        token = self.league.bob if request.by_bob else token
        return self.service.ask(token, request.method, path, body, key, fault=fault)

    def _believe(self, request: PhoneRequest, answer: Answer, *, struck: bool) -> None:
        """Update the model from the response, or from the database if the response is unclear."""
        status = answer.status or 0
        what = f"{request.kind} was answered {answer.status}"
        if status >= 500 and not struck:
            raise MismatchError(f"{what} for no reason: {answer.body!r}")
        if request.key in self.model.done:
            if answer.is_sure and status >= 400 and request.kind != "pay":
                raise MismatchError(f"{what}, and was done before: {answer.body!r}")
            return
        allowed, state = request.is_allowed(self.model), snapshot.look(self.names)
        if answer.is_sure and request.key not in self.unsure:
            done = status < 400
            if allowed is not None and done != allowed and not struck:
                raise MismatchError(f"{what}, against the model: {answer.body!r}")
            if done:
                request.apply(self.model, state)
        elif allowed is not False:
            self._find_out(request, answer, state)

    def _find_out(self, request: PhoneRequest, answer: Answer, state: Snapshot) -> None:
        """Determine from the database whether the request was executed."""
        after = self.model.copy()
        request.apply(after, state)
        is_undone, is_done = (
            self.comparison.fits(self.model, state),
            self.comparison.fits(after, state),
        )
        is_granted = answer.is_sure and (answer.status or 0) < 400
        if is_done and (is_granted or not is_undone):
            self.model = after
        elif is_undone:
            # Either the request had no effect, or it was not executed. The next response will show
            # which.
            self.unsure.add(request.key)

    def _rest(self) -> None:
        """Bring all phones online, stop all faults and finish all pending work."""
        self.calm = self.outside.calm = True
        for phone in self.phones:
            phone.is_online = True
            for _ in range(SETTLED):
                if not phone.waiting:
                    break
                self._send_one(phone, phone.waiting[0])
                self.comparison.check()
        for _ in range(6):
            self.clock.pass_by(timedelta(days=1))
            for name in there.QUEUES:
                self.work(name)
            self.comparison.check()
            if not self.comparison.waiting(ClosingJob):
                break
        self.replica.catch_up()
        self.comparison.at_rest()


@contextmanager
def evening(seed: int, beginning: Beginning) -> Iterator[Evening]:
    """Create an evening with its own database, clock and random source."""
    with nature(seed) as clock:
        league = beginning.put_back()
        database = Database(clock)
        with database.connected():
            yield Evening(seed, Service(database), clock, league)


def _digest(body: bytes) -> str:
    return sha256(body).hexdigest()[:12]

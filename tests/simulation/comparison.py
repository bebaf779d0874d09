"""Checks the service after each step and at the end of an evening."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.db.models import Count

from league.closing.payments import chips_left, unpaid
from league.integrity.audit import audit
from league.models import (
    ChatPost,
    Closing,
    Delivery,
    Event,
    EventKind,
    League,
    OutgoingMail,
    PaymentStep,
    PlayerTally,
    PushMessage,
    StatsState,
    Webhook,
)
from league.models import Night as NightRow
from league.models.jobs import QueuedJob
from league.stats.count import rebuild
from league.webhooks import delivery
from tests.simulation import snapshot
from tests.simulation.model import Model
from tests.simulation.plans import SEATS
from tests.simulation.side_games import bomb_pot_is_next, waiting_bets
from tests.simulation.side_games import still_standing as standing_players
from tests.simulation.snapshot import Snapshot

if TYPE_CHECKING:
    from tests.simulation.evening import Evening


class MismatchError(AssertionError):
    """The service differs from the model."""


class Comparison:
    """Compares the service with an evening's model. All checks raise MismatchError."""

    def __init__(self, evening: "Evening") -> None:
        self.evening = evening
        # Responses, keyed by night and version. Responses with the same version must show the same
        # data.
        self.shown: dict[tuple[str, int], Any] = {}

    @property
    def model(self) -> Model:
        return self.evening.model

    def fits(self, model: Model, snapshot: Snapshot) -> bool:
        """Return whether the state equals the model."""
        return not any(real != known for _, real, known in _compared(model, snapshot))

    def check(self) -> None:
        """Check that the database matches the model, and that the service logged no errors."""
        for what, real, expected in _compared(self.model, snapshot.look(self.evening.names)):
            if real != expected:
                raise MismatchError(
                    f"{what}: {_beyond(real, expected)}; the model: {_beyond(expected, real)}"
                )
        if error_log := self.evening.service.error_log.records:
            raise MismatchError(f"the service has logged {error_log}")

    def audit(self) -> None:
        if findings := audit():
            raise MismatchError(f"the audit finds {findings}")

    def phone_shows(self, night: str) -> None:
        """Check that a phone shows the model's chips, and the same data for a given version."""
        expected_night, path = self.model.nights[night], f"/api/v1/nights/{night}"
        version = NightRow.objects.values_list("version", flat=True).get(pk=night)
        body = self.evening.read(path).json()
        stacks = {self.evening.names[each["player"]]: each["stack"] for each in body["seats"]}
        there = expected_night.stacks()
        expected = {name: 0 if expected_night.closed else there[name] for name in stacks}
        if stacks != expected or (body["state"] == "closed") != expected_night.closed:
            raise MismatchError(
                f"a phone is shown {stacks} ({body['state']}) instead of {expected}"
            )
        self._shows_side_games(night, body)
        # The cash box is the league's, so other nights change it.
        if (cash := body.pop("cash_box")) != self.model.in_box():
            raise MismatchError(f"a phone shows {cash} in the cash box, not {self.model.in_box()}")
        before = self.shown.setdefault((night, version), body)
        if before != body:
            raise MismatchError(f"version {version} of night {night} is {before}, and then {body}")

    def _shows_side_games(self, night: str, body: Any) -> None:
        """Check the carry, the players still standing, and whether a bomb pot is next."""
        there, called = self.model.nights[night], self.evening.names
        shown: Any = (body["carry"], None)
        expected: Any = (0, None)
        if games := body["side_games"]:
            standing = {called[each] for each in games["standing_players"]}
            shown = body["carry"], standing, games["bomb_pot_next"]
        if not there.closed:
            every = self.model.settings["bomb_pot_every"]
            expected = there.carry(), standing_players(there), bomb_pot_is_next(there, every)
        if shown != expected:
            raise MismatchError(f"night {night} shows {shown} instead of {expected}")

    def side_bets(self, night: str) -> list[Any]:
        """Check the listed side bets, and return the bodies that confirm them."""
        body = self.evening.read(f"/api/v1/nights/{night}/side-bets").json()
        charges = [each["charge"] for each in body["results"]]
        listed = {self.evening.maker.bet_of(self.model, night, each) for each in charges}
        expected = waiting_bets(self.model, night)
        if listed != expected or len(charges) != len(listed):
            raise MismatchError(f"{night} lists the side bets {listed} instead of {expected}")
        return charges

    def what_if(self, night: str, hand: str, options: dict[str, str]) -> str:
        """Check the outcome of a hand under other options. Return the changes in words, or ""."""
        deal = self.model.nights[night].hands[hand].deal
        answer = self.evening.post(f"/api/v1/hands/{hand}/what-if", {"options": options})
        if deal.record.get("depth") == "result":
            if answer.status != 400:
                raise MismatchError(f"hand {hand} was settled without cards: {answer.body!r}")
            return ""
        body, other = answer.json(), deal.under(**options)
        settled = body.get("answer", {}).get("won"), body.get("answer", {}).get("carry")
        if settled != (other.won, other.carry):
            raise MismatchError(f"what if {options} in {hand}: {body}, not {other}")
        return str(body["text"].partition(":")[0])

    def house_rules(self) -> None:
        """Check the league's own rules as a phone shows them."""
        league = self.evening.league.league
        body = self.evening.read(f"/api/v1/leagues/{league}/house-rules").json()
        shown = {each["id"]: each["own_ruling"] for each in body["irregularities"]}
        shown = {topic: text for topic, text in shown.items() if text}
        if body["own_rules"]:
            shown[""] = "\n".join(body["own_rules"])
        expected = {topic: texts[-1] for topic, texts in self.model.rules.items() if texts[-1]}
        if shown != expected:
            raise MismatchError(f"the house rules are {shown} instead of {expected}")

    def at_rest(self) -> None:
        """Check the final state: messages are sent, stats counted, and phones show current data."""
        self._events_are_there()
        self._everybody_was_told()
        self._planned_nights_are_filled()
        self._is_counted_right()
        self._payments_settle_tabs()
        self._dashboards_know_all()
        self.audit()
        self.house_rules()
        for night, expected in self.model.nights.items():
            self.phone_shows(night)
            self.side_bets(night)
            path = f"/api/v1/nights/{night}/hands?page_size=200"
            shown = [each["id"] for each in self.evening.read(path).json()["results"]]
            if sorted(shown) != sorted(expected.hands):
                raise MismatchError(f"a phone shows the hands {shown}")

    def waiting(self, *also: type[QueuedJob]) -> dict[str, int]:
        """Return the number of pending jobs of each kind."""
        kinds = (Delivery, PushMessage, OutgoingMail, ChatPost, *also)
        pending = {each.__name__: each.objects.filter(done_at=None).count() for each in kinds}
        return {name: number for name, number in pending.items() if number}

    def _events_are_there(self) -> None:
        """Check that each revision, closing and confirmation has one event."""
        counted = Event.objects.order_by().values_list("kind").annotate(Count("id"))
        events = dict(counted)
        hands = sum(number for kind, number in events.items() if kind.startswith("hand."))
        closings = sum(night.closings for night in self.model.nights.values())
        confirmed = PaymentStep.objects.filter(state="confirmed").count()
        words = (
            ("revisions", hands, self.model.news()),
            ("closings", events.get(EventKind.NIGHT_CLOSED, 0), closings),
            ("payments", events.get(EventKind.PAYMENT_CONFIRMED, 0), confirmed),
        )
        rows = (("rows of closings", Closing.objects.count(), closings),)
        for what, there, happened in (*words, *rows) if self._receiver_listens() else rows:
            if there != happened:
                raise MismatchError(f"{there} of {happened} {what}")
        posts = ChatPost.objects.exclude(closing=None).count()
        quiet = sum(night.quiet for night in self.model.nights.values())
        if not closings - quiet <= posts <= closings:
            raise MismatchError(f"{posts} of {closings} chats, {quiet} of them for empty nights")
        for what, confirmed, happened in words:
            if confirmed > happened:
                raise MismatchError(f"{confirmed} of {happened} {what}")

    def _receiver_listens(self) -> bool:
        """Return whether the webhook is enabled. It is disabled after failing for days."""
        receiver = Webhook.objects.get()
        if receiver.disabled_at is None:
            return True
        since = receiver.failing_since
        if since is None or receiver.disabled_at - since < delivery.DISABLE_AFTER:
            raise MismatchError(f"a receiver that fails since {since} was switched off")
        return False

    def _everybody_was_told(self) -> None:
        """Check that all messages arrived, and that only faults caused repeated messages."""
        outside = self.evening.outside
        if waiting := self.waiting():
            raise MismatchError(f"pending work: {waiting}")
        events = Delivery.objects.filter(outcome=Delivery.Outcome.DELIVERED)
        for key in events.values_list("event_id", flat=True):
            name = f"webhook {Event.objects.get(pk=key).id}"
            if not outside.confirmed[name]:
                raise MismatchError(f"{name} was not delivered")
        given_up = Delivery.objects.exclude(outcome=Delivery.Outcome.DELIVERED).count()
        if given_up and self._receiver_listens():
            raise MismatchError(f"{given_up} events were given up")
        others = [key for key, bodies in outside.bodies.items() if len(bodies) > 1]
        if others:
            raise MismatchError(f"{others} arrived with different bodies")
        self._is_told_once()

    def _is_told_once(self) -> None:
        outside = self.evening.outside
        again = {key: number - 1 for key, number in outside.confirmed.items() if number > 1}
        chats = sum(number for key, number in outside.received.items() if key.startswith("chat"))
        again = {key: number for key, number in again.items() if not key.startswith("chat")}
        if sum(again.values()) > self.evening.service.database.all_struck:
            raise MismatchError(f"delivered more than once without a fault: {again}")
        posts = dict(ChatPost.objects.order_by().values_list("outcome").annotate(Count("id")))
        sure = posts.get(ChatPost.Outcome.DELIVERED, 0)
        if not sure <= chats <= sure + posts.get(ChatPost.Outcome.UNSURE, 0):
            raise MismatchError(f"the chat has {chats} posts; the service recorded {posts}")
        # A message that is sent again has the same key.
        listens = self._receiver_listens()
        for kind, rows in (("mail", OutgoingMail), ("webhook", Delivery)):
            received = sum(1 for key in outside.received if key.startswith(kind))
            written, is_off = rows.objects.count(), kind == "webhook" and not listens
            if received > written or (received < written and not is_off):
                raise MismatchError(f"{received} came by {kind}, of {written}")

    def _payments_settle_tabs(self) -> None:
        """Check that the unpaid payments add up to the tabs, once all nights are closed."""
        if self.model.open_nights():
            return
        due: Counter[str] = Counter()
        for planned in unpaid():
            for player, sign in ((planned.payee_id, 1), (planned.payer_id, -1)):
                due[f"tab:{self.evening.names[str(player)]}"] += sign * chips_left(planned)
        expected, tabs = {key: chips for key, chips in due.items() if chips}, self.model.accounts()
        if expected != tabs:
            raise MismatchError(f"the payments add up to {expected} instead of {tabs}")

    def _planned_nights_are_filled(self) -> None:
        for planned in self.model.answers:
            body = self.evening.read(f"/api/v1/planned-nights/{planned}").json()
            seated = [self.evening.names[each["player"]] for each in body["seated"]]
            if seated != (expected := self.model.seated(planned, SEATS)):
                raise MismatchError(f"{seated} have seats instead of {expected}")

    def _dashboards_know_all(self) -> None:
        """Check that a follower of a feed has the same rows as a new reader."""
        evening = self.evening
        evening.replica.catch_up()
        for follower in evening.followers:
            follower.read_all(evening.service)
        evening.replica.go_away()
        for follower in evening.followers:
            anew = follower.anew()
            anew.read_all(evening.service)
            followed, there = follower.as_of_now(), anew.as_of_now()
            if followed != there:
                missed, beyond = _beyond(there, followed), _beyond(followed, there)
                raise MismatchError(
                    f"a follower of {follower.feed} lacks {missed} and has {beyond}"
                )

    def _is_counted_right(self) -> None:
        counted = tallies()
        rebuild(League.objects.get().pk)
        if StatsState.objects.filter(differences__gt=0).exists():
            raise MismatchError("a check of the stats found differences")
        if counted != tallies():
            raise MismatchError(f"the stats are {counted}, and {tallies()} after a rebuild")


def _compared(model: Model, actual: Snapshot) -> list[tuple[str, Any, Any]]:
    payments = {key: payment.state for key, payment in model.payments.items()}
    return [
        ("chips", actual.accounts, model.accounts()),
        ("hands", actual.hands, model.hands()),
        ("open nights", actual.open_nights, model.open_nights()),
        ("nights", actual.nights, set(model.nights)),
        ("payments", actual.payments, payments),
        ("rows", actual.rows, model.rows),
        ("objections", actual.objections, model.answered_objections()),
        ("answers", actual.answers, model.given_answers()),
        ("seats", actual.seats, model.seats()),
        ("side bets", actual.bets, {key: bet.kind for key, bet in model.bets.items()}),
        ("house rules", actual.rules, model.rules),
        ("settings", actual.settings, model.settings),
    ]


def _beyond(these: Any, others: Any) -> Any:
    """Return the items that are only in the first collection."""
    if isinstance(these, set):
        return these - others
    return {key: each for key, each in these.items() if others.get(key) != each}


def tallies() -> list[Any]:
    """Return each player's counted stats in each game."""
    # Hands with and without a verdict have a row each, so only whole rows are in a fixed order.
    rows = PlayerTally.objects.order_by()
    return sorted(rows.values_list("night", "player", "game", "hands", "net", "won"))

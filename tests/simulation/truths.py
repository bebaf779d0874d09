"""What must be true of the service after each step of an evening, and when it has come to rest."""

from typing import TYPE_CHECKING, Any

from django.db.models import Count

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
from league.stats.update.count import rebuild
from league.webhooks import delivery
from tests.simulation import seen
from tests.simulation.model import Model
from tests.simulation.plans import SEATS
from tests.simulation.seen import Seen

if TYPE_CHECKING:
    from tests.simulation.evening import Evening


class Wrong(AssertionError):
    """What is true of the model is not true of the service."""


class Truths:
    """Compares an evening with its model. Everything raises Wrong."""

    def __init__(self, evening: "Evening") -> None:
        self.evening = evening
        # What phones were shown, by night and version: the same version shows the same.
        self.shown: dict[tuple[str, int], Any] = {}

    @property
    def model(self) -> Model:
        return self.evening.model

    def fits(self, model: Model, found: Seen) -> bool:
        """Return whether this equals the model."""
        return not any(real != known for _, real, known in _compared(model, found))

    def check(self) -> None:
        """Every chip is where the model has it, and all that was written is there once."""
        for what, real, known in _compared(self.model, seen.look(self.evening.names)):
            if real != known:
                raise Wrong(f"{what}: {_beyond(real, known)}; the model: {_beyond(known, real)}")
        if heard := self.evening.service.heard.records:
            raise Wrong(f"the service has logged {heard}")

    def audit(self) -> None:
        if findings := audit():
            raise Wrong(f"the audit finds {findings}")

    def phone_shows(self, night: str) -> None:
        """A phone that looks sees the model's chips, and what others saw of the same version."""
        known, path = self.model.nights[night], f"/api/v1/nights/{night}"
        version = NightRow.objects.values_list("version", flat=True).get(pk=night)
        body = self.evening.read(path).json()
        stacks = {self.evening.names[each["player"]]: each["stack"] for each in body["seats"]}
        there = known.stacks()
        expected = {name: 0 if known.closed else there[name] for name in stacks}
        if stacks != expected or (body["state"] == "closed") != known.closed:
            raise Wrong(f"a phone is shown {stacks} ({body['state']}) instead of {expected}")
        before = self.shown.setdefault((night, version), body)
        if before != body:
            raise Wrong(f"version {version} of night {night} is {before}, and then {body}")

    def at_rest(self) -> None:
        """Check that all messages were sent, all hands counted, and phones show the
        current state.
        """
        self._events_are_there()
        self._everybody_was_told()
        self._planned_nights_are_filled()
        self._is_counted_right()
        self._dashboards_know_all()
        self.audit()
        for night, known in self.model.nights.items():
            self.phone_shows(night)
            path = f"/api/v1/nights/{night}/hands?page_size=200"
            shown = [each["id"] for each in self.evening.read(path).json()["results"]]
            if sorted(shown) != sorted(known.hands):
                raise Wrong(f"a phone is shown the hands {shown}")

    def waiting(self, *also: type[QueuedJob]) -> dict[str, int]:
        """Return how much of each kind of work waits to be done, where any does."""
        kinds = (Delivery, PushMessage, OutgoingMail, ChatPost, *also)
        found = {each.__name__: each.objects.filter(done_at=None).count() for each in kinds}
        return {name: number for name, number in found.items() if number}

    def _events_are_there(self) -> None:
        """Each revision, closing and confirmation has left word, once."""
        counted = Event.objects.order_by().values_list("kind").annotate(Count("id"))
        found = dict(counted)
        hands = sum(number for kind, number in found.items() if kind.startswith("hand."))
        closings = sum(night.closings for night in self.model.nights.values())
        confirmed = PaymentStep.objects.filter(state="confirmed").count()
        words = (
            ("revisions", hands, self.model.news()),
            ("closings", found.get(EventKind.NIGHT_CLOSED, 0), closings),
            ("payments", found.get(EventKind.PAYMENT_CONFIRMED, 0), confirmed),
        )
        rows = (
            ("rows of closings", Closing.objects.count(), closings),
            ("chats", ChatPost.objects.exclude(closing=None).count(), closings),
        )
        for what, there, happened in (*words, *rows) if self._receiver_listens() else rows:
            if there != happened:
                raise Wrong(f"{there} of {happened} {what}")
        for what, told, happened in words:
            if told > happened:
                raise Wrong(f"{told} of {happened} {what}")

    def _receiver_listens(self) -> bool:
        """Return whether the receiver is called: one that has failed for days is disabled."""
        receiver = Webhook.objects.get()
        if receiver.disabled_at is None:
            return True
        since = receiver.failing_since
        if since is None or receiver.disabled_at - since < delivery.SWITCH_OFF_AFTER:
            raise Wrong(f"a receiver that fails since {since} was switched off")
        return False

    def _everybody_was_told(self) -> None:
        """Nothing waits; what is said to have arrived has, and twice only after a fault."""
        outside = self.evening.outside
        if waiting := self.waiting():
            raise Wrong(f"these wait: {waiting}")
        events = Delivery.objects.filter(outcome=Delivery.Outcome.DELIVERED)
        for key in events.values_list("event_id", flat=True):
            name = f"webhook {Event.objects.get(pk=key).id}"
            if not outside.told[name]:
                raise Wrong(f"nobody was told of {name}")
        given_up = Delivery.objects.exclude(outcome=Delivery.Outcome.DELIVERED).count()
        if given_up and self._receiver_listens():
            raise Wrong(f"{given_up} events were given up")
        others = [key for key, bodies in outside.bodies.items() if len(bodies) > 1]
        if others:
            raise Wrong(f"{others} came in other words")
        self._is_told_once()

    def _is_told_once(self) -> None:
        outside = self.evening.outside
        again = {key: number - 1 for key, number in outside.told.items() if number > 1}
        chats = sum(number for key, number in outside.came.items() if key.startswith("chat"))
        again = {key: number for key, number in again.items() if not key.startswith("chat")}
        if sum(again.values()) > self.evening.service.database.all_struck:
            raise Wrong(f"told more than once, for no fault: {again}")
        posts = dict(ChatPost.objects.order_by().values_list("outcome").annotate(Count("id")))
        sure = posts.get(ChatPost.Outcome.DELIVERED, 0)
        if not sure <= chats <= sure + posts.get(ChatPost.Outcome.UNSURE, 0):
            raise Wrong(f"the chat has {chats} posts, and is said to have {posts}")
        # Each under one name, however often it came.
        listens = self._receiver_listens()
        for kind, rows in (("mail", OutgoingMail), ("webhook", Delivery)):
            came = sum(1 for key in outside.came if key.startswith(kind))
            written, is_off = rows.objects.count(), kind == "webhook" and not listens
            if came > written or (came < written and not is_off):
                raise Wrong(f"{came} came by {kind}, of {written}")

    def _planned_nights_are_filled(self) -> None:
        for planned in self.model.answers:
            body = self.evening.read(f"/api/v1/planned-nights/{planned}").json()
            seated = [self.evening.names[each["player"]] for each in body["seated"]]
            if seated != (expected := self.model.seated(planned, SEATS)):
                raise Wrong(f"{seated} have seats instead of {expected}")

    def _dashboards_know_all(self) -> None:
        """Who has followed a feed, from wherever it was read, knows what who begins now does."""
        evening = self.evening
        evening.replica.catch_up()
        for each in evening.followers:
            each.read_all(evening.service)
        evening.replica.go_away()
        for each in evening.followers:
            anew = each.anew()
            anew.read_all(evening.service)
            known, there = each.as_of_now(), anew.as_of_now()
            if known != there:
                missed, beyond = _beyond(there, known), _beyond(known, there)
                raise Wrong(f"who follows {each.feed} lacks {missed} and believes {beyond}")

    def _is_counted_right(self) -> None:
        counted = tallies()
        rebuild(League.objects.get().pk)
        if StatsState.objects.filter(differences__gt=0).exists():
            raise Wrong("a check of the stats has found and mended something")
        if counted != tallies():
            raise Wrong(f"the stats say {counted}, and {tallies()} counted anew")


def _compared(model: Model, found: Seen) -> list[tuple[str, Any, Any]]:
    payments = {key: payment.state for key, payment in model.payments.items()}
    return [
        ("chips", found.accounts, model.accounts()),
        ("hands", found.hands, model.hands()),
        ("open nights", found.open_nights, model.open_nights()),
        ("nights", found.nights, set(model.nights)),
        ("payments", found.payments, payments),
        ("rows", found.rows, model.rows),
        ("answers", found.answers, model.said()),
    ]


def _beyond(these: Any, others: Any) -> Any:
    """Return what only these have."""
    if isinstance(these, set):
        return these - others
    return {key: each for key, each in these.items() if others.get(key) != each}


def tallies() -> list[Any]:
    """Return what is counted of every player at every game."""
    rows = PlayerTally.objects.order_by("night", "player", "game")
    return list(rows.values_list("night", "player", "game", "hands", "net", "won"))

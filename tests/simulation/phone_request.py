"""A request that a phone repeats until there is a response, and its effect on the model."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.simulation.beginning import NAMES, League
from tests.simulation.model import Model
from tests.simulation.snapshot import Snapshot

Effect = Callable[[Model, Snapshot], None]
Allowed = Callable[[Model], bool | None]


@dataclass(eq=False, kw_only=True)
class PhoneRequest:
    """A request from a phone.

    `effect` changes the model. `rows` are the ids of rows other than hands that the request writes.
    `is_allowed` returns whether the service must accept the request (True), must reject it (False),
    or may do either (None). `is_used_up` returns whether the request's key is used up, so it has no
    effect later. With `header`, the key is sent as Idempotency-Key, because the body has no id.
    With `is_form`, the body is sent as a page's form by the host. With `by_bob`, it is sent by bob,
    who is a player and not a host.
    """

    kind: str
    path: str
    body: Any
    key: str
    effect: Effect
    is_allowed: Allowed = lambda _: None
    is_used_up: Callable[[Model], bool] = lambda _: True
    header: bool = False
    by_host: bool = True
    by_bob: bool = False
    method: str = "POST"
    is_form: bool = False

    def apply(self, model: Model, snapshot: Snapshot) -> None:
        """Apply the accepted request's effect to the model."""
        if self.is_used_up(model):
            model.done.add(self.key)
        self.effect(model, snapshot)


@dataclass
class Maker:
    """Creates random requests with known rows' ids or with new ids."""

    league: League
    chance: Random = field(default_factory=Random)
    nights: list[str] = field(default_factory=list)
    hands: list[tuple[str, str]] = field(default_factory=list)
    exchanges: dict[str, tuple[str, str]] = field(default_factory=dict)
    charges: dict[str, tuple[str, dict[str, int]]] = field(default_factory=dict)
    objections: dict[str, tuple[str, str]] = field(default_factory=dict)
    planned: list[str] = field(default_factory=list)
    tournaments: dict[str, str] = field(default_factory=dict)

    def id(self) -> str:
        digits = f"{self.chance.getrandbits(128):032x}"
        parts = digits[:8], digits[8:12], f"4{digits[13:16]}", f"8{digits[17:20]}", digits[20:]
        return "-".join(parts)

    def night(self) -> str:
        """Return the current night, or sometimes an earlier one."""
        return self._latest(self.nights)

    def planned_night(self) -> str:
        """Return the next planned night, or sometimes an earlier one."""
        return self._latest(self.planned)

    def _latest(self, ids: list[str]) -> str:
        return ids[-1] if self.chance.random() < 0.8 else self.chance.choice(ids)

    def name(self) -> str:
        return self.chance.choice(NAMES)

    def one_of(self, things: Any) -> Any:
        """Return a random item, or None if empty. The choice is reproducible for sets."""
        there = sorted(things)
        return self.chance.choice(there) if there else None


def at_open(night: str) -> Allowed:
    return lambda model: night in model.open_nights()


def never_closed(night: str) -> Allowed:
    """Return a rule: rejected in a closed night, accepted or rejected in an open one."""
    return lambda model: None if night in model.open_nights() else False

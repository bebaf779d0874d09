"""What the deal leaves in each zone: how many cards a player may hold at the end."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.game.game import Range
from rules.game.steps import Step


@dataclass
class Zones:
    """The fewest and the most cards of each zone, step by step."""

    least: dict[str, int] = field(default_factory=lambda: {"down": 0, "up": 0})
    most: dict[str, int] = field(default_factory=lambda: {"down": 0, "up": 0})
    piles: dict[str, int] = field(default_factory=dict)
    turned: int | None = None
    extra_cards: frozenset[int] = frozenset()

    @property
    def down(self) -> Range:
        return Range(max(self.least["down"], 0), max(self.most["down"], 0))

    @property
    def up(self) -> Range:
        return Range(max(self.least["up"], 0), max(self.most["up"], 0))

    @property
    def together(self) -> int:
        """The most cards that one player may hold at once, cards earned apart."""
        if self.turned is not None:
            return self.turned
        dealt = self.most["down"] + self.most["up"] - 2 * len(self.extra_cards)
        return dealt + sum(self.piles.values())

    def add(self, zone: str, least: int, most: int) -> None:
        self.least[zone] += least
        self.most[zone] += most


def count_zones(steps: Iterable[Step]) -> Zones:
    zones = Zones()
    for step in steps:
        count_step(zones, step)
    return zones


def count_step(zones: Zones, step: Step) -> None:
    if step.verb in COUNTERS:
        COUNTERS[step.verb](zones, step)


def _deal(zones: Zones, step: Step) -> None:
    if step.zone.startswith("pile "):
        pile = step.zone.removeprefix("pile ")
        zones.piles[pile] = zones.piles.get(pile, 0) + step.least
    else:
        zones.add(step.zone, step.least, step.most)


def _discard(zones: Zones, step: Step) -> None:
    touched = ("down", "up") if step.zone == "any" and zones.most["up"] else (step.zone or "down",)
    if step.place:  # of a rank that lies on the board: none, or all that are held
        zones.least.update((zone, 0) for zone in touched if zone != "any")
        return
    for zone in touched:
        kept_for_other = 0 if len(touched) > 1 else step.least
        zones.add("down" if zone == "any" else zone, -step.most, -kept_for_other)


def _exchange(zones: Zones, step: Step) -> None:
    """Cards drawn replace those thrown away, but for what `plus` or `less` says."""
    zone = step.zone if step.zone in {"down", "up"} else "down"
    always = step.change if step.least else 0
    zones.add(zone, min(step.change, always), max(step.change, always))


def _more(zones: Zones, step: Step) -> None:
    """Cards that come on top, from the deck or the table."""
    zones.add(step.zone, step.least, step.most)


def _bid(zones: Zones, step: Step) -> None:
    """What is bid for goes to one player alone, or stays."""
    if step.place:
        zones.add(step.zone, 0, len(step.place.slots))


def _turn(zones: Zones, step: Step) -> None:
    zones.add("down", -step.most, -step.least)
    zones.add("up", step.least, step.most)


def _turn_until(zones: Zones, step: Step) -> None:
    dealt = zones.most["down"] - len(zones.extra_cards)  # earned by one player, not by each
    zones.turned = dealt
    zones.least["down"] = 0
    zones.most["up"] += dealt


def _earn(zones: Zones, step: Step) -> None:
    """A card for each of a rank that is turned up; said after every street, it is one rule."""
    cards = frozenset(c for rank in step.ranks for c in range(4 * rank, 4 * rank + 4))
    more = len(cards - zones.extra_cards)
    zones.extra_cards |= cards
    zones.most["down"] += more
    zones.most["up"] += more


def _set(zones: Zones, step: Step) -> None:
    laid = {pile: int(number) for pile, number in map(str.split, step.word.split(", "))}
    zones.piles.update(laid)
    number = sum(laid.values())
    if step.zone != "any":
        zones.add("down", -number, -number)
        return
    left = zones.most["down"] + zones.most["up"] - number  # how many of each, the player decides
    for zone in ("down", "up"):
        zones.least[zone] -= number
        zones.most[zone] = min(zones.most[zone], left)


COUNTERS = {
    "deal": _deal,
    "discard": _discard,
    "draw": _exchange,
    "buy": _exchange,
    "turn": _turn,
    "turn until": _turn_until,
    "earn": _earn,
    **dict.fromkeys(("extra", "hit", "take", "push"), _more),
    "bid": _bid,
    "set": _set,
}

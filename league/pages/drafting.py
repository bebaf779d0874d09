"""What a half-written game comes to: every fault, or how it would be played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from league.house_games import Reading, read
from league.models import League
from league.pages.rulings import Rules, rules_of
from league.pages.verdict import View, view
from league.sample_deals import sample_deals
from rules import forms
from rules.faults import Fault

MOST_NAMES = 4
HIGHEST_SEED = 10**6


@dataclass(frozen=True, slots=True)
class Asked:
    """What the recording form asks: cards of each player, rows of the board, fists, choices."""

    zones: list[tuple[str, range, range]]
    board: list[range]
    fists: list[str]
    options: list[tuple[str, list[str]]]


@dataclass(frozen=True, slots=True)
class Draft:
    """A game as it is being written; without a text nothing is said of it yet."""

    text: str
    seed: int = 1
    faults: list[Fault] = field(default_factory=list)
    rules: Rules | None = None
    asked: Asked | None = None
    deals: list[View] = field(default_factory=list)

    @property
    def next_seed(self) -> int:
        return self.seed % HIGHEST_SEED + 1


def drafted(league: League, text: str, seed: str = "") -> Draft:
    """Return what is wrong with the text or, when nothing is, how the game plays."""
    number = int(seed) if seed.isdecimal() and len(seed) < 7 else 1
    if not text.strip():
        return Draft(text)
    reading = read(text)
    if reading.faults:
        return Draft(text, number, sorted(reading.faults, key=lambda fault: fault.line or 0))
    return _playing(league, reading, number)


def _playing(league: League, reading: Reading, seed: int) -> Draft:
    names = list(league.players.order_by("name").values_list("name", flat=True)[:MOST_NAMES])
    deals = sample_deals(reading.document, names=names, seed=seed)
    return Draft(
        text=reading.text,
        seed=seed,
        rules=rules_of(reading.document),
        asked=_asked(forms.form(reading.document)),
        deals=[view(record, answer) for record, answer in deals],
    )


def _asked(form: Mapping[str, Any]) -> Asked:
    return Asked(
        zones=[
            (zone, range(form[zone]["least"]), range(form[zone]["least"], form[zone]["most"]))
            for zone in ("down", "up")
            if form[zone]["most"]
        ],
        board=[range(len(row["slots"])) for row in form["board"]],
        fists=list(form["declarations"]),
        options=[_option(option) for option in form["options"]],
    )


def _option(option: Mapping[str, Any]) -> tuple[str, list[str]]:
    name = str(option["name"]).replace("_", " ")
    choices: Sequence[Mapping[str, Any]] = option.get("choices", ())
    if choices:
        return name, [str(choice["name"]) for choice in choices]
    return name, [f"{option['least']} to {option['most']}"]

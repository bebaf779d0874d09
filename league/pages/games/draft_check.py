"""What a half-written game comes to: every fault, or how it would be played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from league.games import titles
from league.games.house_games import Reading, read
from league.games.rules_process import Busy
from league.hands.sample_deals import sample_deals
from league.models import League
from league.pages.games.game_rules import Rules, rules_of
from league.pages.parts.answer_view import View, view
from rules.errors import Problem, bad_game

MOST_NAMES = 4
HIGHEST_SEED = 10**6


@dataclass(frozen=True, slots=True)
class Asked:
    """What the form asks: cards of each player, rows of the board, declarations, choices."""

    zones: list[tuple[str, range, range]]
    board: list[range]
    declarations: list[str]
    options: list[tuple[str, list[str]]]


@dataclass(frozen=True, slots=True)
class Draft:
    """A game as it is being written; without a text nothing is said of it yet."""

    text: str
    seed: int = 1
    faults: list[Problem] = field(default_factory=list)
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
    try:
        reading = read(text)
    except Busy as busy:
        return Draft(text, number, [bad_game("", str(busy))])
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
        asked=_asked(reading.form),
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
        declarations=list(form["declarations"]),
        options=[_option(option) for option in form["options"]],
    )


def _option(option: Mapping[str, Any]) -> tuple[str, list[str]]:
    name, title = option["name"], titles.option(option["name"])
    choices: Sequence[Mapping[str, Any]] = option.get("choices", ())
    if choices:
        return title, [titles.choice(name, choice["name"]) for choice in choices]
    return title, [f"{option['least']} to {option['most']}"]

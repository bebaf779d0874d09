"""Nights of an import close only if every stack in the file follows from its hands."""

from dataclasses import dataclass
from typing import Any

import pytest

from league.imports.contents import ImportOptions, Source
from league.imports.execution import Report, record_plan
from league.imports.planning import plan
from league.integrity.audit import audit
from league.models import BuyIn, Line, Night
from league.nights.nights import stacks
from tests.helpers.league.leagues import a_league
from tests.helpers.rules.poker_now import log_of

pytestmark = pytest.mark.django_db

ANN, BOB = '"Ann @ aaaaaaaaaa"', '"Bob @ bbbbbbbbbb"'
# from a real log, with other names: hand 2 is run twice
NIGHT = [
    f"The player {ANN} joined the game with a stack of 100.",
    f"The player {BOB} joined the game with a stack of 100.",
    f"-- starting hand #1 (id: x1)  (No Limit Texas Hold'em) (dealer: {ANN}) --",
    f"Player stacks: #1 {ANN} (100) | #2 {BOB} (100)",
    f"{ANN} posts a small blind of 1",
    f"{BOB} posts a big blind of 2",
    f"{ANN} raises to 6",
    f"{BOB} folds",
    f"Uncalled bet of 4 returned to {ANN}",
    f"{ANN} collected 4 from pot",
    "-- ending hand #1 --",
    f"-- starting hand #2 (id: x2)  (No Limit Texas Hold'em) (dealer: {ANN}) --",
    f"Player stacks: #1 {ANN} (102) | #2 {BOB} (98)",
    f"{ANN} posts a small blind of 1",
    f"{BOB} posts a big blind of 2",
    f"{ANN} raises to 102 and go all in",
    f"{BOB} calls 98 and go all in",
    f"Uncalled bet of 4 returned to {ANN}",
    "All players in hand choose to run it twice.",
    f"{ANN} shows a A♣, A♦.",
    f"{BOB} shows a K♣, K♦.",
    "Flop:  [K♥, 7♦, 9♠]",
    "Turn: K♥, 7♦, 9♠ [J♦]",
    "River: K♥, 7♦, 9♠, J♦ [2♣]",
    "Flop (second run):  [K♠, 3♦, 4♠]",
    "Turn (second run): K♠, 3♦, 4♠ [8♦]",
    "River (second run): K♠, 3♦, 4♠, 8♦ [10♣]",
    f"{BOB} collected 98 from pot with Three of a Kind, K's (combination: K♣, K♦, K♥, J♦, 9♠)",
    f"{BOB} collected 98 from pot with Three of a Kind, K's on the second run (combination: K♣)",
    "-- ending hand #2 --",
    f"-- starting hand #3 (id: x3)  (No Limit Texas Hold'em) (dealer: {ANN}) --",
    f"Player stacks: #1 {ANN} (4) | #2 {BOB} (196)",
    f"{ANN} posts a small blind of 1",
    f"{BOB} posts a big blind of 2",
    f"{ANN} folds",
    f"Uncalled bet of 1 returned to {BOB}",
    f"{BOB} collected 2 from pot",
    "-- ending hand #3 --",
    f"The player {ANN} quits the game with a stack of 3.",
    f"The player {BOB} quits the game with a stack of 197.",
]


@dataclass(frozen=True)
class Imported:
    """A night after an import that asks for it to be closed."""

    report: Report
    night: Night
    bought: dict[str, int]
    nets: dict[str, int]

    @property
    def differences(self) -> list[tuple[str, str, int]]:
        found = self.report.differences
        return [(each.player, each.hand, each.stated - each.expected) for each in found]


def imported(*texts: str, **options: Any) -> Imported:
    league = a_league()
    chosen = ImportOptions(amounts="units", add_players=True, close=True, **options)
    sources = [Source(f"{place}.csv", "", text) for place, text in enumerate(texts)]
    report = Report()
    for _ in record_plan(league, plan(league, sources, chosen), report, options=chosen, by=None):
        pass
    night = Night.objects.get(season__league=league)
    bought: dict[str, int] = {}
    for each in BuyIn.objects.filter(night=night).select_related("player"):
        bought[each.player.name] = bought.get(each.player.name, 0) + each.chips
    nets = {}
    if night.state == Night.State.CLOSED:
        lines = Line.objects.filter(closing__night=night).select_related("player")
        nets = {line.player.name: line.chips - bought[line.player.name] for line in lines}
    assert audit(league) == []
    return Imported(report, night, bought, nets)


def test_night_with_hand_run_twice_closes_with_nets_of_log() -> None:
    """The log states what both had at the end: 3 and 197 of 100 each."""
    found = imported(log_of(NIGHT))
    assert found.report.refused == []
    assert found.night.state == Night.State.CLOSED
    assert found.bought == {"Ann": 100, "Bob": 100}
    assert found.nets == {"Ann": -97, "Bob": 97}


def test_refused_hand_keeps_night_open_and_is_no_purchase() -> None:
    """The chips that the hand moved are a difference at the next hand, by player."""
    lines = [line.replace("calls 98 and go all in", "calls with his eyes 98") for line in NIGHT]
    found = imported(log_of(lines))
    assert found.night.state == Night.State.OPEN
    assert found.bought == {"Ann": 100, "Bob": 100}
    assert found.differences == [("Ann", "3", -98), ("Bob", "3", 98)]
    assert {"does-not-add-up", "not-read", "kept-open"} >= {
        each.code for each in found.report.refused
    }
    chips = {
        seat.player.name: stacks(found.night)[seat.player_id] for seat in found.night.seats.all()
    }
    assert chips == {"Ann": 101, "Bob": 99}

"""Imported nights close only if every stack in the file follows from the hands."""

import os
from collections import Counter
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from league.closing.close import close_next
from league.common.text import tidy
from league.imports.contents import ImportOptions, Source
from league.imports.execution import Report, preview, record_plan
from league.imports.planning import plan
from league.integrity.audit import audit
from league.models import BuyIn, ClosingLine, League, Night
from league.nights.nights import stacks
from league.options import Options, choose
from rules.formats.files import convert, read_text
from tests.helpers.league.hand_files import hand, on
from tests.helpers.league.leagues import a_league
from tests.helpers.rules.changed_lines import one_line_changed
from tests.helpers.rules.poker_now import log_of
from tests.helpers.rules.poker_now_nights import a_night

pytestmark = pytest.mark.django_db

HANDS = int(os.environ.get("POKER_NOW_HANDS", "20000"))
ANN, BOB = '"Ann @ aaaaaaaaaa"', '"Bob @ bbbbbbbbbb"'
# from a real log, with the names changed; hand 2 is run twice
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
    """A night imported with the option to close it."""

    report: Report
    night: Night
    bought: dict[str, int]
    nets: dict[str, int]

    @property
    def differences(self) -> list[tuple[str, str, int]]:
        found = self.report.differences
        return [(each.player, each.hand, each.stated - each.expected) for each in found]


def report_of(league: League, sources: list[Source], options: ImportOptions) -> Report:
    report = Report()
    planned = plan(league, sources, options)
    for _ in record_plan(league, planned, report, options=options, by=None):
        pass
    assert audit(league) == []
    return report


def imported(*texts: str) -> Imported:
    league = a_league()
    options = ImportOptions(amounts="units", add_players=True, close=True)
    sources = [Source(f"{place}.csv", "", text) for place, text in enumerate(texts)]
    report = report_of(league, sources, options)
    night = Night.objects.get(season__league=league)
    bought: dict[str, int] = {}
    for each in BuyIn.objects.filter(night=night).select_related("player"):
        bought[each.player.name] = bought.get(each.player.name, 0) + each.chips
    nets = {}
    if night.state == Night.State.CLOSED:
        lines = ClosingLine.objects.filter(closing__night=night).select_related("player")
        nets = {line.player.name: line.chips - bought[line.player.name] for line in lines}
    return Imported(report, night, bought, nets)


def test_night_with_a_hand_run_twice_closes_with_the_nets_in_its_log() -> None:
    """According to the log, both players start with 100 chips and end with 3 and 197."""
    result = imported(log_of(NIGHT))
    assert result.report.refused == []
    assert result.night.state == Night.State.CLOSED
    assert result.bought == {"Ann": 100, "Bob": 100}
    assert result.nets == {"Ann": -97, "Bob": 97}


def test_refused_hand_keeps_the_night_open_and_adds_no_buy_in() -> None:
    """The rejected hand's chips appear as a difference at the next hand, for each player."""
    lines = [line.replace("calls 98 and go all in", "calls with his eyes 98") for line in NIGHT]
    result = imported(log_of(lines))
    assert result.night.state == Night.State.OPEN
    assert result.bought == {"Ann": 100, "Bob": 100}
    assert result.differences == [("Ann", "3", -98), ("Bob", "3", 98)]
    assert {"does-not-add-up", "not-read", "kept-open"} >= {
        each.code for each in result.report.refused
    }
    chips = {
        seat.player.name: stacks(result.night)[seat.player_id] for seat in result.night.seats.all()
    }
    assert chips == {"Ann": 101, "Bob": 99}


@pytest.mark.parametrize("close", [True, False])
def test_night_with_doubtful_hands_does_not_close_automatically(close: bool) -> None:
    """A league may close nights without a chip count, but not if their hands could be wrong."""
    league = a_league()
    choose(league, Options(uncounted="hands"))
    text = log_of([line for line in NIGHT if "collected 98" not in line])
    options = ImportOptions(amounts="units", add_players=True, close=close)
    report_of(league, [Source("0.csv", "", text)], options)
    with time_machine.travel(timezone.now() + timedelta(days=3)):
        while close_next(league.pk):
            pass
    night = Night.objects.get(season__league=league)
    assert (night.state, night.closing_job.asks) == (Night.State.OPEN, "in-doubt")


def ledger_of(ann: tuple[int, int], bob: tuple[int, int]) -> str:
    """Return PokerNow's ledger for the evening, with both players' buy-ins and final stacks."""
    rows = [("Ann", "aaaaaaaaaa", *ann), ("Bob", "bbbbbbbbbb", *bob)]
    lines = [
        f"{name},{id_},2026-02-13T18:00:00Z,2026-02-13T23:00:00Z,{bought},{left},0,{left - bought}"
        for name, id_, bought, left in rows
    ]
    head = "player_nickname,player_id,session_start_at,session_end_at,buy_in,buy_out,stack,net"
    return "\n".join([head, *lines, ""])


@pytest.mark.parametrize(
    ("ann", "bob", "state"),
    [
        ((100, 3), (100, 197), "closed"),
        ((100, 50), (100, 150), "open"),  # a different final stack
        ((90, 3), (100, 187), "open"),  # a buy-in lower than Ann's stack
    ],
)
def test_ledger_that_differs_from_its_log_keeps_the_night_open(
    ann: tuple[int, int], bob: tuple[int, int], state: str
) -> None:
    result = imported(log_of(NIGHT), ledger_of(ann, bob))
    assert result.night.state == state
    assert ("kept-open" in {refusal.code for refusal in result.report.refused}) == (state == "open")


# --- other formats ------------------------------------------------------------------------------


def two_hands(second: str) -> list[dict[str, Any]]:
    """Return two PHH hands. Ann wins 10 of 100 from Bob, and then both have the given stacks."""
    text = (
        hand(at=on(1, "21:00:00")),
        hand(at=on(1, "22:00:00"), bet=20).replace("100, 100", second),
    )
    read = [each for one in text for each in read_text(one, ".phh")]
    return [each.record for each in read if each.record is not None]


@pytest.mark.parametrize("target", ["phh", "ohh", "pokerstars", "records"])
def test_stacks_are_checked_in_files_of_every_format(target: str) -> None:
    """Tests all formats that contain the stacks before each hand."""
    for second, differs in (("110, 90", []), ("110, 190", [("bob", 100)]), ("100, 100", BOTH)):
        text, wrong = convert(two_hands(second), target)
        assert wrong == []
        league, options = a_league(), ImportOptions(add_players=True, close=True)
        sources = [Source(f"a.{target}s", "", text)]
        report = report_of(league, sources, options)
        states = set(Night.objects.filter(season__league=league).values_list("state", flat=True))
        assert [
            (difference.player, difference.stated - difference.expected)
            for difference in report.differences
        ] == differs
        assert states == {Night.State.OPEN if differs else Night.State.CLOSED}


BOTH = [("ann", -10), ("bob", 10)]


def test_gap_between_two_files_for_a_night_keeps_it_open() -> None:
    """Hands 2 and 3 are missing, so the next stacks do not follow from the first hand."""
    result = imported(log_of(NIGHT[:11]), log_of(NIGHT[30:]).replace("T18:", "T19:"))
    assert result.night.state == Night.State.OPEN
    assert result.differences == [("Ann", "3", -98), ("Bob", "3", 98)]


def test_unreadable_file_keeps_all_nights_open() -> None:
    """Hands in an unreadable file could belong to any night."""
    result = imported(log_of(NIGHT), "no hands")
    assert result.night.state == Night.State.OPEN
    assert result.report.differences == []


def test_rest_of_a_log_continues_its_night() -> None:
    """Existing hands also change the stacks, and their buy-ins are added only once."""
    league, options = a_league(), ImportOptions(amounts="units", add_players=True)
    report_of(league, [Source("a.csv", "", log_of(NIGHT[:30]))], options)
    closing = replace(options, close=True)
    found = report_of(league, [Source("a.csv", "", log_of(NIGHT))], closing)
    assert (found.recorded, found.known, found.refused) == (1, 2, [])
    night = Night.objects.get(season__league=league)
    assert night.state == Night.State.CLOSED
    assert sum(each.chips for each in BuyIn.objects.filter(night=night)) == 200


def test_rebuy_is_bought_but_returning_chips_are_not() -> None:
    """Ann goes bust and buys 50. Bob leaves with 200 and returns with 120 of them."""
    lines = [
        *NIGHT[:2],
        f"-- starting hand #1 (id: x1)  (No Limit Texas Hold'em) (dealer: {ANN}) --",
        f"Player stacks: #1 {ANN} (100) | #2 {BOB} (100)",
        f"{ANN} posts a small blind of 1",
        f"{BOB} posts a big blind of 2",
        f"{ANN} raises to 100 and go all in",
        f"{BOB} calls 100 and go all in",
        f"{ANN} shows a A♣, A♦.",
        f"{BOB} shows a K♣, K♦.",
        "Flop:  [K♥, 7♦, 9♠]",
        "Turn: K♥, 7♦, 9♠ [J♦]",
        "River: K♥, 7♦, 9♠, J♦ [2♣]",
        f"{BOB} collected 200 from pot with Three of a Kind, K's (combination: K♣, K♦, K♥)",
        "-- ending hand #1 --",
        f"The player {ANN} quits the game with a stack of 0.",
        f"The player {BOB} quits the game with a stack of 200.",
        f"The player {ANN} joined the game with a stack of 50.",
        f"The player {BOB} joined the game with a stack of 120.",
        f"-- starting hand #2 (id: x2)  (No Limit Texas Hold'em) (dealer: {ANN}) --",
        f"Player stacks: #1 {ANN} (50) | #2 {BOB} (120)",
        f"{ANN} posts a small blind of 1",
        f"{BOB} posts a big blind of 2",
        f"{ANN} folds",
        f"Uncalled bet of 1 returned to {BOB}",
        f"{BOB} collected 2 from pot",
        "-- ending hand #2 --",
    ]
    result = imported(log_of(lines))
    assert result.report.refused == []
    assert result.bought == {"Ann": 150, "Bob": 100}
    assert result.nets == {"Ann": -101, "Bob": 101}


def test_result_not_confirmed_by_a_later_line_keeps_the_night_open() -> None:
    """The log ends with a hand whose second run lacks a card, so only its result is known."""
    lines = [line for line in NIGHT[:30] if not line.startswith("River (second run)")]
    result = imported(log_of(lines))
    assert result.night.state == Night.State.OPEN
    [refused] = result.report.refused
    assert "the file doesn't contain the final stacks of Ann, Bob" in refused.text


# --- whole nights -------------------------------------------------------------------------------


def look_at(league: League, lines: list[str]) -> Report:
    options = ImportOptions(amounts="units", add_players=True, close=True)
    report = Report()
    for _ in preview(league, plan(league, [Source("a.csv", "", log_of(lines))], options), report):
        pass
    return report


def is_closed(report: Report) -> bool:
    """Return whether `close` would close all nights in the import."""
    return not any(night.open_reasons() for night, _ in report.nights)


def won(report: Report) -> dict[str, int]:
    total: Counter[str] = Counter()
    for night, _ in report.nights:
        total.update(night.won)
    return {name: chips for name, chips in total.items() if chips}


def check_changed(league: League, seed: int, hands: int, changes: int) -> Counter[str]:
    """Change one line of a night at a time. The night must stay open or keep the same chips."""
    chance, counted = Random(seed), Counter[str]()
    night = a_night(chance, hands)
    whole = look_at(league, night.lines)
    truth = {tidy(name): chips for name, chips in night.won.items()}
    reasons = [reason for each, _ in whole.nights for reason in each.open_reasons()]
    # the last hand may have been run twice
    assert all(reason.startswith("the final stacks") for reason in reasons)
    assert won(whole) == truth
    counted["whole open" if reasons else "whole closed"] += 1
    for _ in range(changes):
        what, lines = one_line_changed(chance, night.lines)
        report = look_at(league, lines)
        closed = is_closed(report)
        assert not closed or won(report) == truth, f"seed {seed}: {what}"
        counted[f"{what.partition(' ')[0]} {'closed' if closed else 'open'}"] += 1
    return counted


def test_night_with_one_changed_line_closes_correctly_or_stays_open() -> None:
    league = a_league()
    for seed in range(3):
        check_changed(league, seed, hands=8, changes=8)


@pytest.mark.scheduled
def test_nights_with_one_changed_line_close_correctly_or_stay_open() -> None:
    league, counted = a_league(), Counter[str]()
    for seed in range(HANDS // 50):
        counted += check_changed(league, seed, hands=10, changes=4)
    print(dict(counted))  # noqa: T201

"""Times the replay of hand histories relative to PokerKit on the same texts, in turns on one core.

    python bench/history.py [FILE.phh ...] [--hands 640] [--turns 7]

Without arguments, the benchmark uses the files next to the repository (see
tests/helpers/rules/hands.py), or generated hands: no-limit hold'em with a showdown, written as PHH.
Each file is used with all 24 permutations of its suits, so no text is read or replayed twice. After
a warm-up, each turn uses different texts.

Prints microseconds per hand and ratios, as the median of the turns with the spread, for three
tasks. The first is reading PHH (text to record; PokerKit: text to HandHistory). The second is
replaying the result to the last state and the chips won (PokerKit: iterating over all states of its
HandHistory). The third is both tasks together. The floor is the time that plain Python needs to
split the same actions and access one list item for each. Hands on which PokerKit fails are skipped
and counted.

The run fails unless both replays end with the same stacks, and with the stacks in the file, if any.
`REASONS` lists the exceptions. Times are processor times.
"""

import argparse
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pokerkit import HandHistory  # noqa: E402

from bench.turns import TURNS, Ratio, last_line, stay_on_one_core  # noqa: E402
from rules.formats.files import in_file_unit  # noqa: E402
from rules.formats.phh import (  # noqa: E402
    blind_is_short,
    read_phh,
    write_phh,
)
from rules.history import act, begin, replay_many  # noqa: E402
from rules.history.actions import write_cards  # noqa: E402
from tests.helpers.laws.histories import history  # noqa: E402
from tests.helpers.rules.hands import public_files  # noqa: E402

Record = dict[str, Any]
CARD = re.compile(r"([2-9TJQKA])([cdhs])(?=[2-9TJQKA?\"']|\b)")


def blind_was_short(record: Record) -> bool:
    """Return whether no player could post the largest blind. The stakes start at the button."""
    first = record["button"] + 1
    stacks = [*record["stacks"][first:], *record["stacks"][:first]]
    return blind_is_short(record["stakes"], stacks)


REASONS: dict[str, Callable[[Record], bool]] = {
    "the blind is short: a call is the whole blind here, what was posted in PokerKit "
    "(docs/decisions/0009-history.md)": blind_was_short,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/history.py", description=__doc__)
    parser.add_argument("file", nargs="*", type=Path)
    parser.add_argument("--hands", type=int, default=640, help="hands of our own making")
    parser.add_argument("--turns", type=int, default=TURNS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # PokerKit warns whenever it is given the card to deal
    stay_on_one_core()
    files = [path.read_text("utf-8") for path in options.file or public_files()]
    texts = [*in_all_suits(files)] or own_hands(options.hands)
    playable_texts = [text for text in texts if playable(text)]
    print(
        f"{len(playable_texts)} hands; "
        f"{len(texts) - len(playable_texts)} on which PokerKit fails are left out"
    )
    slices = [playable_texts[turn :: options.turns + 1] for turn in range(options.turns + 1)]
    _, *turns = [turn(some) for some in slices]
    print_ratios(turns)


# --- hands --------------------------------------------------------------------------------------


def in_all_suits(texts: Sequence[str]) -> Iterable[str]:
    """Return each text with all permutations of its suits, which are equivalent hands."""
    for suits in permutations("cdhs"):
        renamed = dict(zip("cdhs", suits, strict=True))
        for text in texts:
            yield CARD.sub(lambda card, to=renamed: card[1] + to[card[2]], text)


def own_hands(number: int) -> list[str]:
    return [write_phh([own_hand(seed)]) for seed in range(1, number + 1)]


def own_hand(seed: int) -> Record:
    """Return a hand in which all cards are shown, which PokerKit requires."""
    record = history(Random(seed), "no-limit-holdem")
    record = {k: v for k, v in record.items() if k not in {"modifiers", "options"}}
    record["stakes"] = {k: record["stakes"][k] for k in ("ante", "blinds", "min")}
    record["actions"] = [action for action in record["actions"] if " sm" not in action]
    table, problems = begin(record)
    if table is None:
        raise SystemExit(f"seed {seed}: {problems}")
    for action in record["actions"]:
        act(table, action)
    if table.left > 1:
        seats = [(at, table.seats[at]) for at in table.order if table.seats[at].live]
        record["actions"] += [f"p{at + 1} sm {write_cards(seat.down)}" for at, seat in seats]
    return record


def playable(text: str) -> bool:
    try:
        for _ in HandHistory.loads(text):
            pass
    except Exception as error:  # noqa: BLE001 - any error of a peer
        print(f"  PokerKit: {type(error).__name__}: {str(error)[:80]}")
        return False
    return True


# --- a turn -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    """Nanoseconds per hand for our and PokerKit's reading and replay, and for the floor."""

    ours: tuple[float, float]
    theirs: tuple[float, float]
    floor: float
    actions: float
    reasons: Counter[str]


def turn(texts: Sequence[str]) -> Turn:
    records, ours_read = timed(lambda: [read_phh(text)[0].record for text in texts], len(texts))
    answers, ours_played = timed(lambda: replay_many(records), len(texts))
    read, theirs_read = timed(lambda: [HandHistory.loads(text) for text in texts], len(texts))
    ended, theirs_played = timed(lambda: [_last(hand) for hand in read], len(texts))
    _, floor = timed(lambda: [split_and_touch(record) for record in records], len(texts))
    return Turn(
        (ours_read, ours_played),
        (theirs_read, theirs_played),
        floor,
        sum(len(record["actions"]) for record in records) / len(texts),
        Counter(filter(None, map(check, texts, records, answers, read, ended))),
    )


def timed(work: Callable[[], Any], hands: int) -> tuple[Any, float]:
    started = time.process_time_ns()
    result = work()
    return result, (time.process_time_ns() - started) / hands


def split_and_touch(record: Record) -> list[int]:
    """Do the minimum work for a replay in plain Python."""
    touched = [0] * 10
    for action in record["actions"]:
        touched[len(action.split()) % 10] += 1
    return touched


def _last(hand: HandHistory) -> list[Any]:
    state = None
    for state in hand:  # noqa: B007 - all states are created, the last one is used
        pass
    return list(state.stacks) if state else []


def check(text: str, record: Record, answer: Any, read: HandHistory, stacks: list[Any]) -> str:
    """Return why the final stacks differ, or an empty string if they are the same."""
    shown = in_file_unit(dict(answer), record)["finishing_stacks"]
    ours = dict(zip((player["name"] for player in record["players"]), shown, strict=True))
    players = read.players or [f"p{number}" for number in range(1, len(stacks) + 1)]
    ends = [stacks] if read.finishing_stacks is None else [stacks, read.finishing_stacks]
    if all(ours == dict(zip(players, map(float, end), strict=True)) for end in ends):
        return ""
    for reason, holds in REASONS.items():
        if holds(record):
            return reason
    raise SystemExit(f"{text}\nours {ours}, PokerKit and the file {ends} of {players}")


# --- results ------------------------------------------------------------------------------------


def print_ratios(turns: Sequence[Turn]) -> None:
    reasons = sum((turn.reasons for turn in turns), Counter[str]())
    for reason, count in reasons.items():
        print(f"{count} with a different result: {reason}")
    ratios = [
        _ratio("reading", [(turn.ours[0], turn.theirs[0]) for turn in turns]),
        _ratio("replay", [(turn.ours[1], turn.theirs[1]) for turn in turns]),
        _ratio("reading and replay", [(sum(turn.ours), sum(turn.theirs)) for turn in turns]),
    ]
    print(*ratios, sep="\n")
    floor, actions = median(turn.floor for turn in turns), median(turn.actions for turn in turns)
    print(f"{'only splitting the actions':34}{floor:12,.0f} ns   ({actions:.1f} actions a hand)")
    print(f"{'replay, in multiples of that':34}{ratios[1].ours / floor:12.1f} times")
    print("times as fast as PokerKit: " + last_line(ratios))


def _ratio(name: str, pairs: Sequence[tuple[float, float]]) -> Ratio:
    ours, theirs = (median(times) for times in zip(*pairs, strict=True))
    return Ratio(name, ours, theirs, tuple(them / us for us, them in pairs))


if __name__ == "__main__":
    main()

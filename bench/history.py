"""How fast hand histories are replayed, beside PokerKit on the same files, in one run on one core.

    python bench/history.py [FILE.phh ...] [--repeat 20] [--hands 200]

Without files, those beside the repository (see tests/helpers/rules/hands.py), or hands of our own
making by the generator of the tests: no-limit hold'em with four players, written as PHH.

Prints microseconds a hand and ratios for: reading PHH (text to record; PokerKit: text to
HandHistory); replaying what was read, to the last state and the chips won (PokerKit: iterating
over all states of its HandHistory); both together. Beside them a floor: what plain Python needs to
split the same actions and to touch one item of a list for each, nothing else. Hands on which
PokerKit fails are left out of the comparison and counted. Where a file has `finishing_stacks`, both
are compared with them. Times are those of the processor, the best of three runs.
"""

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

from pokerkit import HandHistory  # noqa: E402

from rules.formats.files import in_own_unit  # noqa: E402
from rules.formats.phh.exporter import write_phh  # noqa: E402
from rules.formats.phh.importer import read_phh  # noqa: E402
from rules.history import replay_many  # noqa: E402
from tests.helpers.laws.histories import history  # noqa: E402
from tests.helpers.rules.hands import public_files  # noqa: E402

RUNS = 3


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/history.py", description="Replay, timed")
    parser.add_argument("file", nargs="*", type=Path)
    parser.add_argument("--repeat", type=int, default=20, help="how often ours reads each file")
    parser.add_argument("--hands", type=int, default=200, help="hands of our own making")
    options = parser.parse_args()
    _keep_quiet_on_one_core()
    texts = [path.read_text("utf-8") for path in options.file or public_files()]
    texts = texts or own_hands(options.hands)
    kept = [text for text in texts if playable(text)]
    print(f"{len(kept)} hands; {len(texts) - len(kept)} on which PokerKit fails are left out")
    compare(kept, options.repeat)


def _keep_quiet_on_one_core() -> None:
    warnings.simplefilter("ignore")  # PokerKit warns of every card dealt as recorded
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def own_hands(number: int) -> list[str]:
    found = []
    seed = 0
    while len(found) < number:
        seed += 1
        record = history(Random(seed), "no-limit-holdem")
        record = {k: v for k, v in record.items() if k not in {"modifiers", "options"}}
        record["stakes"] = {k: record["stakes"][k] for k in ("ante", "blinds", "min")}
        found.append(write_phh([record]))
    return found


def playable(text: str) -> bool:
    try:
        for _ in HandHistory.loads(text):
            pass
    except Exception as error:  # noqa: BLE001 - whatever a peer raises
        print(f"  PokerKit: {type(error).__name__}: {str(error)[:80]}")
        return False
    return True


def compare(texts: Sequence[str], repeat: int) -> None:
    many = list(texts) * repeat
    records, ours_read = timed(lambda: [read_phh(text)[0].record for text in many], len(many))
    answers, ours_played = timed(lambda: replay_many(records), len(many))
    read, theirs_read = timed(lambda: [HandHistory.loads(text) for text in texts], len(texts))
    ended, theirs_played = timed(lambda: [_last(hand) for hand in read], len(texts))
    _check(texts, records, answers, ended)
    _, floor = timed(lambda: [split_and_touch(record) for record in records], len(many))
    print(f"{'microseconds a hand':28}{'ours':>10}{'PokerKit':>12}{'ratio':>10}")
    told = [
        ("reading", ours_read, theirs_read),
        ("replay", ours_played, theirs_played),
        ("reading and replay", ours_read + ours_played, theirs_read + theirs_played),
    ]
    for name, ours, theirs in told:
        print(f"{name:28}{ours:10.1f}{theirs:12.1f}{theirs / ours:9.1f}x")
    actions = sum(len(record["actions"]) for record in records) / len(many)
    print(f"{'splitting the actions alone':28}{floor:10.1f}   ({actions:.1f} actions a hand)")
    print(f"{'replay above that':28}{ours_played / floor:10.1f} times")


def split_and_touch(record: Any) -> list[int]:
    """The least that a replay in plain Python does with a hand."""
    touched = [0] * 10
    for action in record["actions"]:
        touched[len(action.split()) % 10] += 1
    return touched


def timed(work: Callable[[], Any], hands: int) -> tuple[Any, float]:
    """What the work gives, and its microseconds a hand in the best of the runs."""
    seconds, found = [], None
    for _ in range(RUNS):
        started = time.process_time()
        found = work()
        seconds.append(time.process_time() - started)
    return found, 1e6 * min(seconds) / hands


def _last(hand: HandHistory) -> list[Any]:
    state = None
    for state in hand:  # noqa: B007 - every state is made, the last one counts
        pass
    return list(state.stacks) if state else []


def _check(texts: Sequence[str], records: Any, answers: Any, ended: Any) -> None:
    """Who agrees with the file, and with each other."""
    told = ours = theirs = same = 0
    for text, record, answer, stacks in zip(texts, records, answers, ended, strict=False):
        shown = in_own_unit(dict(answer), record)["finishing_stacks"]
        same += shown == [float(chips) for chips in stacks]
        expected = HandHistory.loads(text).finishing_stacks
        if expected is not None:
            told += 1
            ours += shown == [float(chips) for chips in expected]
            theirs += list(stacks) == list(expected)
    print(f"finishing stacks told: {told}; ours come to {ours} of them, PokerKit's to {theirs}")
    print(f"both come to the same on {same} of {len(texts)}")


if __name__ == "__main__":
    main()

"""Time the settlement of hands, in turns with PokerKit and with bare JSON parsing.

    python bench/settle.py [--hands 4000] [--lines 10000] [--turns 7] [--seed 1] [--game SLUG ...]

Runs on one core and in one process, each variant once per turn. Prints medians of the turns, with
the lowest and the highest value in brackets. Times are processor times, except for the import's
wall time.

* Texas Hold'em and Omaha-8 with four players who all stay for 120 chips: `settle_many` (brief),
  `settle` of one record (brief, and complete with the story), and PokerKit in two ways. With
  states, the hand is played in a PokerKit state (NoLimitTexasHoldem,
  FixedLimitOmahaHoldemHighLowSplitEightOrBetter): all cards are dealt as recorded, all players
  call and check to the end, and every automation is on. With evaluators, which is the minimum,
  `from_game` evaluates each player's hand, and our own code compares the hands and splits the pot.
* Lines of JSON with hands of all games, including those of `tests/vectors`, from bytes to bytes as
  in `python -m rules settle --brief`. Times are relative to `orjson.loads` of each line, keeping
  the results and without garbage collection, which is the lower bound of any reader. Without
  orjson, they are relative to `json.loads`.
* `settle` (complete) of a record of each game in the catalog, and `settle_many` (brief) of many.
* The import of `rules` in a new process.

The run fails if two variants give different chips or answers. Its last line contains the ratios.
PokerKit is one of the tests' requirements.
"""

import argparse
import importlib
import json
import subprocess
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

# allows running the benchmark as a file or as a module, from any folder
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.mixed_lines import differing, mixed_lines, settled_lines  # noqa: E402
from bench.peer_hands import PEERS, Peer, four_players  # noqa: E402
from bench.turns import Work, all_by_turns, stay_on_one_core  # noqa: E402
from rules import settle, settle_many  # noqa: E402
from rules.documents import catalog  # noqa: E402
from tests.helpers.laws.records import record as random_record  # noqa: E402

PEER_HANDS = 60
SINGLES = 200
# a sample, because the catalog has hundreds of games
GAMES, RECORDS_A_GAME, TURNS_A_GAME = 40, 30, 3
COMPARED_LINES = 2_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/settle.py", description="Settle, timed")
    parser.add_argument("--hands", type=int, default=4_000)
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", action="append", help="time these games, and no sample of all")
    options = parser.parse_args()
    # PokerKit warns about every card that is not from the top of its deck
    warnings.filterwarnings("ignore", message="A card being dealt")
    stay_on_one_core()
    report = [compare(peer, options.hands, options.turns, Random(options.seed)) for peer in PEERS]
    report.append(lines(options.lines, options.turns, Random(options.seed)))
    games = options.game or Random(options.seed).sample(catalog.slugs(), GAMES)
    report.append(each_game(games, options.turns, Random(options.seed)))
    print(f"\nimport of rules in a fresh process: {import_time():.2f} s (median of 5)")
    print(f"\n{'; '.join(report)}")


# --- PokerKit -----------------------------------------------------------------------------------


def compare(peer: Peer, hands: int, turns: int, chance: Random) -> str:
    records = [four_players(peer, chance) for _ in range(hands)]
    few, singles = records[:PEER_HANDS], records[:SINGLES]
    answers = settle_many(records, brief=True)
    ours = [list(answer["won"].values()) for answer in answers[: len(few)]]
    for name, play in (("states", peer.states), ("evaluators", peer.evaluators)):
        if [play(record) for record in few] != ours:
            raise SystemExit(f"PokerKit's {name} and settle_many differ on {peer.game}")
    times = all_by_turns(
        {
            "PokerKit, states": Work(lambda: [peer.states(record) for record in few], len(few)),
            "PokerKit, evaluators": Work(lambda: [peer.evaluators(r) for r in few], len(few)),
            "settle": Work(lambda: [settle(r, brief=True) for r in singles], len(singles)),
            "settle, with story": Work(lambda: [settle(r) for r in singles], len(singles)),
            "settle_many": Work(lambda: settle_many(records, brief=True), hands),
        },
        turns,
    )
    print(f"\n{peer.game}, four players, {turns} turns, microseconds a hand:")
    for name, measured in times.items():
        ratio = measured.over(times["settle_many"])
        print(f"  {name:22} {measured.middle / 1_000:10,.1f}   {ratio} times settle_many")
    states, one = times["PokerKit, states"], times["settle, with story"]
    ratio = states.over(times["settle_many"]).middle
    return (
        f"{peer.game}: `settle_many` is {ratio:.0f} times as fast as PokerKit's states, `settle`"
        f" with its story takes {one.middle / 1_000:.0f} µs"
    )


# --- lines of JSON ------------------------------------------------------------------------------


def lines(count: int, turns: int, chance: Random) -> str:
    sent = mixed_lines(count, chance)
    if wrong := differing(sent[:COMPARED_LINES], settled_lines(b"\n".join(sent[:COMPARED_LINES]))):
        raise SystemExit(f"{wrong} lines are not answered as by settle")
    floor, loads = _floor()
    whole, records = b"\n".join(sent), [json.loads(line) for line in sent]
    times = all_by_turns(
        {
            floor: Work(lambda: [loads(line) for line in sent], count),
            "settle_many": Work(lambda: settle_many(records, brief=True), count),
            "lines in, lines out": Work(lambda: settled_lines(whole), count),
        },
        turns,
    )
    print(f"\n{count} lines of all games, {turns} turns, microseconds a line:")
    for name, speed in times.items():
        print(
            f"  {name:22} {speed.middle / 1_000:10,.1f}   {speed.over(times[floor])} times {floor}"
        )
    return (
        f"a JSON line takes {times['lines in, lines out'].over(times[floor]).middle:.1f} times as"
        f" long as `{floor}`"
    )


def _floor() -> tuple[str, Callable[[bytes], Any]]:
    """Return the fastest installed JSON reader."""
    try:
        return "orjson.loads", importlib.import_module("orjson").loads
    except ImportError:
        return "json.loads", json.loads


# --- every game ---------------------------------------------------------------------------------


def each_game(slugs: Sequence[str], turns: int, chance: Random) -> str:
    print(f"\n{'game':30} {'settle, one record':>20} {'settle_many, brief':>20}   microseconds")
    microseconds = []
    for slug in slugs:
        records = [random_record(chance, slug) for _ in range(RECORDS_A_GAME)]
        many = 5 * records
        times = all_by_turns(
            {
                "one": Work(lambda records=records: [settle(r) for r in records], len(records)),
                "many": Work(lambda many=many: settle_many(many, brief=True), len(many)),
            },
            min(turns, TURNS_A_GAME),
        )
        one, all_ = (times[name].middle / 1_000 for name in ("one", "many"))
        print(f"{slug:30} {one:20,.0f} {all_:20,.0f}")
        microseconds.append(one)
    return f"one record whole, median of the sample: {median(microseconds):.0f} us"


def import_time() -> float:
    code = "import time; t = time.perf_counter(); import rules; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", code]
    runs = []
    for _ in range(5):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)  # noqa: S603
        runs.append(done.stdout)
    return median(float(run) for run in runs)


if __name__ == "__main__":
    main()

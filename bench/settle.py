"""How fast hands are settled, beside PokerKit on the same hands, in one run on one core.

    python bench/settle.py [--hands 20000] [--seed 1] [--game SLUG ...]

Prints, for Texas Hold'em and Omaha-8 with four players, all of whom stay for 120 chips, hands per
second of `settle_many` (brief), of `settle` one at a time (brief, and whole with its story), and
of PokerKit in two ways:

* state machine: the hand is played in a PokerKit state (NoLimitTexasHoldem,
  FixedLimitOmahaHoldemHighLowSplitEightOrBetter), all cards dealt as recorded, everybody calling
  and checking to the end, every automation on;
* evaluators: `from_game` of each player's hand (StandardHighHand, OmahaHoldemHand,
  OmahaEightOrBetterLowHand), the best of them found and the pot split by hand: what remains when
  everything but the comparison is left out.

Every way must come to the same chips, or the run fails. Times are those of the processor, so that
neighbours on the machine don't count, but for the import, which is by the clock. Then: the median
time of `settle` (whole) for a single record of each game of the catalog, `settle_many` (brief) on
random records of each, and the time to import `rules` in a fresh process. PokerKit comes with the
requirements of the tests.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

# run as a file or as a module, from wherever
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

from pokerkit import (  # noqa: E402
    Automation,
    FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    Hand,
    NoLimitTexasHoldem,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    StandardHighHand,
    State,
)

from rules import settle, settle_many  # noqa: E402
from rules.cards import TEXTS  # noqa: E402
from rules.documents import catalog  # noqa: E402
from tests.helpers.laws.records import record as random_record  # noqa: E402

Record = dict[str, Any]
Chips = list[int]

NAMES = ("ann", "bob", "cat", "dan")
STAKE = 120  # halves, thirds and quarters of it are whole: no odd chips to dispute
PEER_HANDS = 300
SINGLES = 200


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/settle.py", description="Settle, timed")
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", action="append", help="time this game alone; may be repeated")
    options = parser.parse_args()
    _keep_quiet_on_one_core()
    for game, down in (("texas-holdem", 2), ("omaha-8", 4)):
        compare(game, down, options.hands, Random(options.seed))
    each_game(options.game or catalog.slugs(), options.hands // 2, Random(options.seed))
    print(f"\nimport of rules in a fresh process: {import_time():.2f} s (median of 5)")


def _keep_quiet_on_one_core() -> None:
    # PokerKit warns of every card that is dealt as recorded and not from the top of its deck
    warnings.filterwarnings("ignore", message="A card being dealt")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


# --- beside PokerKit ----------------------------------------------------------------------------


def compare(game: str, down: int, hands: int, chance: Random) -> None:
    records = [_four_players(game, down, chance) for _ in range(hands)]
    few = records[:PEER_HANDS]
    evaluate = _holdem_by_evaluators if game == "texas-holdem" else _omaha_by_evaluators
    play = _holdem_by_states if game == "texas-holdem" else _omaha_by_states
    settle_many(few, brief=True)  # tables are made at the first use

    rates = {}
    answers, rates["settle_many"] = timed(lambda: settle_many(records, brief=True), hands)
    singles = records[: hands // 10]
    _, rates["settle"] = timed(lambda: [settle(r, brief=True) for r in singles], len(singles))
    _, rates["settle, with story"] = timed(lambda: [settle(r) for r in singles], len(singles))
    ours = [list(answer["won"].values()) for answer in answers[: len(few)]]
    for name, way in (("PokerKit, states", play), ("PokerKit, evaluators", evaluate)):
        theirs, rates[name] = timed(lambda way=way: [way(r) for r in few], len(few))
        if theirs != ours:
            raise SystemExit(f"{name} and settle_many differ on {game}")

    print(f"\n{game}, four players, {hands} hands ({len(few)} for PokerKit), hands a second:")
    for name, rate in rates.items():
        ratio = rates["settle_many"] / rate
        print(f"  {name:22} {rate:12,.0f}   settle_many is {ratio:.1f} times as fast")


def timed(work: Callable[[], Any], hands: int, repeats: int = 3) -> tuple[Any, float]:
    """What the work gives, and the best of some rates."""
    seconds = []
    found = None
    for _ in range(repeats):
        started = time.process_time()
        found = work()
        seconds.append(time.process_time() - started)
    return found, hands / min(seconds)


def _four_players(game: str, down: int, chance: Random) -> Record:
    deck = chance.sample(TEXTS[:52], 4 * down + 5)
    players = [
        {"name": name, "paid": STAKE, "down": deck[down * seat : down * (seat + 1)]}
        for seat, name in enumerate(NAMES)
    ]
    return {"variant": game, "button": 3, "players": players, "board": [deck[4 * down :]]}


def _played(state: State, record: Record) -> Chips:
    """Everybody calls and checks to the end; what each won besides the stake."""
    for player in record["players"]:
        state.deal_hole("".join(player["down"]))
    board = iter(record["board"][0])
    while state.status:
        while state.actor_index is not None:
            state.check_or_call()
        if state.status:
            state.deal_board("".join(next(board) for _ in range(state.board_dealing_count or 1)))
    return [STAKE + payoff for payoff in state.payoffs]


AUTOMATIONS = tuple(
    each for each in Automation if each not in {Automation.HOLE_DEALING, Automation.BOARD_DEALING}
)


def _holdem_by_states(record: Record) -> Chips:
    state = NoLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, (STAKE // 2, STAKE), STAKE, 10 * STAKE, 4
    )
    return _played(state, record)


def _omaha_by_states(record: Record) -> Chips:
    state = FixedLimitOmahaHoldemHighLowSplitEightOrBetter.create_state(
        AUTOMATIONS, True, 0, (STAKE // 2, STAKE), STAKE, 2 * STAKE, 10 * STAKE, 4
    )
    return _played(state, record)


def _holdem_by_evaluators(record: Record) -> Chips:
    board = "".join(record["board"][0])
    hands = [StandardHighHand.from_game("".join(p["down"]), board) for p in record["players"]]
    return _split([hands])


def _omaha_by_evaluators(record: Record) -> Chips:
    board = "".join(record["board"][0])
    down = ["".join(player["down"]) for player in record["players"]]
    highs = [OmahaHoldemHand.from_game(cards, board) for cards in down]
    lows = [OmahaEightOrBetterLowHand.from_game_or_none(cards, board) for cards in down]
    return _split([highs, lows] if any(lows) else [highs])


def _split(shares: Sequence[Sequence[Hand | None]]) -> Chips:
    won = [0] * len(NAMES)
    for hands in shares:
        best = max(hand for hand in hands if hand is not None)
        winners = [seat for seat, hand in enumerate(hands) if hand == best]
        for seat in winners:
            won[seat] += STAKE * len(NAMES) // len(shares) // len(winners)
    return won


# --- every game ---------------------------------------------------------------------------------


def each_game(slugs: Sequence[str], hands: int, chance: Random) -> None:
    print(f"\n{'game':30} {'settle, one record':>20} {'settle_many, brief':>22}")
    for slug in slugs:
        records = [random_record(chance, slug) for _ in range(hands)]
        settle_many(records, brief=True)
        _, rate = timed(lambda records=records: settle_many(records, brief=True), hands, 1)
        median = statistics.median(_milliseconds(records[:SINGLES]))
        print(f"{slug:30} {median:17.2f} ms {rate:15,.0f} a second")


def _milliseconds(records: Iterable[Record]) -> list[float]:
    """The time of each whole settlement, its story included."""
    found = []
    for record in records:
        started = time.process_time()
        settle(record)
        found.append(1_000 * (time.process_time() - started))
    return found


def import_time() -> float:
    code = "import time; t = time.perf_counter(); import rules; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", code]
    runs = []
    for _ in range(5):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)  # noqa: S603
        runs.append(done.stdout)
    return statistics.median(float(run) for run in runs)


if __name__ == "__main__":
    main()

"""Times the evaluation of hands, relative to eval7 and phevaluator called from Python.

    pip install eval7 phevaluator
    python bench/evaluate.py [--hands 200000] [--turns 7] [--seed 1]

Prints nanoseconds per hand and ratios, as the median of the turns with the spread. Seven cards of
Hold'em are compared with both peers, and four cards and a board of Omaha with phevaluator.
`rules.evaluate` gets one array. The peers get prepared hands in their own format (lists of eval7
cards, or phevaluator's numbers) in a list comprehension. Small batches follow: because of the fixed
cost of arrays, a call with one hand is slower than a peer's.

The run fails unless the peers rank all their hands in the same order with the same ties. These
hands include 1,500 with many flushes, straights and full houses. Times are processor times.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.turns import TURNS, Ratio, Work, by_turns, last_line, stay_on_one_core  # noqa: E402

try:
    import eval7
    from phevaluator import evaluate_cards, evaluate_omaha_cards
except ImportError as missing:
    raise SystemExit(f"{missing}: pip install eval7 phevaluator") from missing

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from rules import evaluate  # noqa: E402
from rules.cards import TEXTS  # noqa: E402
from tests.helpers.rules.crowded_hands import crowded  # noqa: E402
from tests.helpers.rules.measuring import random_hands  # noqa: E402

PEER_HANDS = 10_000
FEW = (1, 50)
EVAL7_CARDS = [eval7.Card(text) for text in TEXTS[:52]]
Hands = NDArray[np.uint8]
Peer = Callable[[list[Any]], list[int]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/evaluate.py", description=__doc__)
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    stay_on_one_core()
    seven, omaha = (
        np.concatenate([crowded(size, seed=2), random_hands(options.hands, size, options.seed)])
        for size in (7, 9)
    )
    ratios = [
        compared("eval7 with seven cards", "texas-holdem", seven, by_eval7, options.turns),
        compared("phevaluator with seven cards", "texas-holdem", seven, by_numbers, options.turns),
        compared("phevaluator with Omaha", "omaha-8", omaha, omaha_by_numbers, options.turns),
    ]
    for count in FEW:
        ratio = few_at_once(count, seven[-count:], options.turns)
        print(ratio)
    print("times as fast: " + last_line(ratios))


def compared(
    name: str, game: str, rows: NDArray[Any], peer: tuple[Peer, Peer], turns: int
) -> Ratio:
    """Time our evaluation and a peer's, after checking that both rank hands in the same order."""
    prepare, ask = peer
    hands = rows.astype(np.uint8)
    prepared = prepare(hands[:PEER_HANDS].tolist())
    check_order(name, evaluate(game, hands[:PEER_HANDS]), ask(prepared))
    ours = Work(lambda: evaluate(game, hands), len(hands))
    ratio = by_turns(name, ours, Work(lambda: ask(prepared), len(prepared)), turns)
    print(ratio)
    return ratio


def few_at_once(count: int, rows: NDArray[Any], turns: int) -> Ratio:
    """Time many calls with small arrays."""
    hands, times = rows.astype(np.uint8), 200
    prepare, ask = by_eval7
    prepared = prepare(hands.tolist())
    ours = Work(lambda: [evaluate("texas-holdem", hands) for _ in range(times)], count * times)
    theirs = Work(lambda: [ask(prepared) for _ in range(times)], count * times)
    return by_turns(f"eval7 with {count} hands per call", ours, theirs, turns)


def check_order(name: str, ours: NDArray[np.int64], theirs: list[int]) -> None:
    """Fail if the order or the ties differ."""
    places = [np.unique(strengths, return_inverse=True)[1] for strengths in (ours, theirs)]
    if (places[0] != places[1]).any():
        raise SystemExit(f"{name}: the order of strengths differs")


# --- the peers and their hand formats; higher is better -----------------------------------------


def _eval7_hands(rows: list[Any]) -> list[Any]:
    return [[EVAL7_CARDS[card] for card in row] for row in rows]


def _ask_eval7(hands: list[Any]) -> list[int]:
    return [eval7.evaluate(hand) for hand in hands]


def _as_they_are(rows: list[Any]) -> list[Any]:
    return rows


def _ask_phevaluator(hands: list[Any]) -> list[int]:
    return [-evaluate_cards(*hand) for hand in hands]


def _board_first(rows: list[Any]) -> list[Any]:
    return [[*row[4:], *row[:4]] for row in rows]


def _ask_omaha(hands: list[Any]) -> list[int]:
    return [-evaluate_omaha_cards(*hand) for hand in hands]


by_eval7 = (_eval7_hands, _ask_eval7)
by_numbers = (_as_they_are, _ask_phevaluator)
omaha_by_numbers = (_board_first, _ask_omaha)


if __name__ == "__main__":
    main()

"""Times the odds for Hold'em, relative to loops over eval7.

    pip install eval7
    python bench/odds.py [--deals 20000] [--players 5] [--turns 7] [--seed 1]

Prints nanoseconds per deal and ratios, as the median of the turns with the spread. Our time covers
all of `odds`, which deals, evaluates, counts and names hands. The peers are two Python loops that
call eval7 for every player and count the kinds of the best hands. One deals with `random.sample`.
The other gets all deals as lists of eval7 cards.

The loop over given deals gets the same deals as ours and must find the same rates, or the run
fails. Times are processor times.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.turns import TURNS, Work, by_turns, last_line, stay_on_one_core  # noqa: E402

try:
    import eval7
except ImportError as missing:
    raise SystemExit(f"{missing}: pip install eval7") from missing

from rules.api import Game, game_of, odds  # noqa: E402
from rules.cards import TEXTS  # noqa: E402
from rules.settlement.odds import deal_rows  # noqa: E402

Deal = tuple[list[Any], list[list[Any]]]  # the board, then each player's hand
DECK = [eval7.Card(text) for text in TEXTS[:52]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/odds.py", description=__doc__)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--players", type=int, default=5)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    stay_on_one_core()
    game = game_of({"variant": "texas-holdem"}).game
    if game is None:
        raise SystemExit("texas-holdem is not in the catalog")
    deals, players, seed = options.deals, options.players, options.seed
    same = [*deals_of(game, players, deals, seed)]
    result = odds(game, players=players, deals=deals, seed=seed)
    check(result, rates(same))
    ours = Work(lambda: odds(game, players=players, deals=deals, seed=seed), deals)
    dealing = Work(lambda: rates(dealt(players, deals, seed)), deals)
    ratios = [
        by_turns("a loop that deals with eval7", ours, dealing, options.turns),
        by_turns(
            "a loop over given deals with eval7",
            ours,
            Work(lambda: rates(same), deals),
            options.turns,
        ),
    ]
    print(*ratios, sep="\n")
    print("times as fast: " + last_line(ratios))


def deals_of(game: Game, players: int, deals: int, seed: int) -> Iterator[Deal]:
    """Return the deals made by `odds` as eval7 cards."""
    for rows in deal_rows(game, players, deals, seed):
        for deal in rows.reshape(-1, players, 7).tolist():
            board = [DECK[card] for card in deal[0][2:]]
            yield board, [[DECK[card] for card in row[:2]] for row in deal]


def dealt(players: int, deals: int, seed: int) -> Iterator[Deal]:
    chance = Random(seed)
    for _ in range(deals):
        cards = chance.sample(DECK, 5 + 2 * players)
        yield cards[:5], [cards[at : at + 2] for at in range(5, len(cards), 2)]


def rates(deals: Iterable[Deal]) -> dict[str, Any]:
    """Return how often each kind wins and how often a single player wins, according to eval7."""
    kinds: Counter[str] = Counter()
    alone = 0
    for board, hands in deals:
        strengths = [eval7.evaluate(hand + board) for hand in hands]
        best = max(strengths)
        kinds[eval7.handtype(best)] += 1
        alone += strengths.count(best) == 1
    whole = kinds.total()
    won_by = {kind.lower(): count / whole for kind, count in kinds.items()}
    return {"won_by": won_by, "scoop": alone / whole}


def check(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    shares: Sequence[dict[str, Any]] = ours["shares"]
    report = {each["category"]: each["rate"] for each in shares[0]["won_by"]}
    if {"won_by": report, "scoop": ours["scoop"]} != theirs:
        raise SystemExit(f"odds and eval7 differ on the same deals: {report} and {theirs}")


if __name__ == "__main__":
    main()

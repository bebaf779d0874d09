"""How strong a hand of an answer is: to compare hands of one game that were dealt on many nights.

An answer names the cards of a hand and what its wild cards stand for; its strength follows from
these alone, by the tables that the showdown was decided with.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules.cards import CARDS, NATURAL_CARDS
from rules.game.game import Game
from rules.game.grammar import TABLE_SCALES
from rules.showdown.scales import scale_of, threshold
from rules.showdown.tables import table


def strength(game: Game, share_name: str, shown: Mapping[str, Any]) -> int | None:
    """Return the strength of a hand as an answer shows it, higher is better.

    None where the first measure of the share does not go by a table, or the hand falls short of it.
    """
    stands = shown["plays_as"]
    cards = [CARDS[stands.get(card, card)] for card in shown["cards"]]
    if not 0 < len(cards) <= 5 or max(cards) >= NATURAL_CARDS or share_name not in game.share_names:
        return None
    ranks = tuple(sorted(card // 4 for card in cards))
    return _strength(game, share_name, ranks, len({card % 4 for card in cards}) == 1)


@lru_cache(maxsize=1 << 16)
def _strength(game: Game, share_name: str, ranks: tuple[int, ...], suited: bool) -> int | None:
    measure = game.shares[game.share_names.index(share_name)].alternatives[0]
    if measure.scale not in TABLE_SCALES:
        return None
    found = table(scale_of(game, measure.scale), len(ranks))
    value = found.of(list(ranks), flush=suited and found.sees_suits)
    return value if value >= threshold(game, measure) else None


def ranks_high(game: Game, share_name: str) -> bool:
    """Tell whether the share goes to the highest hand as everybody knows it, nothing wild."""
    if share_name not in game.share_names or game.wild or game.bug:
        return False
    measures = game.shares[game.share_names.index(share_name)].alternatives
    return bool(measures) and measures[0].scale == "high"

"""Find the winners of a hand that is recorded without cards, from words or named hands.

Named hands are compared only if the result is certain: all remaining players have one, the game
ranks poker hands in the usual way, and the ranks that are not named can't change the result.
"""

from collections.abc import Iterable, Mapping, Sequence

from rules.cards import RANKS
from rules.game.game import Alternative, Game
from rules.spoken.sentence import (
    FOLDED,
    HIGH,
    LOW,
    NOT_IN_GAME,
    NUT_LOW,
    Entry,
    HandClass,
    PlayerEntry,
    PlayerPart,
)

BOTH = "both"
LOW_RANKS = "A23456789TJQK"
SCALES = {HIGH: {"high"}, LOW: {"best", "worst", "ace-to-six"}}
# the winners of each share of the pot, or of just one share if they win all of them
Winners = list[list[str]]


def winners(game: Game, entry: Entry, names: Iterable[str]) -> Winners:
    """Return the winners of each share. An empty list or share means that it is uncertain."""
    wins = {name: part.wins for name, part in entry.sentence.players.items() if part.wins}
    wins = wins or _by_hands(game, entry, names)
    if {*wins.values()} == {BOTH}:
        return [list(wins)]
    if BOTH in wins.values() or not {*wins.values()} <= {*game.share_names} <= {HIGH, LOW}:
        return []
    return [[name for name, way in wins.items() if way == share] for share in game.share_names]


def _by_hands(game: Game, entry: Entry, names: Iterable[str]) -> dict[str, str]:
    """Return the players with the best named hands and what they win, or {} if uncertain."""
    out = {FOLDED, "mucked"}
    left = [name for name in names if entry.players.get(name, PlayerEntry()).state not in out]
    hands = {name: entry.players.get(name, PlayerEntry()).hands for name in left}
    if not all(hands.values()):
        return {}
    missing = [
        name
        for name, named in hands.items()
        if any(hand.way not in game.share_names for hand in named)
    ]
    for name in missing:
        entry.mark(NOT_IN_GAME, "hand", name)
    declared = {name: entry.sentence.players.get(name, PlayerPart()).declared for name in left}
    if missing or BOTH in declared.values():
        return {}
    best: dict[str, list[str]] = {}
    for way in (HIGH, LOW):
        contest = {
            name: hand
            for name, named in hands.items()
            for hand in named
            if hand.way == way and declared[name] in {"", way}
        }
        best[way] = _best(game, way, contest)
        if contest and not best[way]:
            return {}
    if best[LOW] and best[HIGH] and best[HIGH] != best[LOW]:
        return dict.fromkeys(best[HIGH], HIGH) | dict.fromkeys(best[LOW], LOW)
    return dict.fromkeys(best[HIGH] or best[LOW], BOTH)


def _best(game: Game, way: str, hands: Mapping[str, HandClass]) -> list[str]:
    """Return a list with the player whose hand certainly wins a share, or an empty list."""
    singles = (share for share in game.shares if share.name == way and len(share.alternatives) == 1)
    share = next(singles, None)
    if not hands or share is None:
        return []
    [measure] = share.alternatives
    unusual = share.tests or share.joint > 1 or share.neighbour or measure.beating
    if unusual or measure.scale not in SCALES[way]:
        return []
    if not all(_qualifies(hand, measure) for hand in hands.values()):
        return []
    return [
        name
        for name, hand in hands.items()
        if all(_beats(hand, hands[other], game.order) for other in hands if other != name)
    ]


def _qualifies(hand: HandClass, measure: Alternative) -> bool:
    """Return whether a hand certainly qualifies."""
    if measure.bar is None or hand.category == NUT_LOW:
        return True
    if hand.way == HIGH or measure.bar.rank is None:
        return False
    return LOW_RANKS.index(hand.ranks[0]) <= LOW_RANKS.index(RANKS[measure.bar.rank])


def _beats(hand: HandClass, other: HandClass, order: Sequence[str]) -> bool:
    """Return whether a hand is better, regardless of the ranks that are not named."""
    if hand.way == LOW:
        if NUT_LOW in {hand.category, other.category}:
            return other.category != NUT_LOW
        return _first_difference(hand, other, LOW_RANKS) < 0
    if hand.category not in order or other.category not in order:
        return False
    if hand.category != other.category:
        return order.index(hand.category) > order.index(other.category)
    return _first_difference(hand, other, RANKS) > 0


def _first_difference(hand: HandClass, other: HandClass, ranks: str) -> int:
    pairs = zip(hand.ranks, other.ranks, strict=False)
    differences = (ranks.index(rank) - ranks.index(against) for rank, against in pairs)
    return next((difference for difference in differences if difference), 0)

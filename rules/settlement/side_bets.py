"""The results of a hand that matter for side bets and side games.

High hands and bad beats count five-card poker hands without wild cards, in shares that go to the
highest hand. The strength of a hand depends only on its cards and the values of its wild cards, so
hands of a game can be compared across nights. If a deal was run several times, only its first run
counts for them, but a win with 7-2 requires the whole pot (docs/rulings.md 18).
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from rules.cards import CARDS, NATURAL_CARDS
from rules.documents import documents
from rules.game.game import Game
from rules.game.grammar import TABLE_SCALES
from rules.showdown.game_scales import scale_of, threshold
from rules.showdown.tables import table


def strength(game: Game, share_name: str, shown: Mapping[str, Any]) -> int | None:
    """Return the strength of a hand in an answer. Higher is better.

    Return None if the first measure of the share does not use a table, or if the hand does not
    qualify.
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
    scale_table = table(scale_of(game, measure.scale), len(ranks))
    value = scale_table.of(list(ranks), flush=suited and scale_table.sees_suits)
    return value if value >= threshold(game, measure) else None


def ranks_high(game: Game, share_name: str) -> bool:
    """Return whether the share goes to the highest poker hand without wild cards."""
    if share_name not in game.share_names or game.wild or game.bug:
        return False
    measures = game.shares[game.share_names.index(share_name)].alternatives
    return bool(measures) and measures[0].scale == "high"


FIVE_CARDS = {"name": "Five cards", "deal": ["5 down"], "hand": ["5 own"], "shares": ["high"]}
LEAST_QUADS = ("2s", "2h", "2d", "2c", "3s")

Record = Mapping[str, Any]
Answer = Mapping[str, Any]


class HighHand(NamedTuple):
    """A poker hand that was shown, with a `strength` that is comparable across hands."""

    strength: int
    player: str
    cards: tuple[str, ...]
    name: str


def won_with_seven_deuce(record: Record, answer: Answer) -> str | None:
    """Return the player who won all chips with a seven and a deuce as the only cards down.

    If the deal was run several times, the player won every run and got no card down in a run.
    """
    winners = [name for name, chips in answer["won"].items() if chips]
    if len(winners) != 1:
        return None
    seats = [*record["players"]]
    seats += [each for run in record.get("runs", ()) for each in run.get("players", ())]
    down = [card for each in seats if each["name"] == winners[0] for card in each.get("down", ())]
    return winners[0] if sorted(card[:1] for card in down) == ["2", "7"] else None


def pot_winners(answer: Answer) -> frozenset[str]:
    """Return the players who won chips from a pot, in any share and any run.

    Uncalled chips that are returned are not won. Games against the bank or the pot have no winners.
    """
    shares = (share for pot in answer["pots"] for share in pot["shares"])
    return frozenset(name for each in shares for name, chips in each["winners"].items() if chips)


def is_bomb_pot(game: Game) -> bool:
    """Return whether all players put in a big ante that replaces the first round of betting."""
    return any(step.verb == "bomb" for step in game.steps)


def _first_run(answer: Answer) -> Answer:
    """Return the results of the first run, or the answer if the deal was run once."""
    runs: Sequence[Answer] = answer.get("runs") or [answer]
    return runs[0]


def high_hands(game: Game, answer: Answer) -> list[HighHand]:
    """Return each player's best poker hand among those shown, strongest first."""
    best: dict[str, HighHand] = {}
    for player, ways in _first_run(answer).get("hands", {}).items():
        for way, shown in ways.items():
            cards = tuple(shown.get("cards", ()))
            if not ranks_high(game, way) or shown.get("plays_as") or len(cards) != 5:
                continue
            value = strength(_five_cards(), "high", shown)
            if value is not None and (player not in best or value > best[player].strength):
                best[player] = HighHand(value, player, cards, shown["name"])
    return sorted(best.values(), key=lambda each: (-each.strength, each.player))


def bad_beats(game: Game, answer: Answer) -> list[HighHand]:
    """Return hands of four of a kind or better that lost to a stronger hand that was shown."""
    shown = high_hands(game, answer)
    return [
        hand
        for hand in shown
        if hand.strength >= _least_quads()
        and not _first_run(answer)["won"].get(hand.player)
        and shown[0].strength > hand.strength
    ]


@cache
def _five_cards() -> Game:
    return documents.game(FIVE_CARDS)


@cache
def _least_quads() -> int:
    return strength(_five_cards(), "high", {"cards": LEAST_QUADS, "plays_as": {}}) or 0

"""How strong cards are before a hand is complete: those turned over so far, and openers.

They are measured by the same tables as at the showdown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from rules.cards import UNSEEN
from rules.game.game import Game, Place, Term
from rules.game.grammar.shares import read_bar
from rules.game.grammar.words import Words
from rules.showdown.best_hands import best_hands
from rules.showdown.rows import game_of_share, lay_out
from rules.showdown.selections import Shape

Standing = tuple[int, int]  # the measure by which a hand qualifies, the first is 0; its strength
NO_STANDING: Standing = (-99, 0)
FIVE_UP = Term("count", (Place("up"),), 5, 5)


def standing(strengths: Iterable[int]) -> Standing:
    """How a hand stands across the measures of a share: an earlier one beats any later one."""
    measured = 0
    for measured, strength in enumerate(strengths, start=1):
        if strength >= 0:
            return 1 - measured, strength
    return -measured, 0


def turned_standing(game: Game, cards: Sequence[int]) -> Standing:
    """How cards that were turned over stand by the first share of a game."""
    if not cards or UNSEEN in cards:
        return NO_STANDING
    return _standing(_of_turned_cards(game), tuple(cards))


def holds_bar(game: Game, cards: Sequence[int], bar: str) -> bool:
    """Whether a hand is at least so good; one that is not known may be."""
    if UNSEEN in cards or not cards:
        return True
    return _standing(_with_bar(game, bar), tuple(cards))[0] == 0


@lru_cache(maxsize=4096)
def _standing(game: Game, cards: tuple[int, ...]) -> Standing:
    laid = lay_out(game, Shape(0, len(cards)), [list(cards)], [()])
    measured = best_hands(game, game.shares[0].alternatives, laid)
    return standing(int(best.strengths[0]) for best in measured)


@lru_cache(maxsize=64)
def _of_turned_cards(game: Game) -> Game:
    """The game on turned cards alone, with no board beside them."""
    game, _ = game_of_share(game, 0)
    pattern = game.hand[0]
    terms = tuple(replace(term, places=(Place("up"),)) for term in pattern.terms)
    return replace(game, hand=(replace(pattern, terms=terms),), board=(), lines=(), piles=())


@lru_cache(maxsize=64)
def _with_bar(game: Game, bar: str) -> Game:
    plain = _of_turned_cards(game)
    share = plain.shares[0]
    first = replace(share.alternatives[0], bar=read_bar(Words(bar)))
    shares = (replace(share, alternatives=(first,)),)
    return replace(plain, shares=shares, hand=(replace(plain.hand[0], terms=(FIVE_UP,)),))

"""Cards that are wild for one share alone: the game as each share sees it."""

from dataclasses import replace
from functools import lru_cache

from rules.game.game import Game
from rules.game.wild_rules import WildRule

ShareGames = tuple[tuple[tuple[int, ...], Game], ...]


@lru_cache(maxsize=1024)
def share_games(game: Game) -> ShareGames:
    """Shares by the cards that are wild for them: their indices, and the game of these alone.

    Nothing where all shares see the same.
    """
    if not any(rule.share for rule in (*game.wild, *game.bug)):
        return ()
    groups: dict[tuple[tuple[WildRule, ...], ...], list[int]] = {}
    for index, name in enumerate(game.share_names):
        seen = tuple(_of_share(rules, name) for rules in (game.wild, game.bug))
        groups.setdefault(seen, []).append(index)
    return tuple(
        (tuple(some), replace(game, wild=wild, bug=bug, shares=tuple(game.shares[n] for n in some)))
        for (wild, bug), some in groups.items()
    )


def _of_share(rules: tuple[WildRule, ...], name: str) -> tuple[WildRule, ...]:
    return tuple(replace(rule, share="") for rule in rules if rule.share in {"", name})


def game_of_share(game: Game, share: int) -> tuple[Game, int]:
    """The game as a share sees it, and which of its shares that is."""
    for some, seen in share_games(game):
        if share in some:
            return seen, some.index(share)
    return game, share

"""Whether a share can be measured on the cards that the hand of the share before leaves unused."""

from collections.abc import Iterable, Iterator

from rules.errors import Problem, bad_game
from rules.game.game import Alternative, CardsAre, Game, Pattern
from rules.game.grammar import BADUGI_SCALES
from rules.game.steps import Place
from rules.game.wild_rules import RankOf
from rules.game.workload import MOST_COMBINATIONS
from rules.showdown.selections import Shape, count_choices, selections, sizes

UNUSED = "unused"


def unused_problems(
    game: Game, places: Iterable[tuple[str, Place]], tests: Iterable[tuple[str, CardsAre]]
) -> Iterator[Problem]:
    """Unused cards are those of one plain hand, in one reading of the wild cards, and nothing but
    a share is measured on them."""
    named = [(where, place) for where, place in places if not where.startswith("shares")]
    named += [(where, test.place) for where, test in tests]
    for index, share in enumerate(game.shares):
        for alternative in share.alternatives:
            terms = (term for pattern in alternative.beating for term in pattern.terms)
            named += [(f"shares/{index}", place) for term in terms for place in term.places]
            if alternative.plays_unused:
                yield from _of_share(game, f"shares/{index}", alternative.after)
    for where, place in named:
        if place.zone == UNUSED:
            yield bad_game(where, "only a share is measured on unused cards", UNUSED)


def _of_share(game: Game, where: str, before: Alternative | None) -> Iterator[Problem]:
    if before is None:
        text = "unused by which hand? the share before has to be measured in one way"
        yield bad_game(where, text, UNUSED)
    elif before.scale in BADUGI_SCALES:
        yield bad_game(where, "what a badugi leaves unused can't be said", UNUSED)
    rules = (*game.wild, *game.bug)
    if any(rule.share for rule in rules):
        text = "beside cards that are wild for one share nothing tells what is unused"
        yield bad_game(where, text, UNUSED)
    if any(isinstance(rule, RankOf) and rule.which == "middle" for rule in rules):
        text = "beside a middle rank, which is read in two ways, nothing tells what is unused"
        yield bad_game(where, text, UNUSED)


def hand_sizes(
    game: Game, alternative: Alternative, patterns: tuple[Pattern, ...], shape: Shape
) -> set[int]:
    """The sizes of the hands that these patterns make, however many cards are left unused."""
    line, before = alternative.line, alternative.after
    if before is None:
        return sizes(game, patterns, line, shape)
    left = (sizes(game, patterns, line, shape, n) for n in _unused(game, before, shape))
    return set().union(*left)


def _unused(game: Game, before: Alternative, shape: Shape) -> set[int]:
    """How many of one's own cards a hand may leave: all where none can be made."""
    hands = before.patterns or game.hand
    if count_choices(game, hands, before.line, shape) > MOST_COMBINATIONS:  # refused elsewhere
        return {shape.own}
    picked = selections(game, hands, before.line, shape)
    played = ((selection.explicit < shape.own).sum(axis=1) for selection in picked)
    return {shape.own - int(own) for some in played for own in some} or {shape.own}

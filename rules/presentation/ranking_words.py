"""What hands are ranked by where it is not the usual, and what cards count, in words."""

from collections.abc import Iterator

from rules.cards import RANK_NAMES, RANK_PLURALS, RANKS
from rules.game.category_order import QUICK_QUADS
from rules.game.game import Game, Pattern
from rules.game.grammar import GROUPS
from rules.ranking import CATEGORIES, FULL_HAND, HOUSE_KINDS, LONG_KINDS, of_one_rank
from rules.settlement.story.wording import listed
from rules.showdown.selections import hand_size

WAYS = {
    "three cards": "Three cards in a row are a straight, and three of a suit a flush.",
    "four cards": "Four cards in a row are a straight, and four of a suit a flush.",
    "skip gaps": "Ranks that were taken out of the deck leave no gap in a straight.",
    "no wheel": "The ace stands above alone: no straight begins with it.",
    "wheel first": "The straight with the ace below is the highest of all.",
    "wheel second": "The straight with the ace below is the second highest.",
    QUICK_QUADS: "Trips and two cards that add up to their rank are quads, an ace being one.",
}
# what these hands are: nothing that everybody knows
MEANINGS = {
    "blaze": "five face cards",
    "big-cat": "king high, eight low, no pair",
    "little-cat": "eight high, three low, no pair",
    "big-dog": "ace high, nine low, no pair",
    "little-dog": "seven high, two low, no pair",
    "skeet": "9, 5, 2, one card between each two of them",
    "five-and-dime": "ten high, five low, no pair",
    "skip-straight": "every second rank, as in 9-7-5-3-A",
    "round-straight": "an ace between, as in 3-2-A-K-Q",
}


CARDS_OF = {"two-pair": 4, "quads": 4, "full-house": 5, "five-of-a-kind": 5}
CARDS_OF |= {name: kind.size for name, kind in LONG_KINDS.items()}


def order_in_words(game: Game) -> Iterator[str]:
    """What stands elsewhere than everybody is used to."""
    if game.order != CATEGORIES:
        names = [_kind(name) for name in reversed(game.order) if _can_be(game, name)]
        yield f"From the top: {', '.join(names)}."
    for kind in HOUSE_KINDS:
        if kind in game.order:
            yield f"{_kind(kind).capitalize()}: {MEANINGS[kind]}."
    yield from (said for way, said in WAYS.items() if way in game.ways)
    lowest = min(card // 4 for card in game.deck)
    if "no wheel" not in game.ways and 0 < lowest < RANKS.index("T"):
        yield f"The ace also stands below the {RANK_NAMES[lowest]}."


def _can_be(game: Game, kind: str) -> bool:
    """Whether hands of the game have cards enough for it; five of a kind takes a wild one."""
    if kind == CATEGORIES[-1] and not (game.wild or game.bug):
        return False
    size = max((hand_size(patterns) for patterns in _patterns(game)), default=FULL_HAND)
    return size >= CARDS_OF.get(kind, 1)


def _patterns(game: Game) -> Iterator[tuple[Pattern, ...]]:
    yield from (alt.patterns or game.hand for share in game.shares for alt in share.alternatives)


def _kind(name: str) -> str:
    """`full house`, `three threes`."""
    if found := of_one_rank(name):
        count = {"pair": "two", "trips": "three", "quads": "four"}[found[0]]
        return f"{count} {RANK_PLURALS[found[1]]}"
    if name in LONG_KINDS and not LONG_KINDS[name].groups:
        return LONG_KINDS[name].name
    return name.replace("-", " ")


def points_in_words(game: Game) -> Iterator[str]:
    aces = min({game.values[card] for card in range(48, 52)})
    faces = sorted({abs(value) for card in range(36, 48) for value in game.values[card]})
    ace, face = (
        " or ".join("half a point" if value % each else str(value // each) for value in some)
        for each, some in ((game.per_point, map(abs, aces)), (game.per_point, faces))
    )
    yield f"Aces count {ace}, face cards {face}, the others their number."
    minus = {card for card in range(52) if all(value < 0 for value in game.values[card])}
    if minus:
        groups = [group for group, cards in GROUPS.items() if minus >= cards]
        yield f"{listed(sorted(groups)).capitalize()} cards count minus."

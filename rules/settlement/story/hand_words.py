"""A made hand and what it takes to qualify, in a player's words."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules.ranking import HOUSE_KINDS, LONG_KINDS
from rules.settlement.story.wording import (
    RANK_WORDS,
    RANKS_WORDS,
    count,
    listed,
    sign,
    the_card,
    with_article,
)

Facts = Mapping[str, Any]

LOW_SCALES = frozenset(("best", "worst", "ace-to-six"))
SAME_RANK = frozenset(("pair", "trips", "quads", "five-of-a-kind"))
# names that one has one of: `a flush`, but `three aces` and `ace high`
ONE_OF = frozenset(
    (
        *("pair", "straight", "flush", "full-house", "straight-flush", "four-straight"),
        *("four-flush", *HOUSE_KINDS, *(n for n, kind in LONG_KINDS.items() if not kind.groups)),
    )
)
HOUSE_NAMES = {
    kind: f"{{one}}-high {house.name}" if house.tops else house.name
    for kind, house in HOUSE_KINDS.items()
}
LONG_NAMES = {
    name: kind.name if kind.groups else f"{{one}}-high {kind.name}"
    for name, kind in LONG_KINDS.items()
}
NAMES = {
    "high-card": "{one} high",
    "pair": "pair of {many}",
    "two-pair": "two pair, {many} and {second}",
    "trips": "three {many}",
    "four-straight": "{one}-high four-card straight",
    "four-flush": "{one}-high four-card flush",
    "straight": "{one}-high straight",
    "flush": "{one}-high flush",
    "full-house": "full house, {many} over {last}",
    "quads": "four {many}",
    "straight-flush": "{one}-high straight flush",
    "five-of-a-kind": "five {many}",
    **HOUSE_NAMES,
    **LONG_NAMES,
}
# what a bar of a category alone asks for
AT_LEAST = {
    "high-card": "a high card",
    "pair": "a pair",
    "two-pair": "two pair",
    "trips": "three of a kind",
    "four-straight": "a four-card straight",
    "four-flush": "a four-card flush",
    "straight": "a straight",
    "flush": "a flush",
    "full-house": "a full house",
    "quads": "four of a kind",
    "straight-flush": "a straight flush",
    "five-of-a-kind": "five of a kind",
    **{kind: with_article(house.name) for kind, house in HOUSE_KINDS.items()},
    **{
        name: name.replace("-", " ") if kind.groups else with_article(kind.name)
        for name, kind in LONG_KINDS.items()
    },
}
ROWS = {2: ("top", "bottom"), 3: ("top", "middle", "bottom")}


def hand_words(hand: Facts) -> str:
    """`an eight-high straight`, `three aces (9♦ as A♥)`, `the three of clubs`."""
    return _name(hand, article=True) + _remarks(hand)


def whose_hand(owner: Facts) -> str:
    """`ann's eight-high straight`; the name alone where nothing is known of the hand."""
    hand = owner.get("hand")
    if hand is None:
        return str(owner["player"])
    return f"{owner['player']}'s {_name(hand, article=False)}{_remarks(hand)}"


def same_name(one: Facts, other: Facts) -> bool:
    """Whether two hands are called alike, so that a card decides between them."""
    return _name(one, article=False) == _name(other, article=False)


def _name(hand: Facts, *, article: bool) -> str:
    if "category" in hand:
        with_article, plain = _ranked(hand["scale"], hand["category"], *hand["ranks"])
        return with_article if article else plain
    if "deciding" in hand:
        return _cards(hand, article=article)
    if "ranks" in hand:
        called = "hidugi" if hand["scale"] == "hidugi" else "badugi"
        words = f"{len(hand['ranks'])}-card {called}, {_dashed(hand['ranks'])}"
        return f"a {words}" if article else words
    return "1 point" if hand["points"] == 1 else f"{hand['points']:,} points"


@lru_cache(maxsize=8192)
def _ranked(scale: str, category: str, *ranks: str) -> tuple[str, str]:
    """The name of a hand with its article, and without."""
    if scale in LOW_SCALES and category == "high-card":
        dashed = _dashed(ranks)
        called = "wheel" if dashed == "5-4-3-2-A" else f"{RANK_WORDS[ranks[0]]}-low"
        return f"{with_article(called)}, {dashed}", dashed
    if category == "straight-flush" and ranks[0] == "A" and scale == "high":
        return "a royal flush", "royal flush"
    # a format may name ranks that its category alone has: every category has one rank at least
    plain = NAMES[category].format(
        one=RANK_WORDS[ranks[0]],
        many=RANKS_WORDS[ranks[0]],
        second=RANKS_WORDS[ranks[min(1, len(ranks) - 1)]],
        last=RANKS_WORDS[ranks[-1]],
    )
    return (with_article(plain) if category in ONE_OF else plain), plain


def _dashed(ranks: tuple[str, ...] | list[str]) -> str:
    return "-".join("10" if rank == "T" else rank for rank in ranks)


def _cards(hand: Facts, *, article: bool) -> str:
    """Single cards: the first that decides, or all that must be held."""
    stands = hand.get("plays_as", {})
    cards = [stands.get(card, card) for card in hand["deciding"]]
    if hand["scale"] != "holds":
        jokers = sum(card.startswith("*") for card in cards)
        if not cards or (cards[0].startswith("*") and jokers > 1):
            return f"{count(jokers)} jokers" if cards else "no card"
        cards = cards[:1]
    words = [the_card(card) for card in cards]
    return listed([one if article else one.partition(" ")[2] for one in words])


def _remarks(hand: Facts) -> str:
    """` (9♦ as A♥; two in hand, three on the top row)`; nothing where there is no choice."""
    if "plays_as" not in hand and "lies" not in hand:
        return ""
    stands = [f"{sign(wild)} as {sign(card)}" for wild, card in hand.get("plays_as", {}).items()]
    said = [", ".join(stands)] if stands else []
    if "lies" in hand:
        said.append(_where(hand))
    return f" ({'; '.join(said)})"


def _where(hand: Facts) -> str:
    """Where the cards lie that give a hand its name: which row, or which cards of the board."""
    lies, stands = hand["lies"], hand.get("plays_as", {})
    own, board = (
        [card for card in lies[zone] if _counts(hand, stands.get(card, card))]
        for zone in ("hand", "board")
    )
    if not board:
        return "all in hand"
    if "row" not in lies:
        place = f"{listed([sign(card) for card in board])} on the board"
        return f"{count(len(own))} in hand, {place}" if own else place
    names = ROWS.get(lies["rows"])
    place = f"on the {names[lies['row'] - 1]} row" if names else f"on row {lies['row']}"
    return f"{count(len(own))} in hand, {count(len(board))} {place}" if own else f"all {place}"


def _counts(hand: Facts, card: str) -> bool:
    return hand.get("category") not in SAME_RANK or card[0] == hand["ranks"][0]


# --- what it takes ------------------------------------------------------------------------------


def bar_words(bar: Facts) -> str:
    """`an eight-low`, `three of a kind or better`, `a pair of jacks or better`."""
    if "category" in bar:
        if "rank" not in bar:
            return f"{AT_LEAST[bar['category']]} or better"
        if bar["scale"] in LOW_SCALES and bar["category"] == "high-card":
            return with_article(f"{RANK_WORDS[bar['rank']]}-low")
        return f"{_ranked(bar['scale'], bar['category'], bar['rank'])[0]} or better"
    if "cards" in bar:
        badugi = f"{bar['cards']}-card badugi"
        return with_article(f"{RANK_WORDS[bar['rank']]}-high {badugi}" if "rank" in bar else badugi)
    more = "fewer" if bar["scale"] == "least points" else "more"
    return f"{bar['number']:,} points or {more}"

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
    ordinal,
    points_words,
    rank_text,
    sign,
    the_card,
    with_article,
)

Facts = Mapping[str, Any]

LOW_SCALES = frozenset(("best", "worst", "ace-to-six"))
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


def hand_name(hand: Facts) -> str:
    """`pair of queens`, without what wild cards stand for."""
    return _name(hand, article=False)


def same_name(one: Facts, other: Facts) -> bool:
    """Whether two hands are called alike, so that a card decides between them."""
    return hand_name(one) == hand_name(other)


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
    return points_words(hand["points"])


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
    return "-".join(map(rank_text, ranks))


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
    """` (9♦ as A♥; two in hand and the top row, K♠ 9♦ 2♣)`; nothing where there is no choice."""
    stands = [f"{sign(wild)} as {sign(card)}" for wild, card in hand.get("plays_as", {}).items()]
    said = [", ".join(stands)] if stands else []
    if "lies" in hand and hand["cards"]:
        said.append(_where(hand["lies"]))
    return f" ({'; '.join(said)})" if said else ""


def _where(lies: Facts) -> str:
    """Where the cards of a hand lie: how many in hand, and which on the board, by row or line."""
    own, board = lies["hand"], lies["board"]
    if not board:
        return "all in hand"
    place = _place(lies, " ".join(map(sign, board)))
    return f"{count(len(own))} in hand and {place}" if own else place


def _place(lies: Facts, cards: str) -> str:
    """`the third column, 2♠`; `K♠ 9♦ of the line K♠ 9♦ 2♣`; `9♦ 2♣ on the top row`."""
    if "line" in lies:
        line, name = lies["line"], _line_name(lies["line"])
        whole = " ".join(map(sign, line["cards"]))
        if {*line["cards"]} == {*lies["board"]}:
            return f"{name} {whole}" if line["kind"] == "line" else f"{name}, {whole}"
        return f"{cards} of {name} {whole}" if line["kind"] == "line" else f"{cards} of {name}"
    return (
        f"{cards} on {_row_name(lies['row'], lies['rows'])}"
        if "row" in lies
        else (f"{cards} on the board")
    )


def _line_name(line: Facts) -> str:
    if line["kind"] == "row":
        return _row_name(line["number"], line["of"])
    if line["kind"] == "column":
        return f"the {ordinal(line['number'])} column"
    return f"the {line['kind']}"


def _row_name(number: int, of: int) -> str:
    return f"the {ROWS[of][number - 1]} row" if of in ROWS else f"the {ordinal(number)} row"


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

"""Words for sentences: lists, chips, cards, pots, hands, and the hands that they beat."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rules.cards import CARDS, RANK_NAMES, RANK_PLURALS, RANKS, rank_text, sign
from rules.ranking import HOUSE_KINDS, LONG_KINDS
from rules.showdown.naming import JOKER_NAME, card_name

Reason = Mapping[str, Any]
Facts = Mapping[str, Any]

LOW_SCALES = frozenset(("best", "worst", "ace-to-six"))
COUNTS = "no one two three four five six seven eight nine ten".split()
ORDINALS = "0th first second third fourth fifth sixth seventh eighth ninth tenth".split()
RANK_WORDS = dict(zip(RANKS, RANK_NAMES, strict=True))
RANKS_WORDS = dict(zip(RANKS, RANK_PLURALS, strict=True))


def listed(words: Sequence[str]) -> str:
    """Join names: `ann`, `ann and bob` or `ann, bob and cat`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def chips(amount: int) -> str:
    """Return `1 chip` or `2,500 chips`."""
    return "1 chip" if amount == 1 else f"{amount:,} chips"


def count(number: int) -> str:
    """Return a number in words, such as `two`. Numbers above ten are in digits."""
    return COUNTS[number] if number < len(COUNTS) else f"{number:,}"


def ordinal(number: int) -> str:
    """Return an ordinal such as `third`. Numbers above ten are in digits, such as `11th`."""
    return ORDINALS[number] if number < len(ORDINALS) else f"{number}th"


def points_words(points: float) -> str:
    """Return `1 point` or `7.5 points`."""
    return "1 point" if points == 1 else f"{points:,} points"


def with_article(words: str) -> str:
    """Return words with an article: `an eight-high straight`, `a full house`."""
    return f"an {words}" if words.startswith(("a", "e", "i", "o")) else f"a {words}"


def the_card(card: str) -> str:
    """Return `the three of clubs` or `a joker`."""
    name = card_name(CARDS[card])
    return with_article(name) if name == JOKER_NAME else f"the {name}"


# --- pots and shares ----------------------------------------------------------------------------

BAR = "-or-better"
LOW_BAR = re.compile(r"(10|[2-9TJQKA])-or-better")
PLACE = re.compile(r"(row|board|line) \d+")


def pot_words(pot: Reason) -> str:
    """Return `the pot`, `side pot 2` or `the nine carried pots`."""
    many = pot.get("count", 1)
    match pot["kind"]:
        case "carried":
            return "the carried pot" if many == 1 else f"the {count(many)} carried pots"
        case "side":
            return f"side pot {pot['number']}" if "number" in pot else "the side pot"
        case "main":
            return "the main pot"
    return "the pot"


@lru_cache(maxsize=1024)
def share_word(way: str) -> str:
    """Return the usual name of a share, such as `high` or `low`."""
    plain = " ".join(word for word in way.split() if not word.endswith(BAR))
    if not plain:
        return (
            "low"
            if LOW_BAR.fullmatch(way)
            else "badugi"
            if way.endswith(f"-cards{BAR}")
            else "high"
        )
    return (
        "low"
        if plain in LOW_SCALES or plain == "lowest"
        else "high"
        if plain == "highest"
        else plain
    )


@lru_cache(maxsize=1024)
def the_share(way: str) -> str:
    word = share_word(way)
    return word if PLACE.fullmatch(word) else f"the {word}"


# --- hands --------------------------------------------------------------------------------------

# categories with an article in their name, such as `a flush`, unlike `three aces` and `ace high`
ONE_OF = frozenset(
    (
        *("pair", "straight", "flush", "full-house", "straight-flush", "four-straight"),
        *("four-flush", *HOUSE_KINDS, *(n for n, kind in LONG_KINDS.items() if not kind.groups)),
    )
)
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
    **{
        name: f"{{one}}-high {house.name}" if house.tops else house.name
        for name, house in HOUSE_KINDS.items()
    },
    **{
        name: kind.name if kind.groups else f"{{one}}-high {kind.name}"
        for name, kind in LONG_KINDS.items()
    },
}
# the words for a qualifier that names a category without a rank
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
    """Return `an eight-high straight`, `three aces (9♦ as A♥)` or `the three of clubs`."""
    return _name(hand, article=True) + _remarks(hand)


def whose_hand(owner: Facts) -> str:
    """Return `ann's eight-high straight`, or only the name if the hand is unknown."""
    hand = owner.get("hand")
    if hand is None:
        return str(owner["player"])
    return f"{owner['player']}'s {_name(hand, article=False)}{_remarks(hand)}"


def hand_name(hand: Facts) -> str:
    """Return the name of a hand without its wild cards, such as `pair of queens`."""
    return _name(hand, article=False)


def same_name(one: Facts, other: Facts) -> bool:
    """Return whether two hands have the same name, so that a card decides between them."""
    return hand_name(one) == hand_name(other)


def _name(hand: Facts, *, article: bool) -> str:
    if "category" in hand:
        with_article, plain = _ranked(hand["scale"], hand["category"], *hand["ranks"])
        return with_article if article else plain
    if "deciding" in hand:
        stands = hand.get("plays_as", {})
        cards = [stands.get(card, card) for card in hand["deciding"]]
        if hand["scale"] != "holds":  # the first deciding card instead of all required cards
            jokers = sum(card.startswith("*") for card in cards)
            if not cards or (cards[0].startswith("*") and jokers > 1):
                return f"{count(jokers)} jokers" if cards else "no card"
            cards = cards[:1]
        words = [the_card(card) for card in cards]
        return listed([one if article else one.partition(" ")[2] for one in words])
    if "ranks" in hand:
        called = "hidugi" if hand["scale"] == "hidugi" else "badugi"
        badugi = f"{len(hand['ranks'])}-card {called}, {_dashed(hand['ranks'])}"
        return f"a {badugi}" if article else badugi
    return points_words(hand["points"])


@lru_cache(maxsize=8192)
def _ranked(scale: str, category: str, *ranks: str) -> tuple[str, str]:
    """Return the name of a hand with its article and without it."""
    if scale in LOW_SCALES and category == "high-card":
        dashed = _dashed(ranks)
        called = "wheel" if dashed == "5-4-3-2-A" else f"{RANK_WORDS[ranks[0]]}-low"
        return f"{with_article(called)}, {dashed}", dashed
    if category == "straight-flush" and ranks[0] == "A" and scale == "high":
        return "a royal flush", "royal flush"
    # a format string may use ranks that only its category has; every category has at least one rank
    plain = NAMES[category].format(
        one=RANK_WORDS[ranks[0]],
        many=RANKS_WORDS[ranks[0]],
        second=RANKS_WORDS[ranks[min(1, len(ranks) - 1)]],
        last=RANKS_WORDS[ranks[-1]],
    )
    return (with_article(plain) if category in ONE_OF else plain), plain


def _dashed(ranks: tuple[str, ...] | list[str]) -> str:
    return "-".join(map(rank_text, ranks))


def _remarks(hand: Facts) -> str:
    """Return ` (9♦ as A♥; two in hand and the top row, K♠ 9♦ 2♣)`, or "" if no remark is needed."""
    stands = [f"{sign(wild)} as {sign(card)}" for wild, card in hand.get("plays_as", {}).items()]
    remarks = [", ".join(stands)] if stands else []
    if "lies" in hand and hand["cards"]:
        own, board = hand["lies"]["hand"], hand["lies"]["board"]
        place = _place(hand["lies"], " ".join(map(sign, board)))
        in_hand = f"{count(len(own))} in hand and {place}" if own else place
        remarks.append(in_hand if board else "all in hand")
    return f" ({'; '.join(remarks)})" if remarks else ""


def _place(lies: Facts, cards: str) -> str:
    """Return `the third column, 2♠`, `K♠ 9♦ of the line K♠ 9♦ 2♣` or `9♦ 2♣ on the top row`."""
    if "line" in lies:
        line = lies["line"]
        if line["kind"] == "row":
            name = _row_name(line["number"], line["of"])
        elif line["kind"] == "column":
            name = f"the {ordinal(line['number'])} column"
        else:
            name = f"the {line['kind']}"
        whole = " ".join(map(sign, line["cards"]))
        if {*line["cards"]} == {*lies["board"]}:
            return f"{name} {whole}" if line["kind"] == "line" else f"{name}, {whole}"
        return f"{cards} of {name} {whole}" if line["kind"] == "line" else f"{cards} of {name}"
    return (
        f"{cards} on {_row_name(lies['row'], lies['rows'])}"
        if "row" in lies
        else f"{cards} on the board"
    )


def _row_name(number: int, of: int) -> str:
    return f"the {ROWS[of][number - 1]} row" if of in ROWS else f"the {ordinal(number)} row"


# --- qualifiers -----------------------------------------------------------------------------------


def bar_words(bar: Facts) -> str:
    """Return `an eight-low`, `three of a kind or better` or `a pair of jacks or better`."""
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


# --- winning and losing hands ---------------------------------------------------------------------

SINGLE_SCALES = ("highest", "lowest")
SUIT_WORDS = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"} | {
    group: f"{group} card" for group in ("red", "black", "face")
}
BEST = {
    **dict.fromkeys(("best", "worst", "ace-to-six"), "best low"),
    "most points": "most points",
    "least points": "fewest points",
}


def with_hand(reason: Reason) -> str:
    if "hand" not in reason:
        return ""
    also = [hand_words(made) for made in reason.get("also", ())]
    return f" with {listed([hand_words(reason['hand']), *also])}"


def ahead(reason: Reason) -> str:
    """Name the hand that the winner beat and the deciding card, or why there was no opponent."""
    table = f"the {hand_name(reason['table'])} on the table" if "table" in reason else ""
    if "ahead_of" not in reason:
        return f", ahead of {table}" if table else _only(reason)
    made, beaten = reason["hand"], reason["ahead_of"]["hand"]
    rival = whose_hand(reason["ahead_of"])
    if "category" in made and beaten and beaten["scale"] in SINGLE_SCALES and beaten["deciding"]:
        first = beaten["deciding"][0]  # if a hand has no category, its deciding card names it
        card = beaten.get("plays_as", {}).get(first, first)
        if card[0] in RANK_WORDS:
            rival = f"{reason['ahead_of']['player']}'s {RANK_WORDS[card[0]]} high"
    words = f", ahead of {rival}" + (f" and {table}" if table else "")
    if "number" in made and beaten and "points" in beaten:
        away = [abs(hand["points"] - made["number"]) for hand in (made, beaten)]
        ours, theirs = (int(points) if points == int(points) else points for points in away)
        if ours == theirs:  # the lower hand wins
            return f"{words}: as near, and below {made['number']}"
        return f"{words}: {points_words(ours)} from {made['number']} against {theirs:,}"
    if "decided_by" not in reason:
        return words
    decides = reason["decided_by"]
    # the deciding card is omitted if the names of the hands already show which hand is better
    if "deciding" in made:
        first = made["deciding"][0]
        is_clear = decides["by"] == made.get("plays_as", {}).get(first, first)
    else:
        is_clear = not same_name(made, beaten)
    if is_clear:
        return words
    by, over = (
        "no card"
        if card is None
        else f"the {RANK_WORDS[card]}"
        if len(card) == 1
        else the_card(card)
        for card in (decides["by"], decides["over"])
    )
    return f"{words}: {by} beats {over}"


def also_over(reason: Reason) -> str:
    """Name the losers whose hands exceed the number, with their points."""
    if "over" not in reason or reason.get("only") == "not-over":
        return ""
    (first, points), *others = [(name, f"{points:,}") for name, points in reason["over"].items()]
    parts = [f"{first} is over {reason['number']} with {points}"]
    return f"; {listed([*parts, *(f'{name} with {points}' for name, points in others)])}"


def _only(reason: Reason) -> str:
    match reason.get("only"):
        case "qualified":
            if reason["hand"]["scale"] == "holds":
                return ", which beats everything"
            word = share_word(reason["share"]) if "share" in reason else "hand"
            return f", the only {word} that qualified"
        case "declared":
            return f", the only one left who declared {share_word(reason['share'])}"
        case "not-over" if "over" in reason:
            over = [f"{name} has {points:,}" for name, points in reason["over"].items()]
            return f", the only one who is not over {reason['number']}: {listed(over)}"
    return ""


def not_won(reason: Reason) -> str:
    """Return why no player wins a share, or an empty string if the reason is unknown.

    Either the hand on the table is not beaten, or no player has all required hands.
    """
    if "table" in reason:
        return f"beats the {hand_name(reason['table'])} on the table"
    if "best" not in reason:
        return ""
    both = "has both" if reason["together"] == 2 else "has all of them"
    parts: list[str] = []
    for best in reason["best"]:
        made, scale = best["hand"], best["hand"]["scale"]
        card = SUIT_WORDS.get(best.get("named", ""), "card")
        what = f"{scale} {card}" if scale in SINGLE_SCALES else BEST.get(scale, "best hand")
        has = "tie for " if len(best["players"]) > 1 else "" if parts else "has "
        parts.append(f"{listed(best['players'])} {has}the {what} ({hand_words(made)})")
    return f"{both}: {', '.join(parts)}"

"""The preview picture of a shared hand. The picture is rendered on request."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

from django.core.cache import cache
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from league.common.pictures import png_of
from league.games.titles import variations
from league.models import Revision
from rules.cards import TEXTS, parse_card

WIDTH, HEIGHT = 1200, 630
PICTURE_VERSION = 5  # increase to invalidate cached pictures after changing the design
MOST_ROWS = 3
NARROW = frozenset(" \N{NO-BREAK SPACE}.,:'fijlrt")
WIDE = frozenset("MWmw@%—…ÆŒæœŴŵ½¼¾€™ЖФШЩЫЮжфшщыю")
CARD, GAP = 92, 8
SUITS = {"s": "spade", "h": "heart", "c": "club", "d": "diamond"}
_UNDRAWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff￾￿]")
_ICONS = (Path(__file__).parents[1] / "static" / "league" / "icons.svg").read_text("utf-8")
SYMBOLS = _ICONS.partition(">")[2].rpartition("</svg>")[0]


@dataclass(frozen=True, slots=True)
class Card:
    """A drawn card. `plays_as` is the card that a wild card represents."""

    x: int
    rank: str
    suit: str
    red: bool
    plays_as: "Card | None" = None


@dataclass(frozen=True, slots=True)
class Row:
    """A winner with the winning cards, drawn as one row of the picture."""

    y: int
    x: int
    name: str
    chips: str
    made: str
    cards: list[Card]


def hand_picture(revision: Revision) -> bytes:
    """Return a 1200 x 630 PNG with the winners and their hands.

    The picture is cached by revision.
    """
    key = f"hand-picture:{PICTURE_VERSION}:{revision.pk.hex}"
    png: bytes | None = cache.get(key)
    if png is None:
        png = png_of(drawn(revision))
        cache.set(key, png, timeout=None)
    return png


def drawn(revision: Revision) -> str:
    """Return the picture as SVG, with the fonts of `league.common.pictures`."""
    answer = revision.answer
    won, rows = list(winners(answer)), []
    for place, (name, chips, made, cards, plays_as) in enumerate(won[:MOST_ROWS]):
        drawn_cards = row_of_cards(cards, 70, plays_as)
        x = 70 + len(drawn_cards) * (CARD + GAP) + (30 if drawn_cards else 0)
        room = WIDTH - 70 - x
        amount = f"+{chips:,}"
        row = Row(
            y=152 + place * 134,
            x=x,
            name=fitted(name, 46, room - 40 - 30 * len(amount)),
            chips=amount,
            made=fitted(made, 34, room),
            cards=drawn_cards,
        )
        rows.append(row)
    game = " + ".join((revision.document.name, *variations(revision.record.get("modifiers", ()))))
    context = {
        "width": WIDTH,
        "height": HEIGHT,
        "symbols": mark_safe(SYMBOLS),  # noqa: S308 (our own file)
        "game": fitted(game, 58, WIDTH - 140),
        "hand": _("Hand %(number)s") % {"number": revision.hand.number},
        "rows": rows,
        "more": len(won) - MOST_ROWS,
        "carry": f"{answer['carry']:,}" if answer["carry"] else "",
        "voided": revision.hand.voided,
    }
    return render_to_string("hands/picture.svg", context)


def fitted(text: str, size: int, width: int) -> str:
    """Return the text without undrawable characters, truncated to `width` at font size `size`."""
    text = _UNDRAWABLE.sub("", text)
    room = width / size
    for at, letter in enumerate(text):
        room -= _width(letter)
        if room < 1 and at < len(text) - 1:  # the ellipsis takes up one character
            return f"{text[:at]}…"
    return text


def in_lines(text: str, size: int, width: int, most: int) -> list[str]:
    """Return the text wrapped into at most `most` lines. Lines wider than `width` are truncated.

    A separator at a line break is dropped.
    """
    words = [word for word in _UNDRAWABLE.sub("", text).split(" ") if word]
    lines: list[str] = []
    while words and len(lines) < most - 1:
        taken = len(words)
        while taken > 1 and not _fits(" ".join(words[:taken]), size, width):
            taken -= 1
        lines.append(" ".join(words[:taken]).removesuffix(" ·"))
        words = words[taken:]
    lines += [" ".join(words)] if words else []
    return [line if _fits(line, size, width) else fitted(line, size, width) for line in lines]


def _fits(text: str, size: int, width: int) -> bool:
    return sum(0.36 if letter in NARROW else _width(letter) for letter in text) <= width / size


def _width(letter: str) -> float:
    """Return the maximum width of the character in bold Figtree, relative to the font size."""
    if letter in WIDE or east_asian_width(letter) in "WF":
        return 1
    return 0.79 if letter.isupper() else 0.65


def winners(answer: dict[str, Any]) -> Iterator[tuple[str, int, str, list[str], dict[str, str]]]:
    """Yield (name, chips, hand, cards, plays_as) for each winner of chips, most chips first.

    `plays_as` maps wild cards to the cards that they represent. If the hand has no pot, the net
    winnings are used.
    """
    won = answer["won"] if answer["pots"] or not answer.get("hands") else answer["net"]
    for name, chips in sorted(won.items(), key=lambda item: -item[1]):
        if chips > 0:
            yield name, chips, *_best(answer, name)


def _best(answer: dict[str, Any], name: str) -> tuple[str, list[str], dict[str, str]]:
    """Return the hand that won the player's largest share in a run: name, cards and plays_as."""
    shares = [
        (share, run.get("hands", {}).get(name, {}))
        for run in answer.get("runs") or [answer]
        for pot in run["pots"]
        for share in pot["shares"]
    ]
    shares.sort(key=lambda each: -each[0]["winners"].get(name, 0))
    for share, hands in shares:
        hand = hands.get(share["way"])
        if share["winners"].get(name) and isinstance(hand, dict):
            plays_as = hand["plays_as"]
            return hand["name"], as_made(hand["cards"], plays_as, hand["name"]), plays_as
    return "", [], {}


def row_of_cards(cards: Sequence[str], left: int, plays_as: Mapping[str, str]) -> list[Card]:
    """Return the first five cards with their positions, side by side from x = `left`.

    `plays_as` maps wild cards to the cards that they represent.
    """
    return [
        _card(card, left + place * (CARD + GAP), plays_as.get(card, card))
        for place, card in enumerate(cards[:5])
    ]


def _card(card: str, x: int, played: str) -> Card:
    text = TEXTS[parse_card(card)]
    rank = {"T": "10", "*": ""}.get(text[0], text[0])
    other = _card(played, x, played) if played != card else None
    return Card(x, rank, SUITS.get(text[1], "joker"), text[1] in "hd", other)


def as_made(cards: Iterable[str], plays_as: Mapping[str, str], name: str) -> list[str]:
    """Return the cards of a hand in the order in which its name lists them.

    Frequent ranks come first, then high ranks. An ace below a two comes last. Pairs mean nothing in
    hands that are counted in points.
    """
    ranks = {card: plays_as.get(card, card)[0] for card in cards}
    often = Counter() if name.endswith("points") else Counter(ranks.values())
    listed = name.rpartition(" ")[2].replace("10", "T").split("-")
    order = "KQJT98765432A" if name.endswith("five high") else "AKQJT98765432"
    if len(listed) > 1 and set(listed) <= set(order):  # a low hand, such as `7-5-4-3-A`
        order = "".join(listed)
    return sorted(ranks, key=lambda card: (-often[ranks[card]], order.find(ranks[card]) % 99))

"""Cards as they are drawn, with the names that are read aloud."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

SUITS = {"s": "spade", "h": "heart", "c": "club", "d": "diamond"}
SUIT_NAMES: dict[str, Promise] = {
    "spade": gettext_lazy("spades"),
    "heart": gettext_lazy("hearts"),
    "club": gettext_lazy("clubs"),
    "diamond": gettext_lazy("diamonds"),
}
# Where a card lies, as pages say it.
ZONES: dict[str, Promise] = {
    "down": gettext_lazy("in the hole"),
    "up": gettext_lazy("showing"),
    "out": gettext_lazy("thrown away"),
    "shared": gettext_lazy("shared"),
    "tie": gettext_lazy("tie-break"),
}
RANK_NAMES: dict[str, Promise] = {
    "A": gettext_lazy("ace"),
    "K": gettext_lazy("king"),
    "Q": gettext_lazy("queen"),
    "J": gettext_lazy("jack"),
    "T": gettext_lazy("ten"),
    "9": gettext_lazy("nine"),
    "8": gettext_lazy("eight"),
    "7": gettext_lazy("seven"),
    "6": gettext_lazy("six"),
    "5": gettext_lazy("five"),
    "4": gettext_lazy("four"),
    "3": gettext_lazy("three"),
    "2": gettext_lazy("two"),
}


@dataclass(frozen=True, slots=True)
class Face:
    """A card: `suit` names its icon and is empty for a card nobody saw; `lit` ones were played."""

    rank: str
    suit: str
    name: str
    lit: bool = False
    plays_as: "Face | None" = None


def proper(card: str) -> str:
    """Return the one spelling of a card: "10h", "th" and "TH" are "Th"."""
    card = f"T{card[2:]}" if card.startswith("10") else card
    return card[:1].upper() + card[1:].lower()


def face(card: str, *, lit: bool = False, plays_as: str = "") -> Face:
    """Return the face of a card as a record writes it; "*1" is a joker, "??" was not seen."""
    card = proper(card)
    stands_for = face(plays_as) if plays_as and proper(plays_as) != card else None
    rank, suit = card[:1], SUITS.get(card[1:])
    if rank == "*":
        name, shown, suit = _("joker %(number)s") % {"number": card[1:]}, "", "joker"
    elif suit is None or rank not in RANK_NAMES:
        return Face("?", "", _("a card nobody saw"))
    else:
        name = _("%(rank)s of %(suit)s") % {"rank": RANK_NAMES[rank], "suit": SUIT_NAMES[suit]}
        shown = "10" if rank == "T" else rank
    if stands_for:
        name = _("%(card)s, playing as %(other)s") % {"card": name, "other": stands_for.name}
    return Face(shown, suit, name, lit, stands_for)


def faces(
    cards: Iterable[str], *, lit: Collection[str] = (), plays_as: Mapping[str, str] | None = None
) -> list[Face]:
    """Return the faces of the cards; `lit` and `plays_as` speak of cards in their one spelling."""
    stand = plays_as or {}
    return [face(c, lit=proper(c) in lit, plays_as=stand.get(proper(c), "")) for c in cards]


def as_made(cards: Iterable[str], plays_as: Mapping[str, str], name: str) -> list[str]:
    """Return the cards of a hand in the order in which its name tells it.

    What there is most of first, then from the top; an ace below a two comes last.
    """
    ranks = {card: plays_as.get(card, card)[0] for card in cards}
    often = Counter(ranks.values())
    listed = name.rpartition(" ")[2].replace("10", "T").split("-")
    order = "KQJT98765432A" if name.endswith("five high") else "AKQJT98765432"
    if len(listed) > 1 and set(listed) <= set(order):  # a low, as `7-5-4-3-A`
        order = "".join(listed)
    return sorted(ranks, key=lambda card: (-often[ranks[card]], order.find(ranks[card]) % 99))

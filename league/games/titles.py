"""Titles for the names of variations, options, families and traits of games, and their search."""

import re
from collections.abc import Collection, Iterable

from django.utils.translation import gettext, gettext_lazy, ngettext

from league.common.text import without_accents
from rules.documents.catalog import Traits

# Variations whose titles can't be derived from their names.
_VARIATIONS = {"two-row": "Two rows", "oma-draw": "Omaha with a draw"}
_FAMILIES = {
    "holdem": gettext_lazy("Hold'em"),
    "pineapple": gettext_lazy("Pineapple"),
    "omaha": gettext_lazy("Omaha"),
    "dramaha": gettext_lazy("Dramaha"),
    "grids": gettext_lazy("Rows, crosses and other boards"),
    "draw": gettext_lazy("Draw"),
    "lowball": gettext_lazy("Lowball"),
    "badugi": gettext_lazy("Badugi"),
    "stud": gettext_lazy("Stud"),
    "wild": gettext_lazy("Wild cards"),
    "passing": gettext_lazy("Passing cards"),
    "guts": gettext_lazy("In or out"),
    "points": gettext_lazy("Points"),
    "high-card": gettext_lazy("High card"),
    "kitty": gettext_lazy("Against the pot"),
    "banking": gettext_lazy("Against a bank"),
}
FAMILIES = tuple(_FAMILIES)  # in display order, most popular first
_OPTIONS = {
    "declare": gettext_lazy("High or low"),
    "lost_both": gettext_lazy("If you lose one way"),
}
_CHOICES = {
    ("low", "8-or-better"): gettext_lazy("8 or better"),
    ("low", "7-or-better"): gettext_lazy("7 or better"),
    ("low", "best"): gettext_lazy("ace to five"),
    ("low", "worst"): gettext_lazy("deuce to seven"),
    ("low", "ace-to-six"): gettext_lazy("ace to six"),
    ("both_ways", "outright"): gettext_lazy("must win both outright"),
    ("both_ways", "unbeaten"): gettext_lazy("must win or tie both"),
    ("lost_both", "next-best"): gettext_lazy("next best hand wins"),
    ("lost_both", "winner-takes-all"): gettext_lazy("winner takes all"),
    ("lost_both", "each-keeps"): gettext_lazy("each keeps what they won"),
    ("lost_both", "redeal"): gettext_lazy("same dealer deals again"),
    ("declare", "cards-speak"): gettext_lazy("cards speak"),
    ("declare", "high-low"): gettext_lazy("declare"),
    ("limits", "last-higher"): gettext_lazy("fixed, higher at the end"),
    ("limits", "rising"): gettext_lazy("rising each round"),
    ("limits", "pot-limit"): gettext_lazy("pot limit"),
    ("open_pair", "raises"): gettext_lazy("raises the limit"),
    ("open_pair", "ignored"): gettext_lazy("doesn't raise the limit"),
    ("odd_chip", "seat"): gettext_lazy("nearest the dealer's left"),
}


_KINDS = {
    "favourite": gettext_lazy("★ Favourites"),
    "dealt": gettext_lazy("Played here"),
    "split": gettext_lazy("Split pot"),
    "wild": gettext_lazy("Wild cards"),
    "common": gettext_lazy("Board cards"),
    "declare": gettext_lazy("Declare"),
    "draws": gettext_lazy("Draws"),
    "short": gettext_lazy("Short"),
    "long": gettext_lazy("Long"),
}


def variation(modifier: str) -> str:
    """Return "Pass the trash, 2 left" for "pass-the-trash 2 left"."""
    name, _, details = modifier.partition(" ")
    title = _VARIATIONS.get(name) or _sentence(name.replace("-", " "))
    return f"{title}, {details}" if details else title


def variations(modifiers: Iterable[str]) -> list[str]:
    return [variation(each) for each in modifiers]


def family(name: str) -> str:
    """Return the title of a catalog folder.

    By default, the title is derived from the folder's name.
    """
    return str(_FAMILIES.get(name) or _sentence(name.replace("-", " ")))


def family_place(name: str) -> tuple[int, str]:
    """Return a sort key for families in display order. Families without a title come last."""
    return (*FAMILIES, name).index(name), name


def traits(game: Traits) -> list[str]:
    """Return a game's traits in a few words, such as "4 cards each", "5 common", "split pot"."""
    counted = [
        ngettext("{n} card each", "{n} cards each", game.cards).format(n=game.cards),
        gettext("{n} on the board").format(n=game.common) if game.common else "",
        ngettext("{n} draw", "{n} draws", game.draws).format(n=game.draws) if game.draws else "",
    ]
    kinds = (
        (game.split, gettext("split pot")),
        (game.wild, gettext("wild cards")),
        (game.declare, gettext("declare")),
        (game.passes, gettext("passing")),
        (game.in_or_out, gettext("in or out")),
        (game.several_deals, gettext("several deals")),
    )
    return [*filter(None, counted), *(word for there, word in kinds if there)]


def kind(name: str) -> str:
    """Return the title of a kind of game, as shown on filter buttons."""
    return str(_KINDS[name])


def option(name: str) -> str:
    """Return "Odd chip" for "odd_chip"."""
    return str(_OPTIONS.get(name) or _sentence(name.replace("_", " ")))


# What tables change most, and what they rarely change.
_FIRST_OPTIONS = ("low", "declare", "wild", "joker", "deck", "cards", "legs", "lives")
_LAST_OPTIONS = ("both_ways", "lost_both", "odd_chip")


def option_place(name: str) -> int:
    """Return the sort key of an option. Options between the first and the last keep their order."""
    if name in _FIRST_OPTIONS:
        return _FIRST_OPTIONS.index(name) - len(_FIRST_OPTIONS)
    return _LAST_OPTIONS.index(name) + 1 if name in _LAST_OPTIONS else 0


def choice(of: str, name: str) -> str:
    """Return the title of an option's value. Most values are used as their titles."""
    return str(_CHOICES.get((of, name), name))


def chosen(of: str, name: str) -> str:
    """Return the title of a value, such as "cards speak".

    A value without a title follows the option's name: "odd chip high card".
    """
    title = _CHOICES.get((of, name))
    return str(title) if title else f"{of.replace('_', ' ')} {name}"


def label(of: str, name: str) -> str:
    """Return the title of an option's value for a menu: "Cards speak"."""
    return _sentence(choice(of, name))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


_WORD = re.compile(r"[^\W_]+")
_APOSTROPHE = re.compile("['\N{RIGHT SINGLE QUOTATION MARK}]")


def nearness(text: str, title: str, others: Iterable[str] = (), kinds: Collection[str] = ()) -> int:
    """Return a rank, higher for nearer names. A script ranks the same (games/search-matching.js).

    The searched name itself comes first, then names that begin with it, then names with words that
    begin with its words. Among these, games that the league has dealt come first, then popular
    games, then the names of which the text is the largest part. A title ranks above another name.
    """
    words = _words(text)
    known = 500 * ("dealt" in kinds) + 250 * ("popular" in kinds)
    ranks = [_rank(words, name) for name in (title, *others)]
    return max(rank and rank + known + (at == 0) for at, rank in enumerate(ranks))


def _rank(words: list[str], name: str) -> int:
    own = _words(name)
    joined, whole = "".join(own), "".join(words)
    if not whole:
        return 0
    if joined == whole:
        near = 3
    elif joined.startswith(whole):
        near = 2
    else:
        near = int(all(any(each.startswith(word) for each in own) for word in words))
    return near and 1000 * near + 2 * (100 * len(whole) // len(joined))


def _words(text: str) -> list[str]:
    return _WORD.findall(_APOSTROPHE.sub("", without_accents(text).lower()))


def normalized(text: str) -> str:
    """Return the text in lower case, without accents, with only its letters, digits and spaces."""
    return "".join(
        each for each in without_accents(text).lower() if each.isalnum() or each.isspace()
    )

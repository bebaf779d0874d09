"""What people call the variations and options of a game, whose own names are for programs."""

from collections.abc import Iterable

from django.utils.translation import gettext, gettext_lazy, ngettext

from rules.documents.catalog import Traits

# Where the words of the name, put apart, would not say enough.
_VARIATIONS = {"two-row": "Two rows"}
_FAMILIES = {
    "holdem": gettext_lazy("Hold'em"),
    "pineapple": gettext_lazy("Pineapple"),
    "omaha": gettext_lazy("Omaha"),
    "dramaha": gettext_lazy("Dramaha"),
    "grids": gettext_lazy("Rows, crosses and other common cards"),
    "draw": gettext_lazy("Draw"),
    "lowball": gettext_lazy("Lowball"),
    "badugi": gettext_lazy("Badugi"),
    "stud": gettext_lazy("Stud"),
    "wild": gettext_lazy("Wild cards"),
    "passing": gettext_lazy("Cards passed on"),
    "guts": gettext_lazy("In or out"),
    "points": gettext_lazy("Points"),
    "high-card": gettext_lazy("Single cards"),
    "kitty": gettext_lazy("Against the pot"),
    "banking": gettext_lazy("Against a bank"),
}
FAMILIES = tuple(_FAMILIES)  # in the order of the shelves: what most tables deal stands first
_CHOICES = {
    ("both_ways", "outright"): gettext_lazy("must win both, no ties"),
    ("both_ways", "unbeaten"): gettext_lazy("ties are fine"),
    ("declare", "cards-speak"): gettext_lazy("cards speak"),
    ("declare", "high-low"): gettext_lazy("declare"),
    ("odd_chip", "seat"): gettext_lazy("first left of the dealer"),
}


_KINDS = {
    "favourite": gettext_lazy("★ Favourites"),
    "dealt": gettext_lazy("Dealt here"),
    "split": gettext_lazy("Split pot"),
    "wild": gettext_lazy("Wild cards"),
    "common": gettext_lazy("Common cards"),
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
    """Return what a folder of the catalog is called; one without a title by its own words."""
    return str(_FAMILIES.get(name) or _sentence(name.replace("-", " ")))


def family_place(name: str) -> tuple[int, str]:
    """Return a key that sorts families as lists show them; one without a title comes last."""
    return (*FAMILIES, name).index(name), name


def traits(game: Traits) -> list[str]:
    """What a game is like in a few words: "4 cards each", "5 common", "high-low", "wild"."""
    counted = [
        ngettext("{n} card each", "{n} cards each", game.cards).format(n=game.cards),
        gettext("{n} common").format(n=game.common) if game.common else "",
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
    """Return what a kind of games is called on a chip."""
    return str(_KINDS[name])


def option(name: str) -> str:
    """Return "Odd chip" for "odd_chip"."""
    return _sentence(name.replace("_", " "))


def choice(of: str, name: str) -> str:
    """Return what a choice of an option is called; most are called as they are written."""
    return str(_CHOICES.get((of, name), name))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]

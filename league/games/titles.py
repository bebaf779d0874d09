"""What people call the variations and options of a game, whose own names are for programs."""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy

# Where the words of the name, put apart, would not say enough.
_VARIATIONS = {"two-row": "Two rows"}
_CHOICES = {
    ("both_ways", "outright"): gettext_lazy("must win both, no ties"),
    ("both_ways", "unbeaten"): gettext_lazy("ties are fine"),
    ("declare", "cards-speak"): gettext_lazy("cards speak"),
    ("declare", "high-low"): gettext_lazy("declare"),
    ("odd_chip", "seat"): gettext_lazy("first left of the dealer"),
}


def variation(modifier: str) -> str:
    """Return "Pass the trash, 2 left" for "pass-the-trash 2 left"."""
    name, _, details = modifier.partition(" ")
    title = _VARIATIONS.get(name) or _sentence(name.replace("-", " "))
    return f"{title}, {details}" if details else title


def variations(modifiers: Iterable[str]) -> list[str]:
    return [variation(each) for each in modifiers]


def option(name: str) -> str:
    """Return "Odd chip" for "odd_chip"."""
    return _sentence(name.replace("_", " "))


def choice(of: str, name: str) -> str:
    """Return what a choice of an option is called; most are called as they are written."""
    return str(_CHOICES.get((of, name), name))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]

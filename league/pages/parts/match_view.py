"""A match in words and pips: which deal it is, and the legs or lives of everybody."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.matches.states import KINDS

MOST_PIPS = 8  # more are told as a number


@dataclass(frozen=True, slots=True)
class Count:
    """A player's legs or lives; nothing to draw as pips where they are too many."""

    name: str
    kind: str
    number: int

    @property
    def words(self) -> str:
        if self.kind == "legs":
            return ngettext("%(n)s leg", "%(n)s legs", self.number) % {"n": self.number}
        if not self.number:
            return _("no life left")
        return ngettext("%(n)s life", "%(n)s lives", self.number) % {"n": self.number}

    @property
    def pips(self) -> range | None:
        return range(self.number) if self.number <= MOST_PIPS else None


@dataclass(frozen=True, slots=True)
class MatchView:
    """Which deal of a match, and everybody's counts: before it on a form, after it on a verdict."""

    deal: int
    counts: list[Count]


def match_view(told: Mapping[str, Any]) -> MatchView:
    """Return the view of a match as a record or an answer tells it; what makes no sense is left."""
    deal = told.get("deal", 1)
    return MatchView(deal if type(deal) is int else 1, list(counts(told)))


def counts(told: Mapping[str, Any]) -> Iterator[Count]:
    """Yield the legs, then the lives that are told."""
    for kind in KINDS:
        found = told.get(kind)
        for name, number in found.items() if isinstance(found, Mapping) else ():
            if type(number) is int:
                yield Count(str(name), kind, number)

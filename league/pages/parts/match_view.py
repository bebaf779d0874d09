"""View models for a match: the legs or lives of its players."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.matches import KINDS

MOST_PIPS = 8  # larger counts are shown as numbers


@dataclass(frozen=True, slots=True)
class MatchCount:
    """A player's legs or lives. Counts above `MOST_PIPS` have no pips.

    `most` is how many legs win the match, or how many lives a player has at the start, or 0.
    """

    name: str
    kind: str
    number: int
    most: int = 0

    @property
    def words(self) -> str:
        if self.kind == "legs" and self.most:
            text = ngettext("%(n)s of %(most)s leg", "%(n)s of %(most)s legs", self.most)
            return text % {"n": self.number, "most": self.most}
        if self.kind == "legs":
            return ngettext("%(n)s leg", "%(n)s legs", self.number) % {"n": self.number}
        if not self.number:
            return _("no lives left")
        return ngettext("%(n)s life", "%(n)s lives", self.number) % {"n": self.number}

    @property
    def pips(self) -> list[bool] | None:
        """Return whether each circle is filled."""
        circles = max(self.number, self.most, 1)
        return [at < self.number for at in range(circles)] if circles <= MOST_PIPS else None


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match's deal number and counts, before the deal or after the verdict."""

    deal: int
    counts: list[MatchCount]


def match_view(match: Mapping[str, Any], most: Mapping[str, int]) -> MatchView:
    """Return the view of a match in a record or an answer. Invalid values are ignored."""
    deal = match.get("deal", 1)
    return MatchView(deal if type(deal) is int else 1, list(counts(match, most)))


def counts(match: Mapping[str, Any], most: Mapping[str, int]) -> Iterator[MatchCount]:
    """Yield the legs of all players, then their lives. `most` is from `most_counted`."""
    for kind in KINDS:
        numbers = match.get(kind)
        for name, number in numbers.items() if isinstance(numbers, Mapping) else ():
            if type(number) is int:
                yield MatchCount(str(name), kind, number, most.get(kind, 0))

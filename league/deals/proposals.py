"""Which game the next deal could be: what the league deals, what the carry asks, what fits."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from league.games.lookup import house_games
from league.games.odds import players_of
from league.models import Night, Revision, Seat
from league.nights import nights
from rules.documents import catalog

LAST, MOST = 20, 6  # hands of the night and games of the league that come first
MOST_PROPOSED = 3
FAR_BACK = 300  # hands of the league that say which games it deals most

Documents = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Dealt:
    """Slugs of games: those of the night, newest first, and those that the league deals most.

    `often` are the first few of `known`, all that the league deals, the most dealt first; `latest`
    are those of its last hands, the newest first.
    """

    tonight: Sequence[str] = ()
    often: Sequence[str] = ()
    known: Sequence[str] = ()
    latest: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A game, and why it is proposed: `again`, `not-lately`, `often` or `fits`."""

    slug: str
    why: str


@dataclass(frozen=True, slots=True)
class Choices:
    """The games that can be named, how many are seated, and what is proposed first."""

    documents: Documents
    seated: int
    dealt: Dealt
    proposals: list[Proposal] = field(default_factory=list)

    def fits(self, slug: str) -> bool:
        return self.seated in players_of(self.documents[slug])


def choices(night: Night) -> Choices:
    """Return what can be dealt next at the night, with three proposals."""
    documents = {slug: catalog.document(slug) for slug in catalog.slugs()} | house_games(night)
    seated = Seat.objects.filter(night=night, left_at=None).count()
    found = Choices(documents, seated, dealt(night))
    found.proposals.extend(islice(_proposals(night, found), MOST_PROPOSED))
    return found


def dealt(night: Night) -> Dealt:
    """Return what the night and its league have dealt."""
    here = _current(night).filter(hand__night=night).order_by("-hand__number")
    latest = _variants(_current(night).order_by("-hand__made_at")[:FAR_BACK])
    known = [variant for variant, _times in Counter(latest).most_common()]
    return Dealt(_variants(here[:LAST]), known[:MOST], known, latest)


def usual(night: Night, variant: str) -> dict[str, str]:
    """Return the choices that the league made when it last played the game."""
    last = _current(night).filter(record__variant=variant).order_by("-hand__made_at").first()
    chosen = last.record.get("options", {}) if last else {}
    return {name: word for name, word in chosen.items() if isinstance(word, str)}


def _proposals(night: Night, found: Choices) -> Iterator[Proposal]:
    """Yield the game to deal again after a carry, one not dealt lately, one that fits the table."""
    taken: set[str] = set()

    def first(slugs: Sequence[str], why: str) -> Iterator[Proposal]:
        fit = (each for each in slugs if each in found.documents and each not in taken)
        for slug in (each for each in fit if found.fits(each)):
            taken.add(slug)
            yield Proposal(slug, why)
            return

    if nights.carry(night):
        yield from first(found.dealt.tonight[:1], "again")
    lately = set(found.dealt.latest[:LAST])
    rare = [each for each in reversed(found.dealt.known) if each not in lately]
    yield from first(rare, "not-lately")
    named = sorted(found.documents, key=lambda slug: _distance(found, slug))
    yield from first(found.dealt.often, "often")
    yield from first(named, "fits")
    while len(taken) < MOST_PROPOSED and (more := list(first(named, "fits"))):
        yield from more


def _distance(found: Choices, slug: str) -> tuple[int, str]:
    """Return how far the table is from a full one of the game: a full table is the best one."""
    document = found.documents[slug]
    return players_of(document).stop - found.seated, str(document["name"])


def _current(night: Night) -> QuerySet[Revision]:
    league = night.season.league_id
    return Revision.objects.filter(hand__night__season__league=league, current=True, voids=False)


def _variants(rows: QuerySet[Revision]) -> list[str]:
    """Return the names of the games of these hands, each once for every hand."""
    variants = rows.values_list("record__variant", flat=True)
    return [variant for variant in variants if isinstance(variant, str)]

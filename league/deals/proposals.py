"""Propose games for the next deal.

The table has to continue a running match or a game with a carried pot. Otherwise, favourite,
familiar and new games are suggested.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any
from zlib import crc32

from django.db.models import QuerySet

from league.deals.table import Table
from league.games.lookup import house_games
from league.games.odds import players_of
from league.models import Night, Revision
from rules.documents import catalog

MOST_SUGGESTED = 3
SEEDS = 10_000  # four-digit seeds are easy to say aloud at the table


class Why(StrEnum):
    """The reason why a game is suggested."""

    FAVOURITE = "favourite"
    DEALT = "dealt"
    NEW = "new"


# A member's favourite, a game that has not been dealt recently, and a game that is new to the
# league.
SLOTS = tuple(Why)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A game that could be dealt, with its possible numbers of players and its league history."""

    slug: str
    family: str
    players: range
    loved: bool = False
    dealt: bool = False
    lately: bool = False

    @property
    def why(self) -> Why:
        if self.loved:
            return Why.FAVOURITE
        return Why.DEALT if self.dealt else Why.NEW


def suggest(games: Iterable[Candidate], seated: int, seed: int) -> list[Candidate]:
    """Return up to three games for `seated` players that were not dealt recently.

    Different families are preferred first, and then one game for each reason in `SLOTS`.
    """
    fit = [game for game in games if seated in game.players and not game.lately]
    drawn = sorted(fit, key=lambda game: (_shuffle_key(seed, game.slug), game.slug))
    picked: list[Candidate] = []
    for reason in SLOTS:
        left = [game for game in drawn if game not in picked]
        families = {game.family for game in picked}
        if left:
            # the first drawn game among the best fits for the families and the reason
            picked.append(min(left, key=lambda game: (game.family in families, game.why != reason)))
    return picked[:MOST_SUGGESTED]


def _shuffle_key(seed: int, slug: str) -> int:
    """Return the sort key of a game for a seed: a 32-bit FNV-1a hash with a final mix.

    Without the mix, which is from MurmurHash3, names with the same ending get similar keys.
    """
    lot = 0x811C9DC5
    for letter in f"{seed}:{slug}".encode():
        lot = (lot ^ letter) * 0x01000193 & 0xFFFFFFFF
    lot = (lot ^ lot >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    lot = (lot ^ lot >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return lot ^ lot >> 16


LAST, MOST_OFTEN = 20, 6  # number of recent hands, and number of the most dealt games
FEW_GAMES = 5  # a league that has dealt fewer still sees the best-known games
HOUSE = "house"
FAR_BACK = 300  # number of hands used to determine the league's most dealt games

Documents = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The slugs of games dealt during the night and in its league.

    `known` contains all games dealt in the league, most dealt first, and `often` contains the first
    few of them. `latest` contains the games of the league's last hands, newest first. `usual`
    contains the options with which those games were last started. `hands` is the number of hands
    dealt in the league. `starred` contains the visitor's favourites, and `loved` contains the
    favourites of all members.
    """

    tonight: Sequence[str] = ()
    often: Sequence[str] = ()
    known: Sequence[str] = ()
    latest: Sequence[str] = ()
    usual: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    hands: Mapping[str, int] = field(default_factory=dict)
    starred: Collection[str] = ()
    loved: Collection[str] = ()

    @property
    def lately(self) -> set[str]:
        """The recently dealt games, which are not suggested."""
        return set(self.latest[:LAST])

    @property
    def ever(self) -> set[str]:
        return {*self.hands, *self.known}

    @property
    def everywhere(self) -> Sequence[str]:
        """The best-known games, for a league that has dealt only a few games."""
        return catalog.popular_slugs() if len(self.ever) < FEW_GAMES else ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A game that the table has to continue, and the reason: `match` or `again`."""

    slug: str
    why: str


@dataclass(frozen=True, slots=True)
class Choices:
    """The games that can be named, the number of seated players, and the game to propose first."""

    documents: Documents
    seated: int
    dealt: Dealt
    proposals: Sequence[Proposal] = ()

    def fits(self, slug: str) -> bool:
        return self.seated in players_of(self.documents[slug])

    def suggested(self, seed: int) -> list[Candidate]:
        """Return up to three games to deal, drawn with this seed."""
        history, lately, ever = self.dealt, self.dealt.lately, self.dealt.ever
        games = (
            Candidate(
                slug=slug,
                family=family_of(slug, document),
                players=players_of(document),
                loved=slug in history.loved,
                dealt=slug in ever,
                lately=slug in lately,
            )
            for slug, document in self.documents.items()
        )
        return suggest(games, self.seated, seed)


def choices(table: Table, history: Dealt | None = None) -> Choices:
    """Return the games for the next deal, starting with the one that the table has to continue."""
    night = table.night
    documents = {slug: catalog.document(slug) for slug in catalog.slugs()} | house_games(night)
    choices = Choices(documents, len(table.taken), history or dealt(night))
    slugs: dict[str, str] = {}
    if match := table.match:
        slugs[str(match.variant)] = "match"
    if table.free_carry and choices.dealt.tonight:
        slugs.setdefault(choices.dealt.tonight[0], "again")
    proposals = [
        Proposal(slug, why)
        for slug, why in slugs.items()
        if slug in choices.documents and choices.fits(slug)
    ]
    return replace(choices, proposals=proposals)


def seed_of(night: Night, hand: int) -> int:
    """Return the first seed for suggesting games for this hand of the night."""
    return crc32(f"{night.pk}:{hand}".encode()) % SEEDS


def family_of(slug: str, document: Mapping[str, Any]) -> str:
    """Return the game's family. All house games belong to one family."""
    of_catalog = slug in catalog.slugs() and catalog.document(slug) == document
    return catalog.family(slug) if of_catalog else HOUSE


def dealt(night: Night) -> Dealt:
    """Return the games that were dealt in the night and in its league."""
    here = _current(night).filter(hand__night=night).order_by("-hand__number")
    columns = ("record__variant", "record__options", "record__match__id")
    rows = _current(night).order_by("-hand__made_at")[:FAR_BACK].values_list(*columns)
    last = [row for row in rows if isinstance(row[0], str)]
    latest = [variant for variant, _options, _match in last]
    usual: dict[str, dict[str, str]] = {}
    for variant, options, match in last:
        if match is None:
            usual.setdefault(variant, _chosen(options))
    known = [variant for variant, _times in Counter(latest).most_common()]
    of_night = here.values_list("record__variant", flat=True)
    tonight = [variant for variant in of_night if isinstance(variant, str)]
    return Dealt(tonight, known[:MOST_OFTEN], known, latest, usual)


def usual_options(night: Night, variant: str) -> dict[str, str]:
    """Return the options with which the game was last started in the league.

    The later deals of a match, which contain its id, don't count, because a match can change its
    options. If the first deal is undone, a later one is the first.
    """
    hands = _current(night).filter(record__match__id__isnull=True, record__variant=variant)
    last = hands.order_by("-hand__made_at").first()
    return _chosen(last.record.get("options")) if last else {}


def _chosen(options: Any) -> dict[str, str]:
    """Return the options that are choices, not facts about a deal such as numbers."""
    return {name: word for name, word in (options or {}).items() if isinstance(word, str)}


def _current(night: Night) -> QuerySet[Revision]:
    league = night.season.league_id
    return Revision.objects.filter(hand__night__season__league=league, current=True, voids=False)

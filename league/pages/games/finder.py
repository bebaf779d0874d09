"""Search and filter lists of games by the words and chips in the URL.

Each row has one attribute for scripts. The attribute contains the player range, the number of
cards, the family and the kinds ("2-8 4 omaha split common"). Frequently sent lists omit the
attribute. For these lists, scripts use the index instead, a file of all catalog games that the
phone caches.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from league.deals.proposals import HOUSE, Dealt, dealt, family_of
from league.games import titles
from league.models import Night, User
from league.pages.games.game_page import rules_of
from league.people.favourites import favourites
from league.stats.figures.games import hands_by_game
from rules.documents import catalog
from rules.documents.catalog import (
    KINDS,
    Chip,
    FilterTraits,
    Traits,
    counts_after,
    filter_traits,
    has_all,
    tapped,
    traits_of,
)

# Visitors can search for games by the words of their rules, such as "low spade in the hole wins
# half".
#
# Each catalog game is indexed by the words on its rules page and their synonyms. Words used in most
# games do not distinguish games, so they are neither indexed nor searched for. A script searches
# for the same words (games/search-matching.js) in the index that it fetches.


# The folders from which the pages are made.
SOURCES = ("league/pages", "league/static", "rules", "templates")
WORD = re.compile(r"\w+")
SHORT = 3  # words this short are not plurals, e.g. "yes"
COMMON = 0.5  # if a word occurs in more than this share of games, it is too common to search for
# Words of rules pages, with synonyms that players type.
ALIKE = {
    "down": "hole pocket hidden",
    "up": "open exposed showing face",
    "board": "community common shared",
    "split": "divided half halves",
    "lowest": "low",
    "highest": "high",
    "exchange": "draw discard replace swap trade",
    "draw": "exchange discard replace",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "declare": "declares chips fist",
    "match": "matches",
    "follower": "after follow following next",
    "axe": "king diamonds",
    "suicide": "king hearts",
    "spade": "spades",
    "joker": "jokers",
}
# Ranks in the plural. "Twos are wild" is not "two cards", so these words keep their plural.
RANKS = {
    "deuces": "2s twos",
    "threes": "3s treys",
    "fours": "4s",
    "fives": "5s",
    "sixes": "6s",
    "sevens": "7s",
    "eights": "8s",
    "nines": "9s",
    "tens": "10s",
}
PLURALS = frozenset(" ".join((*RANKS, *RANKS.values())).split())
NOT_OF_THE_GAME = "House rulings"  # a section about ties and odd chips, alike for most games
FILLERS = """
    a an the in of with for from at by and or to if is are be has have get gets getting take takes
    win wins winning winner who whoever whose when where which that this it your you my game games
    play played playing poker card cards hand hands pot hold holds holding
"""


def words_of(texts: Iterable[str]) -> set[str]:
    """Return the words in these strings and their synonyms."""
    found_words = {word for text in texts for word in WORD.findall(text.lower())}
    alike = ALIKE | RANKS
    return found_words | {each for word in found_words for each in alike.get(word, "").split()}


@cache
def _all_words() -> dict[str, set[str]]:
    """Return all words on each catalog game's rules page, keyed by slug."""
    pages = {slug: rules_of(slug).page["sections"] for slug in catalog.slugs()}
    return {
        slug: words_of(
            line
            for section in sections
            if section["title"] != NOT_OF_THE_GAME
            for line in (section["title"], *section["lines"])
        )
        for slug, sections in pages.items()
    }


@cache
def common_words() -> frozenset[str]:
    """Return the words that are too common to distinguish games."""
    games = _all_words()
    counted = Counter(word for words in games.values() for word in words)
    most = len(games) * COMMON
    return frozenset((*FILLERS.split(), *(word for word, n in counted.items() if n > most)))


@cache
def rule_words(slug: str) -> str:
    """Return the uncommon words in a catalog game's rules, separated by spaces."""
    return " ".join(sorted(_all_words()[slug] - common_words()))


def has_rules(slug: str, names: str, typed: Iterable[str]) -> bool:
    """Return whether a game's rules or `names` contain all typed words, except common ones."""
    if slug not in catalog.slugs():
        return False
    telling = [word for word in typed if not {word, _single(word)} & common_words()]
    words = f" {rule_words(slug)}"
    return bool(telling) and all(f" {_single(word)}" in words or word in names for word in telling)


def _single(word: str) -> str:
    """Return the word without a plural s."""
    return word.removesuffix("s") if len(word) > SHORT and word not in PLURALS else word


MOST_LETTERS = 100  # maximum length of a search text
PLAYERS, CARDS = range(2, 11), range(1, 10)


@dataclass(frozen=True, slots=True)
class Tap:
    """A filter chip. `left` is the number of games that would remain, if known."""

    group: str
    value: str
    label: str
    chosen: bool = False
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Finder:
    """The search text, the filter chips, and the slugs of the matching games."""

    text: str = ""
    groups: Sequence[tuple[str, list[Tap]]] = ()
    shown: Collection[str] = ()
    narrows: bool = False
    total: int = 0

    @property
    def index_at(self) -> str:
        return index_at()


@lru_cache(maxsize=1024)
def traits(slug: str) -> Traits:
    """Return a catalog game's traits."""
    return traits_of(catalog.document(slug))


def filter_traits_of(
    slug: str, document: Mapping[str, Any] | None = None, also: Iterable[str] = ()
) -> FilterTraits:
    """Return the filter traits of `document`, or of a catalog game if there is no document."""
    if document:
        return filter_traits(traits_of(document), also)
    popular = ("popular",) if slug in catalog.popular_slugs() else ()
    return filter_traits(traits(slug), (*also, *popular))


def row_text(game: FilterTraits, family: str) -> str:
    """Return the text that scripts use to filter a row."""
    players = f"{game.players.start}-{game.players.stop - 1}"
    return " ".join((players, str(game.cards), family, *sorted(game.kinds)))


def row_of(slug: str, document: Mapping[str, Any], known: Dealt) -> str:
    """Return the text that scripts use to filter a row, including the league's own kinds."""
    family = family_of(slug, document)
    in_league = {
        "favourite": slug in known.starred,
        "loved": slug in known.loved,
        "dealt": slug in known.ever,
        "lately": slug in known.lately,
    }
    also = [kind for kind, is_so in in_league.items() if is_so]
    return row_text(filter_traits_of(slug, document if family == HOUSE else None, also), family)


def search(query: QueryDict, rows: Iterable[Mapping[str, Any]], also: Sequence[str] = ()) -> Finder:
    """Return the search and filters in the URL, and the rows that match them.

    A row contains `slug`, `words` and `filter_traits`. `also` lists kinds that are specific to the
    visitor or the league, such as favourites.
    """
    text, offered = query.get("q", "")[:MOST_LETTERS], _offered(also)
    words = titles.normalized(text).split()
    chosen: frozenset[Chip] = frozenset()
    for chip in (chip for chips in offered.values() for chip in chips):
        if chip.value in query.getlist(chip.group):
            chosen = tapped(chosen, chip)
    listed = list(rows)
    matches = [row for row in listed if all(word in row["words"] for word in words)]
    if not matches:
        matches = [row for row in listed if has_rules(row["slug"], row["words"], words)]
    left = counts_after(
        (row["filter_traits"] for row in matches), chosen, chain.from_iterable(offered.values())
    )
    shown = {row["slug"] for row in matches if has_all(row["filter_traits"], chosen)}
    return Finder(text, _groups(offered, chosen, left), shown, bool(words or chosen), len(listed))


def nearest_first(
    text: str, groups: Sequence[tuple[str, Sequence[dict[str, Any]]]], shown: Collection[str]
) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the groups and their rows, those whose names are nearest to the search text first."""
    near = {
        row["slug"]: titles.nearness(
            text,
            row["name"],
            row.get("aliases", ()),
            row["filter_traits"].kinds,
        )
        for _title, rows in groups
        for row in rows
        if row["slug"] in shown
    }

    def rank(row: Mapping[str, Any]) -> int:
        return -near.get(row["slug"], 0)

    ranked = [(title, sorted(rows, key=rank)) for title, rows in groups]
    return sorted(ranked, key=lambda group: min(map(rank, group[1]), default=0))


def chips(also: Sequence[str], players: int) -> Finder:
    """Return the chips for a list that only scripts filter.

    There is a chip for `players`, unless it is 0.
    """
    offered = _offered(also) | {"players": [Chip("players", str(players))] if players else []}
    return Finder(groups=_groups(offered, frozenset(), {}))


def known_kinds(known: Dealt) -> list[str]:
    """Return the league's own kinds that contain at least one game."""
    there = {"favourite": known.starred, "dealt": known.ever}
    return [kind for kind, slugs in there.items() if slugs]


def _offered(also: Sequence[str]) -> dict[str, list[Chip]]:
    """Return all chips, keyed by group."""
    return {
        "kind": [Chip("kind", kind) for kind in (*also, *KINDS)],
        "players": [Chip("players", str(number)) for number in PLAYERS],
        "cards": [Chip("cards", str(number)) for number in CARDS],
    }


def _groups(
    offered: Mapping[str, Sequence[Chip]], chosen: frozenset[Chip], left: Mapping[Chip, int]
) -> list[tuple[str, list[Tap]]]:
    titled = {"kind": "", "players": _("Players"), "cards": _("Cards each")}
    groups = []
    for group, chips in offered.items():
        taps = []
        for chip in chips:
            label = titles.kind(chip.value) if chip.group == "kind" else chip.value
            taps.append(Tap(*chip, label, chosen=chip in chosen, left=left.get(chip)))
        if taps:
            groups.append((titled[group], taps))
    return groups


@cache
def _index() -> dict[str, list[str]]:
    """Return the index of all catalog games, keyed by slug. Building the index takes seconds.

    An entry contains the game's other names, its filter text and the words of its rules. The entry
    "" contains the ranks in the plural and the common words.
    """
    games = {}
    for slug in catalog.slugs():
        aliases = ", ".join(catalog.document(slug).get("aliases", ()))
        filter_text = row_text(filter_traits_of(slug), catalog.family(slug))
        games[slug] = [aliases, filter_text, rule_words(slug)]
    games[""] = ["", " ".join(sorted(PLURALS)), " ".join(sorted(common_words()))]
    return games


@cache
def version() -> str:
    """Return a hash of the pages' source files. When it changes, phones fetch the files again."""
    digest = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.relative_to(settings.BASE_DIR).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def index_at() -> str:
    """Return the URL of the index.

    The URL contains the version of all sources, which is fast to compute.
    """
    return reverse("games-index", args=[version()])


@login_not_required
@require_safe
@cache_control(public=True, max_age=31_536_000, immutable=True)
def index(_request: HttpRequest, named: str) -> HttpResponse:
    """Return the index. Requests for any other version return 404."""
    if named != version():
        raise Http404
    return JsonResponse(_index())


def dealt_here(night: Night, user: User) -> Dealt:
    """Return the dealt games, their counts from the statistics, and the users' stars."""
    league = night.season.league_id
    stars = favourites(user, league)
    return replace(dealt(night), hands=hands_by_game(league), starred=stars.own, loved=stars.loved)

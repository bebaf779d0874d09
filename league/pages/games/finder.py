"""Finding a game among many: words and chips of the address, what each row says for scripts.

A row tells scripts what it can be found by in one attribute: for how many, how many cards, its
family, its kinds ("2-8 4 omaha split common"). Lists that are sent often leave that to the index,
a file of all games of the catalog that a phone keeps.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from league.deals.proposals import HOUSE, Dealt, family_of
from league.games import titles
from league.pages.games.game_page import rules_of
from rules.documents import catalog
from rules.documents.catalog import (
    KINDS,
    Chip,
    FilterTraits,
    Traits,
    filter_traits,
    has_all,
    left_by,
    tapped,
    traits_of,
)

# Finding a game by plain words of its rules: "low spade in the hole wins half".
#
# Each game of the catalog has the words of its rules page, with what players call the same thing.
# Words that most games have tell none apart: they are left out, and skipped where somebody types
# them. Scripts search the same words (games/filter-games.js), by the index that they fetch.


WORD = re.compile(r"\w+")
SHORT = 3  # letters of a word that is no plural, as "ace" or "yes"
COMMON = 0.5  # the share of all games from which a word tells none apart
# What a rules page says, and what players type for it.
ALIKE = {
    "down": "hole pocket hidden",
    "up": "open exposed showing face",
    "board": "community common shared",
    "divided": "half halves",
    "lowest": "low",
    "highest": "high",
    "exchange": "draw discard replace swap trade",
    "draw": "exchange discard replace",
    "twos": "deuce deuces",
    "two": "2",
    "three": "3",
    "threes": "trey treys",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "declare": "declares chips fist",
    "match": "matches",
    "axe": "king diamonds",
    "suicide": "king hearts",
    "spade": "spades",
    "joker": "jokers",
}
FILLERS = """
    a an the in of with for from at by and or to if is are be has have get gets getting take takes
    win wins winning winner who whoever whose when where which that this it your you my game games
    play played playing poker card cards hand hands pot hold holds holding
"""


def words_of(texts: Iterable[str]) -> set[str]:
    """Return the words of some texts, and what players call the same."""
    found_words = {word for text in texts for word in WORD.findall(text.lower())}
    return found_words | {each for word in found_words for each in ALIKE.get(word, "").split()}


@cache
def _all_words() -> dict[str, set[str]]:
    """Return all words of each game of the catalog."""
    pages = {slug: rules_of(slug).page["sections"] for slug in catalog.slugs()}
    return {
        slug: words_of(
            line for section in sections for line in (section["title"], *section["lines"])
        )
        for slug, sections in pages.items()
    }


@cache
def common_words() -> frozenset[str]:
    """Return the words that tell no games apart."""
    games = _all_words()
    counted = Counter(word for words in games.values() for word in words)
    most = len(games) * COMMON
    return frozenset((*FILLERS.split(), *(word for word, n in counted.items() if n > most)))


@cache
def rule_words(slug: str) -> str:
    """Return the words by which the rules of a game of the catalog differ from others."""
    return " ".join(sorted(_all_words()[slug] - common_words()))


def has_rules(slug: str, names: str, typed: Iterable[str]) -> bool:
    """Return whether a game's rules or `names` contain all typed words, common ones aside."""
    if slug not in catalog.slugs():
        return False
    telling = [word for word in typed if not {word, _single(word)} & common_words()]
    words = f" {rule_words(slug)}"
    return bool(telling) and all(f" {_single(word)}" in words or word in names for word in telling)


def _single(word: str) -> str:
    """Return the word without the s of a plural."""
    return word.removesuffix("s") if len(word) > SHORT else word


MOST_LETTERS = 100  # of what is looked for
PLAYERS, CARDS = range(2, 11), range(1, 10)


@dataclass(frozen=True, slots=True)
class Tap:
    """A chip as a page shows it. `left` is the number of games it would leave, if known."""

    group: str
    value: str
    label: str
    chosen: bool = False
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Finder:
    """What is looked for, the chips to tap, and the slugs of the games that are left."""

    asked: str = ""
    groups: Sequence[tuple[str, list[Tap]]] = ()
    shown: Collection[str] = ()
    narrows: bool = False
    total: int = 0

    @property
    def index_at(self) -> str:
        return index_at()


@lru_cache(maxsize=1024)
def traits(slug: str) -> Traits:
    """Return the traits of a game of the catalog."""
    return traits_of(catalog.document(slug))


def filter_traits_of(
    slug: str, document: Mapping[str, Any] | None = None, also: Iterable[str] = ()
) -> FilterTraits:
    """Return the traits that filters use, of a catalog game or of a document."""
    return filter_traits(traits_of(document) if document else traits(slug), also)


def row_text(game: FilterTraits, family: str) -> str:
    """Return the text of a row that scripts filter by."""
    players = f"{game.players.start}-{game.players.stop - 1}"
    return " ".join((players, str(game.cards), family, *sorted(game.kinds)))


def row_of(slug: str, document: Mapping[str, Any], known: Dealt) -> str:
    """Return the text that scripts filter by, for a game that a league knows."""
    family = family_of(slug, document)
    in_league = {
        "favourite": slug in known.starred,
        "loved": slug in known.loved,
        "dealt": slug in known.ever,
        "lately": slug in known.lately,
    }
    also = [kind for kind, is_so in in_league.items() if is_so]
    return row_text(filter_traits_of(slug, document if family == HOUSE else None, also), family)


def plain(text: str) -> str:
    """Return the letters, numbers and spaces of a text, as it is looked for."""
    return "".join(letter for letter in text.lower() if letter.isalnum() or letter.isspace())


def look(asked: QueryDict, rows: Iterable[Mapping[str, Any]], also: Sequence[str] = ()) -> Finder:
    """Return what the address asks for, and which of the rows have it.

    A row has its `slug`, its `words` and what it is `found` by; `also` are kinds that the visitor
    or the league knows games by.
    """
    text, offered = asked.get("q", "")[:MOST_LETTERS], _offered(also)
    words = plain(text).split()
    chosen: frozenset[Chip] = frozenset()
    for chip in (chip for chips in offered.values() for chip in chips):
        if chip.value in asked.getlist(chip.group):
            chosen = tapped(chosen, chip)
    listed = list(rows)
    meant = [row for row in listed if all(word in row["words"] for word in words)]
    if not meant:
        meant = [row for row in listed if has_rules(row["slug"], row["words"], words)]
    left = left_by(
        (row["filter_traits"] for row in meant), chosen, chain.from_iterable(offered.values())
    )
    shown = {row["slug"] for row in meant if has_all(row["filter_traits"], chosen)}
    return Finder(text, _groups(offered, chosen, left), shown, bool(words or chosen), len(listed))


def chips(also: Sequence[str], players: int) -> Finder:
    """Return the chips of a list that only scripts filter, for this number of players."""
    offered = _offered(also) | {"players": [Chip("players", str(players))] if players else []}
    return Finder(groups=_groups(offered, frozenset(), {}))


def known_kinds(known: Dealt) -> list[str]:
    """Return the kinds of what a league knows of which there is any."""
    there = {"favourite": known.starred, "dealt": known.ever}
    return [kind for kind, slugs in there.items() if slugs]


def _offered(also: Sequence[str]) -> dict[str, list[Chip]]:
    """Return all chips by their groups."""
    return {
        "kind": [Chip("kind", kind) for kind in (*also, *KINDS)],
        "players": [Chip("players", str(number)) for number in PLAYERS],
        "cards": [Chip("cards", str(number)) for number in CARDS],
    }


def _groups(
    offered: Mapping[str, Sequence[Chip]], chosen: frozenset[Chip], left: Mapping[Chip, int]
) -> list[tuple[str, list[Tap]]]:
    titled = {"kind": "", "players": _("Players"), "cards": _("Cards each")}
    return [
        (
            titled[group],
            [
                Tap(*chip, _label(chip), chosen=chip in chosen, left=left.get(chip))
                for chip in chips
            ],
        )
        for group, chips in offered.items()
        if chips
    ]


def _label(chip: Chip) -> str:
    return titles.kind(chip.value) if chip.group == "kind" else chip.value


@cache
def _index() -> tuple[str, dict[str, list[str]]]:
    """Return all games of the catalog by slug, and a name for that.

    Of each its other names, its traits and the words of its rules; under "" the words that most
    games have.
    """
    games = {slug: _line(slug) for slug in catalog.slugs()}
    games[""] = ["", "", " ".join(sorted(common_words()))]
    return hashlib.sha256(json.dumps(games).encode()).hexdigest()[:12], games


def _line(slug: str) -> list[str]:
    aliases = ", ".join(catalog.document(slug).get("aliases", ()))
    return [aliases, row_text(filter_traits_of(slug), catalog.family(slug)), rule_words(slug)]


def index_at() -> str:
    """Return the address of the index, another for every other catalog."""
    return reverse("games-index", args=[_index()[0]])


@require_safe
@cache_control(public=True, max_age=31_536_000, immutable=True)
def index(_request: HttpRequest, named: str) -> HttpResponse:
    """Give the index; one of another version is not here any more."""
    name, games = _index()
    if named != name:
        raise Http404
    return JsonResponse(games)

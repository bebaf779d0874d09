"""The games included with the engine, one TOML document per file and one folder per family."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from rules.errors import nearest
from rules.game.shape import defaults, own_options

# A game's traits, derived from its document alone for lists of many games. Building the games would
# take ten times as long. Options have their default values. A test checks that the traits match the
# built games (tests/catalog/test_traits.py).


DEALT = re.compile(r"(\d{1,3}) (down|up|to \w+|blind|unseen)")
CHANGES = ("draw ", "buy ")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
ALIKE = {  # how much a shared trait adds to the similarity of two games
    "cards": 2, "common": 3, "wild": 3, "split": 3, "declare": 2, "draws": 2, "passes": 2,
    "in_or_out": 3, "several_deals": 3, "rounds": 1,
}  # fmt: skip


@dataclass(frozen=True)
class Traits:
    """Traits such as `cards` per player, `common` cards on the board, and betting `rounds`."""

    players: tuple[int, int]
    cards: int
    common: int
    draws: int
    rounds: int
    wild: bool
    split: bool
    declare: bool
    passes: bool
    in_or_out: bool
    several_deals: bool


def traits_of(document: Mapping[str, Any]) -> Traits:
    """Return the traits of a valid document with its options at their defaults."""
    texts = _Texts(document)
    deal = texts.of("deal")
    verbs = [text.split(" ")[0] for text in deal]
    least, most = document.get("players", (2, 8))
    dealt = [text for text in deal if text[:1].isdigit()]
    changes = [text for text in deal if text.startswith(CHANGES)]
    return Traits(
        players=(least, most),
        cards=sum(int(number) for text in dealt for number, _ in DEALT.findall(text)),
        common=sum(len(row.split()) for row in texts.of("board")),
        draws=len([text for text in changes if not text.startswith("draw for ")]),
        rounds=verbs.count("bet"),
        wild=any(text != "none" for key in ("wild", "bug") for text in texts.of(key)),
        split=len(texts.of("shares")) > 1,
        declare=texts.one("declare", "cards-speak") != "cards-speak",
        passes="pass" in verbs,
        in_or_out="in-or-out" in verbs,
        several_deals=bool(texts.of("match")),
    )


def similarity(one: Traits, other: Traits) -> int:
    """Return the similarity of two games. Higher is more similar."""
    return sum(worth for name, worth in ALIKE.items() if getattr(one, name) == getattr(other, name))


class _Texts:
    """The strings of a document with its options at their defaults."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        options = own_options(document)
        self.chosen = {name: str(word) for name, word in defaults(options).items()}
        asked = {o.name: o.choices[0].word for o in options if o.asked and o.choices}
        self.chosen |= asked
        self.put_in = dict(self.chosen) | {
            option.name: next(c.text for c in option.choices if c.word == self.chosen[option.name])
            for option in options
            if option.choices
        }

    def of(self, key: str) -> list[str]:
        """Return the strings in a list that apply with the chosen options."""
        return list(self._applying(key))

    def one(self, key: str, default: str) -> str:
        return self._filled(str(self.document.get(key, default)))

    def _applying(self, key: str) -> Iterator[str]:
        for text in self.document.get(key, ()):
            words, _, condition = self._filled(text).partition(" when ")
            if self._holds(condition):
                yield words

    def _filled(self, text: str) -> str:
        return PLACEHOLDER.sub(lambda match: self.put_in.get(match[1], ""), text)

    def _holds(self, condition: str) -> bool:
        """Return whether the options satisfy a condition. Conditions on cards count as true."""
        for part in filter(None, condition.split(" and ")):
            negated = part.startswith("not ")
            name, _, word = part.removeprefix("not ").partition(" ")
            if name in self.chosen and (self.chosen[name] == word) == negated:
                return False
        return True


# Filters for lists of games. Each chip filters by one trait. Chips in the same group (players,
# cards, length) exclude each other. All other chips can be combined.


SHORT, LONG = 3, 5  # maximum number of betting rounds in a short game, minimum in a long game
LENGTHS = frozenset(("short", "long"))
KINDS = ("split", "wild", "common", "declare", "draws", "short", "long")


class Chip(NamedTuple):
    """One filter: `players` or `cards` with a number, or `kind` with the name of a kind."""

    group: str
    value: str


@dataclass(frozen=True, slots=True)
class FilterTraits:
    """The properties by which a game is filtered: player counts, cards per player, kinds."""

    players: range
    cards: int
    kinds: frozenset[str]

    def has(self, chip: Chip) -> bool:
        if chip.group == "players":
            return int(chip.value) in self.players
        if chip.group == "cards":
            return int(chip.value) == self.cards
        return chip.value in self.kinds


def filter_traits(traits: Traits, also: Iterable[str] = ()) -> FilterTraits:
    """Return the filter properties of these traits. `also` lists the kinds assigned by a league."""
    least, most = traits.players
    there = (traits.split, traits.wild, traits.common > 0, traits.declare, traits.draws > 0)
    kinds = {kind for kind, is_there in zip(KINDS, there, strict=False) if is_there}
    if traits.rounds >= LONG or traits.several_deals:
        kinds.add("long")
    elif traits.rounds <= SHORT:
        kinds.add("short")
    return FilterTraits(range(max(2, least), most + 1), traits.cards, frozenset((*kinds, *also)))


def tapped(chosen: Iterable[Chip], chip: Chip) -> frozenset[Chip]:
    """Return the filters after adding this chip and removing the chips that it excludes."""
    kept = (
        each
        for each in chosen
        if each.group != chip.group
        or (chip.group == "kind" and not {chip.value, each.value} <= LENGTHS)
    )
    return frozenset(kept) | {chip}


def has_all(traits: FilterTraits, chosen: Iterable[Chip]) -> bool:
    return all(traits.has(chip) for chip in chosen)


def counts_after(
    games: Iterable[FilterTraits], chosen: Iterable[Chip], chips: Iterable[Chip]
) -> dict[Chip, int]:
    """Return how many games would be left after adding each chip to the chosen ones."""
    among, before = list(games), frozenset(chosen)
    wanted = {chip: tapped(before, chip) for chip in chips}
    return {chip: sum(has_all(each, all_of) for each in among) for chip, all_of in wanted.items()}


FOLDER = Path(__file__).parents[1] / "catalog"
MOST_LETTERS = 64
MOST_NEAR = 3  # maximum number of suggestions for an unknown name


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    """Return each game's file, keyed by slug, sorted by folder and then by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*/*.toml"))}


def slugs() -> tuple[str, ...]:
    return tuple(_files())


@lru_cache(maxsize=1)
def popular_slugs() -> tuple[str, ...]:
    """Return the slugs of the games that a table without any deals sees first."""
    return tuple((FOLDER / "well-known.txt").read_text(encoding="utf-8").split())


def source_text(slug: str) -> str:
    """Return the source of a document. Raises KeyError for an unknown slug."""
    return _files()[slug].read_text(encoding="utf-8")


@lru_cache(maxsize=512)
def _loaded(slug: str) -> dict[str, Any]:
    return tomllib.loads(source_text(slug))


def document(slug: str) -> dict[str, Any]:
    """Return a game's document as JSON. Raises KeyError for an unknown slug."""
    return dict(_loaded(slug))


def candidates(text: str) -> tuple[str, ...]:
    """Return the games that a string may refer to.

    Games with this name come first, then games with the word in their slug (the shortest first),
    then games with a similar slug.
    """
    return _candidates(text[:MOST_LETTERS])  # limits the size of the cached keys


def called(name: str) -> tuple[str, ...]:
    """Return the games with this slug, name or alias."""
    plain = _normalized(name[:MOST_LETTERS])
    return tuple(slug for slug in slugs() if plain in _names()[slug])


def is_named(name: str) -> bool:
    """Check whether a game has this name, in any case."""
    return any(_loaded(slug)["name"].casefold() == name.casefold() for slug in called(name))


@lru_cache(maxsize=256)
def _candidates(word: str) -> tuple[str, ...]:
    plain = _normalized(word)
    words = sorted((slug for slug in slugs() if plain in slug.split("-")), key=len)
    alike = nearest(word.lower(), slugs(), among=len(slugs()))
    return tuple(dict.fromkeys([*called(word), *words, *alike]))[:MOST_NEAR]


@lru_cache(maxsize=1)
def _names() -> dict[str, set[str]]:
    """Return the names of each game. Reads all documents, so use it only for unknown names."""
    documents = {slug: _loaded(slug) for slug in slugs()}
    return {
        slug: {_normalized(name) for name in (slug, document["name"], *document.get("aliases", ()))}
        for slug, document in documents.items()
    }


def _normalized(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def family(slug: str) -> str:
    """Return the family of a game, which is its folder."""
    return _files()[slug].parent.name

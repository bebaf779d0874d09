"""The games that come with the engine: one TOML document a file, a folder a family."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from rules.errors import nearest
from rules.game.shape import defaults, own_options

# What kind of game a document is, told from its words alone: for lists of many games.
#
# No game is built, which would take ten times as long. Options stand at their defaults; a law holds
# that the same is true of the game (tests/catalog/test_traits.py).


DEALT = re.compile(r"(\d{1,3}) (down|up|to \w+|blind|unseen)")
CHANGES = ("draw ", "buy ")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
ALIKE = {  # how much it says that two games share a trait
    "cards": 2, "common": 3, "wild": 3, "split": 3, "declare": 2, "draws": 2, "passes": 2,
    "in_or_out": 3, "several_deals": 3, "rounds": 1,
}  # fmt: skip


@dataclass(frozen=True)
class Traits:
    """`cards` each player is dealt, `common` ones on the board, `rounds` of betting."""

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
    """The traits of a good document, its options at their defaults."""
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


def likeness(one: Traits, other: Traits) -> int:
    """How much two games have in common, the more the higher."""
    return sum(worth for name, worth in ALIKE.items() if getattr(one, name) == getattr(other, name))


class _Texts:
    """The texts of a document under the defaults of its options."""

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
        """The texts of a list that stand under these options."""
        return list(self._standing(key))

    def one(self, key: str, default: str) -> str:
        return self._filled(str(self.document.get(key, default)))

    def _standing(self, key: str) -> Iterator[str]:
        for text in self.document.get(key, ()):
            said, _, condition = self._filled(text).partition(" when ")
            if self._holds(condition):
                yield said

    def _filled(self, text: str) -> str:
        return PLACEHOLDER.sub(lambda found: self.put_in.get(found[1], ""), text)

    def _holds(self, condition: str) -> bool:
        """Whether options allow it; what hangs on cards may be."""
        for part in filter(None, condition.split(" and ")):
            negated = part.startswith("not ")
            name, _, word = part.removeprefix("not ").partition(" ")
            if name in self.chosen and (self.chosen[name] == word) == negated:
                return False
        return True


# What somebody looks for among many games, by what the games are like: each trait by itself.
#
# A list is narrowed by chips. Those of one group (for how many players, how many cards, how long)
# exclude each other; all others add up.


SHORT, LONG = 3, 5  # rounds of betting: a short game has no more, a long one no fewer
LENGTHS = frozenset(("short", "long"))
KINDS = ("split", "wild", "common", "declare", "draws", "short", "long")


class Chip(NamedTuple):
    """One thing to look for: `players` or `cards` and a number, or `kind` and its word."""

    group: str
    value: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a game can be found by: for how many, cards each, and the kinds that it is of."""

    players: range
    cards: int
    kinds: frozenset[str]

    def has(self, chip: Chip) -> bool:
        if chip.group == "players":
            return int(chip.value) in self.players
        if chip.group == "cards":
            return int(chip.value) == self.cards
        return chip.value in self.kinds


def found_by(traits: Traits, also: Iterable[str] = ()) -> Found:
    """Return what finds a game with these traits; `also` are kinds that a league gave it."""
    least, most = traits.players
    there = (traits.split, traits.wild, traits.common > 0, traits.declare, traits.draws > 0)
    kinds = {kind for kind, is_there in zip(KINDS, there, strict=False) if is_there}
    if traits.rounds >= LONG or traits.several_deals:
        kinds.add("long")
    elif traits.rounds <= SHORT:
        kinds.add("short")
    return Found(range(max(2, least), most + 1), traits.cards, frozenset((*kinds, *also)))


def tapped(chosen: Iterable[Chip], chip: Chip) -> frozenset[Chip]:
    """What is looked for once this chip is chosen too: it puts out those that it excludes."""
    return frozenset(each for each in chosen if not _excludes(chip, each)) | {chip}


def _excludes(one: Chip, other: Chip) -> bool:
    if one.group != other.group:
        return False
    return one.group != "kind" or {one.value, other.value} <= LENGTHS


def has_all(found: Found, chosen: Iterable[Chip]) -> bool:
    return all(found.has(chip) for chip in chosen)


def left_by(
    games: Iterable[Found], chosen: Iterable[Chip], chips: Iterable[Chip]
) -> dict[Chip, int]:
    """How many games each chip would leave, chosen beside what is chosen already."""
    among, before = list(games), frozenset(chosen)
    wanted = {chip: tapped(before, chip) for chip in chips}
    return {chip: sum(has_all(each, all_of) for each in among) for chip, all_of in wanted.items()}


FOLDER = Path(__file__).parents[1] / "catalog"
MOST_LETTERS = 64
MOST_NEAR = 3  # games that are named to somebody who asked for none of them


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    """Each game's file by its slug, in the order of the folders and then of the names."""
    return {path.stem: path for path in sorted(FOLDER.glob("*/*.toml"))}


def slugs() -> tuple[str, ...]:
    return tuple(_files())


@lru_cache(maxsize=1)
def well_known() -> tuple[str, ...]:
    """The games to show first to a table that has dealt none: one slug a line of a file."""
    return tuple((FOLDER / "well-known.txt").read_text(encoding="utf-8").split())


def source_text(slug: str) -> str:
    """The document as it is written. Raises KeyError for a game that is not there."""
    return _files()[slug].read_text(encoding="utf-8")


@lru_cache(maxsize=512)
def _loaded(slug: str) -> dict[str, Any]:
    return tomllib.loads(source_text(slug))


def document(slug: str) -> dict[str, Any]:
    """The JSON form of a game's document. Raises KeyError for a game that is not there."""
    return dict(_loaded(slug))


def near(said: str) -> tuple[str, ...]:
    """The games that somebody may mean: those that are called so, those that it is a word of, the
    shortest first, and those that are spelled alike."""
    return _near(said[:MOST_LETTERS])  # so much is remembered of what a stranger got wrong


def called(said: str) -> tuple[str, ...]:
    """The games that are called so: by the slug, by the name or by another name that it has."""
    plain = _plain(said[:MOST_LETTERS])
    return tuple(slug for slug in slugs() if plain in _names()[slug])


@lru_cache(maxsize=256)
def _near(said: str) -> tuple[str, ...]:
    plain = _plain(said)
    words = sorted((slug for slug in slugs() if plain in slug.split("-")), key=len)
    alike = nearest(said.lower(), slugs(), among=len(slugs()))
    return tuple(dict.fromkeys([*called(said), *words, *alike]))[:MOST_NEAR]


@lru_cache(maxsize=1)
def _names() -> dict[str, set[str]]:
    """What each game is called, all documents read: for somebody who asked for none of them."""
    documents = {slug: _loaded(slug) for slug in slugs()}
    return {
        slug: {_plain(name) for name in (slug, found["name"], *found.get("aliases", ()))}
        for slug, found in documents.items()
    }


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def family(slug: str) -> str:
    """The folder that a game stands in, which is its family."""
    return _files()[slug].parent.name

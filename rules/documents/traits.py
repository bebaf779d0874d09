"""What kind of game a document is, told from its words alone: for lists of many games.

No game is built, which would take ten times as long. Options stand at their defaults; a law holds
that the same is true of the game (tests/catalog/test_traits.py).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.game.options import defaults, own_options

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

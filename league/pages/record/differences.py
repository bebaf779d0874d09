"""How two versions of a hand differ: the cards, states and chips that only one of them has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.games.titles import variations
from league.hands.revisions import record_at_the_end
from league.models import ConflictingRecord, Revision
from league.pages.parts.answer_view import ZONES, CardFace, faces, proper
from league.scoring.season_table import with_sign

Row = Revision | ConflictingRecord
Fact = str | list[str]  # words, or cards


@dataclass(frozen=True, slots=True)
class Value:
    """What a version contains: cards or words."""

    cards: list[CardFace]
    words: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of the hand that differs, with its value in both versions."""

    label: str
    values: tuple[Value, Value]


def differences(one: Row, other: Row) -> list[Difference]:
    """Return what differs. Cards that both versions have in the same zone are left out."""
    facts = [dict(_facts(row)) for row in (one, other)]
    found = []
    for label in dict.fromkeys(label for each in facts for label in each):
        first, second = (each.get(label, "") for each in facts)
        if first != second:
            values = _value(first, second), _value(second, first)
            found.append(Difference(label, values))
    return found


def _value(fact: Fact, other: Fact) -> Value:
    if isinstance(fact, str):
        return Value([], fact or _("not recorded"))
    own = [card for card in fact if card not in other]
    if own or not fact or sorted(fact) == sorted(other):
        return Value(faces(own or fact), "" if fact else _("not recorded"))
    return Value([], _("no other card"))


def _facts(row: Row) -> Iterator[tuple[str, Fact]]:
    """Yield the parts of a version that can differ, by label."""
    record, answer = record_at_the_end(row), row.answer
    yield _("Game"), " + ".join((row.document.name, *variations(record.get("modifiers") or ())))
    yield _("Dealer"), record["players"][record["button"]]["name"]
    rows = record.get("board") or ()
    for number, cards in enumerate(rows, start=1):
        label = _("Board") if len(rows) == 1 else _("Board, row %(row)s") % {"row": number}
        yield label, [proper(card) for card in cards]
    for player in record["players"]:
        name = player["name"]
        zones: list[tuple[str, Sequence[str]]] = [
            (str(ZONES[zone]), player.get(zone) or ()) for zone in ("down", "up", "out")
        ]
        for zone, cards in (*zones, *(player.get("piles") or {}).items()):
            if cards:  # players may hold their cards in any order
                yield f"{name}, {zone}", sorted(proper(card) for card in cards)
        if player.get("declared"):
            yield _("%(name)s declared") % {"name": name}, str(player["declared"])
    for name in answer["net"]:
        yield _("%(name)s paid") % {"name": name}, f"{answer['paid'][name]:,}"
        yield _("%(name)s, net") % {"name": name}, with_sign(answer["net"][name])

"""What the rules make of a half-typed record: a verdict, what is wrong, what is still to come."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy

from league.depths import end_of
from league.models import Hand, Night
from league.pages.record_asks import NO_HOUSE, House, is_unfinished
from league.pages.record_fields import Fields, NotJson, Reading
from league.pages.record_places import field_of, place_of
from league.pages.record_reading import read
from league.pages.verdict import View, view
from league.recording import check
from league.refusals import Fault, Refused
from league.versions import house_games

PARTS = {
    "variant": gettext_lazy("the game"),
    "button": gettext_lazy("the dealer"),
    "board": gettext_lazy("the board"),
    "took": gettext_lazy("who took the pot"),
    "tiebreaks": gettext_lazy("a hand for everyone who ties"),
    "down": gettext_lazy("cards down"),
    "up": gettext_lazy("cards up"),
    "declared": gettext_lazy("a declaration"),
}
# The engine counts alike whatever the number is.
ONE = re.compile(r"\b(1 (?:card|chip|player))s\b")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a field; `at` is the place of the card in it, or empty."""

    field: str
    at: str
    text: str
    who: str = ""  # whose field it is, where the text does not say


@dataclass(frozen=True, slots=True)
class Missing:
    """What somebody (or the table, for no name) still has to show or say."""

    name: str
    parts: list[str]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict; or the problems, beside what is still to come; or why nothing was saved."""

    verdict: View | None = None
    problems: list[Problem] = field(default_factory=list)
    to_come: list[Missing] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def by_field(self) -> dict[str, list[str]]:
        """Return the texts of the problems by the field where each belongs."""
        found: dict[str, list[str]] = {}
        for each in self.problems:
            found.setdefault(each.field, []).append(each.text)
        return found


def judge(night: Night, fields: Fields, hand: Hand | None, *, whole: bool = False) -> Judgement:
    """Return what recording these fields now would say; `whole` takes what lacks for wrong."""
    try:
        reading = read(fields)
    except NotJson as error:
        return refused_as(error, fields)
    found = check(night, reading.record, instead_of=hand)
    if not found.errors:
        return Judgement(
            verdict=view(end_of(found.record | {"variant": found.variant}), found.answer)
        )
    house = house_games(night, instead_of=hand)
    return _refused(found.errors, fields, reading, whole=whole, house=house)


def refused_as(error: NotJson | Refused, fields: Fields) -> Judgement:
    """Return everything that was wrong with fields that could not be saved."""
    if isinstance(error, NotJson):
        return Judgement(problems=[Problem(error.field, "", str(error))])
    return _refused(error.errors, fields, read(fields), whole=True)


def _refused(
    faults: Iterable[Fault],
    fields: Fields,
    reading: Reading,
    *,
    whole: bool,
    house: House = NO_HOUSE,
) -> Judgement:
    problems: list[Problem] = []
    sums: list[Problem] = []
    missing: list[Fault] = []
    for each in faults:
        if not whole and is_unfinished(each, fields, reading, house):
            missing.append(each)
            continue
        problem = _problem(each, fields, reading)
        (sums if each["code"] == "took-does-not-add-up" else problems).append(problem)
    # A number that can't be read spoils the sum too, and is said once already.
    if not any(_is_chips(problem.field) for problem in problems):
        problems += sums
    return Judgement(
        problems=list(dict.fromkeys(problems)), to_come=_grouped(missing, fields, reading)
    )


def _problem(each: Fault, fields: Fields, reading: Reading) -> Problem:
    """Return what is wrong, at the field that was typed: what all paid may be typed but once."""
    name, text = field_of(each["where"], reading), ONE.sub(r"\1", each["text"])
    if name.endswith("/paid") and not _typed(name, fields) and _typed("all_paid", fields):
        return Problem("all_paid", "", text)
    who = _owner(name, fields)
    told = re.search(rf"(?<!\w){re.escape(who)}(?!\w)", text)
    return Problem(name, place_of(each["where"]), text, "" if told else who)


def _is_chips(name: str) -> bool:
    return name in ("all_paid", "carried") or name.rpartition("/")[2] in ("paid", "dead", "took")


def _owner(name: str, fields: Fields) -> str:
    """Return the name of the player whose field this is, if it is anyone's."""
    head, *rest = name.split("/")
    row = {"players": rest[:1], "tiebreaks": rest[1:2]}.get(head)
    return _typed(f"players/{row[0]}/name", fields) if row else ""


def _typed(name: str, fields: Fields) -> str:
    return (fields.get(name) or [""])[-1].strip()


def _grouped(faults: Iterable[Fault], fields: Fields, reading: Reading) -> list[Missing]:
    """Return what is still to come by player, in the order of the form."""
    found: dict[str, list[str]] = {}
    for each in faults:
        who, part = _who_and_what(field_of(each["where"], reading), fields)
        parts = found.setdefault(who, [])
        parts += [part or each["text"]][part in parts :]
    return [Missing(name, parts) for name, parts in found.items()]


def _who_and_what(name: str, fields: Fields) -> tuple[str, str]:
    head, *rest = name.split("/")
    if head != "players" or len(rest) < 2:
        return "", str(PARTS.get(head, ""))
    return fields.get(f"players/{rest[0]}/name", [""])[-1], str(PARTS.get(rest[1], ""))

"""What the rules make of a half-typed record: a verdict, what is wrong, what is still to come."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy

from league.common.errors import Problem, RefusedError
from league.common.text import says
from league.games.lookup import house_games
from league.hands.validation import Verdict
from league.hands.writing import end_of
from league.models import Hand, Night
from league.pages.parts.answer_view import View, view
from league.pages.record.field_names import (
    Fields,
    Reading,
    UnreadableFieldError,
    field_of,
    place_of,
)
from league.pages.record.questions import NO_HOUSE, House, is_unfinished
from league.pages.record.read_form import read
from league.recording.record import check
from league.recording.took import wrong_took
from rules.cards import UNSEEN_TEXT

PARTS = {
    "variant": gettext_lazy("the game"),
    "button": gettext_lazy("the dealer"),
    "board": gettext_lazy("the board"),
    "took": gettext_lazy("who took the pot"),
    "tiebreaks": gettext_lazy("a hand for everyone who ties"),
    "down": gettext_lazy("hole cards"),
    "up": gettext_lazy("cards showing"),
    "declared": gettext_lazy("a declaration"),
}
# The engine counts alike whatever the number is.
ONE = re.compile(r"\b(1 (?:card|chip|player))s\b")


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """What is wrong with a field; `at` is the place of the card in it, or empty."""

    field: str
    at: str
    text: str
    who: str = ""  # whose field it is, where the text does not say


@dataclass(frozen=True, slots=True)
class Missing:
    """What somebody (or the table, for no name) still has to show or say; `field` is the first."""

    name: str
    parts: list[str]
    field: str


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie that cards must still break: the rows and names of its players, and the first field."""

    rows: list[int]
    names: list[str]
    field: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict; or the problems, beside what is still to come; or why nothing was saved."""

    verdict: View | None = None
    problems: list[FieldProblem] = field(default_factory=list)
    to_come: list[Missing] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    tie: "Tie | None" = None

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
    except UnreadableFieldError as error:
        return refused_as(error, fields)
    found = check(night, reading.record, instead_of=hand)
    if not found.errors:
        problems = [_field_problem(each, fields, reading) for each in wrong_took(found)]
        shown = view(end_of(found.record | {"variant": found.variant}), found.answer)
        return Judgement(verdict=shown, problems=problems, tie=_tie(found, reading))
    house = house_games(night, instead_of=hand)
    return _refused(found.errors, fields, reading, whole=whole, house=house)


def _tie(found: Verdict, reading: Reading) -> Tie | None:
    """Return the tie that was left unbroken, of a game that breaks ties by cards."""
    if not any(each["code"] == "tie-not-broken" for each in found.answer["findings"]):
        return None
    broken = (each.get("broken", {}) for each in found.answer["reasons"])
    names = {name for each in broken if each.get("by") == "nothing" for name in each["players"]}
    at = {
        each.get("name"): row
        for each, row in zip(found.record["players"], reading.rows, strict=False)
    }
    rows = sorted(at[name] for name in names if name in at)
    if not rows:
        return None
    place = len(found.record.get("tiebreaks", ()))
    tied = [name for name, row in at.items() if row in rows]
    return Tie(rows, tied, f"tiebreaks/{place}/{rows[0]}")


def refused_as(error: UnreadableFieldError | RefusedError, fields: Fields) -> Judgement:
    """Return everything that was wrong with fields that could not be saved."""
    if isinstance(error, UnreadableFieldError):
        return Judgement(problems=[FieldProblem(error.field, "", str(error))])
    return _refused(error.errors, fields, read(fields), whole=True)


def _refused(
    faults: Iterable[Problem],
    fields: Fields,
    reading: Reading,
    *,
    whole: bool,
    house: House = NO_HOUSE,
) -> Judgement:
    problems: list[FieldProblem] = []
    sums: list[FieldProblem] = []
    missing: list[Problem] = []
    for each in faults:
        if not whole and is_unfinished(each, fields, reading, house):
            missing.append(each)
            continue
        problem = _field_problem(each, fields, reading)
        (sums if each["code"] == "took-does-not-add-up" else problems).append(problem)
    # A number that can't be read spoils the sum too, and is said once already.
    if not any(_is_chips(problem.field) for problem in problems):
        problems += sums
    return Judgement(
        problems=list(dict.fromkeys(problems)), to_come=_grouped(missing, fields, reading)
    )


def _field_problem(each: Problem, fields: Fields, reading: Reading) -> FieldProblem:
    """Return what is wrong, at the field that was typed: what all paid may be typed but once."""
    name, text = field_of(each["where"], reading), ONE.sub(r"\1", each["text"])
    if name.endswith("/paid") and not _typed(name, fields) and _typed("all_paid", fields):
        return FieldProblem("all_paid", "", text)
    who = _owner(name, fields)
    told = says(text, who)
    return FieldProblem(name, place_of(each["where"]), text, "" if told else who)


def _is_chips(name: str) -> bool:
    return name in ("all_paid", "carried") or name.rpartition("/")[2] in ("paid", "dead", "took")


def _owner(name: str, fields: Fields) -> str:
    """Return the name of the player whose field this is, if it is anyone's."""
    head, *rest = name.split("/")
    row = {"players": rest[:1], "tiebreaks": rest[1:2]}.get(head)
    return _typed(f"players/{row[0]}/name", fields) if row else ""


def _typed(name: str, fields: Fields) -> str:
    return (fields.get(name) or [""])[-1].strip()


def _grouped(faults: Iterable[Problem], fields: Fields, reading: Reading) -> list[Missing]:
    """Return what is still to come by player, in the order of the form."""
    found: dict[str, Missing] = {}
    for each in faults:
        name = field_of(each["where"], reading)
        who, part = _who_and_what(name, fields)
        # How many cards never turned up nobody can see: the engine says what to write for them.
        part = each["text"] if UNSEEN_TEXT in each["text"] else part or each["text"]
        parts = found.setdefault(who, Missing(who, [], name)).parts
        parts += [part][part in parts :]
    return list(found.values())


def _who_and_what(name: str, fields: Fields) -> tuple[str, str]:
    head, *rest = name.split("/")
    if head != "players" or len(rest) < 2:
        return "", str(PARTS.get(head, ""))
    return fields.get(f"players/{rest[0]}/name", [""])[-1], str(PARTS.get(rest[1], ""))

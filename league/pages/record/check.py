"""Check an unfinished record against the rules: its verdict, problems and missing parts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext_lazy

from league.common.errors import Problem, RefusedError
from league.common.money import in_money
from league.common.text import contains_words
from league.games.lookup import house_games
from league.hands.revisions import end_of
from league.hands.validation import Verdict
from league.models import Hand, Night
from league.pages.parts.answer_view import VerdictView, paid_to, view
from league.pages.parts.numbers import MINUS
from league.pages.record.questions import NO_HOUSE, House, form_for
from league.pages.record.read_form import (
    ZONES,
    Fields,
    Reading,
    UnreadableFieldError,
    cards,
    common_payment,
    dict_or_empty,
    is_pile,
    list_or_empty,
    read,
    runs_of,
    text_of,
)
from league.recording.corrections import payment_changes, taken_before
from league.recording.record import check
from rules.documents import catalog
from rules.errors import path_part

PARTS = {
    "variant": gettext_lazy("no game yet"),
    "button": gettext_lazy("no dealer yet"),
    "board": gettext_lazy("no board cards yet"),
    "took": gettext_lazy("no winner yet"),
    "runs": gettext_lazy("cards of a run are missing"),
    "tiebreaks": gettext_lazy("tie-break cards are missing"),
    "down": gettext_lazy("no hole cards yet"),
    "up": gettext_lazy("no face-up cards yet"),
    "declared": gettext_lazy("no declaration yet"),
}
# The same for fields that already have cards.
INCOMPLETE = {
    "board": gettext_lazy("board cards are missing"),
    "down": gettext_lazy("hole cards are missing"),
    "up": gettext_lazy("face-up cards are missing"),
}
# Texts for the form instead of the rules' texts, which also name fields of the API.
TEXTS = {
    ("took", "took-missing"): gettext_lazy("Choose who won the pot."),
    ("variant", "missing"): gettext_lazy("Choose a game."),
}
# Problems that only mean that a record is unfinished. They are not shown as errors.
UNFINISHED = frozenset({"missing", "not-declared", "took-missing", "tiebreak-lacks-player"})


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """A problem with a field. `at` is the position of the card in the field, or empty."""

    field: str
    at: str
    text: str
    who: str = ""  # the field's player, unless `text` names the player


@dataclass(frozen=True, slots=True)
class Missing:
    """The input that a player still has to enter, or the table if `name` is empty.

    `parts` describes the input. `field` is the first missing field.
    """

    name: str
    parts: list[str]
    field: str


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie that cards must break: its players' rows and names, and the first field to fill."""

    rows: list[int]
    names: list[str]
    field: str


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The verdict on a record, or its problems and missing parts, or why it was not saved.

    `unseen` is the number of cards that were dealt but not entered, by card field, if the game
    allows unseen cards there. `payments` describes how a correction of a closed night changes
    payments, `keeps_payments` is true if it changes none, and `may_reopen` is true if it may open
    the night again. `paid_before` are the players who took other chips before, if it has other
    winners: the field, the name and the chips of each.
    """

    verdict: VerdictView | None = None
    problems: list[FieldProblem] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    tie: "Tie | None" = None
    unseen: list[tuple[str, int]] = field(default_factory=list)
    keeps_payments: bool = False
    may_reopen: bool = False
    payments: str = ""
    paid_before: list[tuple[str, str, int]] = field(default_factory=list)

    @property
    def unseen_cards(self) -> int:
        return sum(count for _name, count in self.unseen)

    @property
    def table_paid_before(self) -> str:
        return paid_to({name: chips for _field, name, chips in self.paid_before})

    def by_field(self) -> dict[str, list[str]]:
        """Return each field's problem texts."""
        texts: dict[str, list[str]] = {}
        for problem in self.problems:
            texts.setdefault(problem.field, []).append(problem.text)
        return texts


def check_fields(
    night: Night, fields: Fields, hand: Hand | None, *, whole: bool = False
) -> CheckResult:
    """Return what recording these fields would report.

    If `whole` is true, missing parts are problems.
    """
    try:
        reading = read(fields)
    except UnreadableFieldError as error:
        return refused_as(error, fields)
    verdict = check(night, reading.record, instead_of=hand)
    if verdict.answer:
        problems = [_field_problem(problem, fields, reading) for problem in verdict.errors]
        game = verdict.variant
        shown = view(
            end_of(verdict.record | {"variant": game}),
            verdict.answer,
            lambda: catalog.document(game) if isinstance(game, str) else game,
        )
        checked = CheckResult(shown, problems, tie=_tie(verdict, reading))
        changes = None if hand is None or verdict.errors else payment_changes(hand, verdict)
        if hand is None or changes is None:
            is_closed = hand is not None and night.state == Night.State.CLOSED
            return replace(checked, may_reopen=is_closed and not verdict.errors)
        if changes:
            return replace(checked, payments=changes_in_words(changes, night))
        taken = {} if "took" in verdict.record else taken_before(hand, verdict)
        rows = _rows_by_name(verdict, reading)
        before = [(f"players/{rows[name]}/took", name, chips) for name, chips in taken.items()]
        return replace(checked, keeps_payments=True, paid_before=before)
    house = house_games(night, instead_of=hand)
    return _refused(verdict.errors, fields, reading, whole=whole, house=house)


def changes_in_words(changes: Mapping[str, int], night: Night) -> str:
    """Return a list of changed payments: "Bob −3.50 USD, Cat +3.50 USD"."""
    return ", ".join(
        f"{name} {'+' if chips > 0 else MINUS}{in_money(abs(chips), night)}"
        for name, chips in sorted(changes.items(), key=lambda each: each[1])
    )


def _tie(verdict: Verdict, reading: Reading) -> Tie | None:
    """Return the unbroken tie, if the game breaks ties by cards."""
    if not any(finding["code"] == "tie-not-broken" for finding in verdict.answer["findings"]):
        return None
    broken = (reason.get("broken", {}) for reason in verdict.answer["reasons"])
    names = {name for tie in broken if tie.get("by") == "nothing" for name in tie["players"]}
    row_of = _rows_by_name(verdict, reading)
    rows = sorted(row_of[name] for name in names if name in row_of)
    if not rows:
        return None
    place = len(verdict.record.get("tiebreaks", ()))
    tied = [name for name, row in row_of.items() if row in rows]
    return Tie(rows, tied, f"tiebreaks/{place}/{rows[0]}")


def _rows_by_name(verdict: Verdict, reading: Reading) -> dict[str, int]:
    players = verdict.record["players"]
    return {player["name"]: row for player, row in zip(players, reading.rows, strict=False)}


def refused_as(error: UnreadableFieldError | RefusedError, fields: Fields) -> CheckResult:
    """Return all problems of fields that could not be saved."""
    if isinstance(error, UnreadableFieldError):
        return CheckResult(problems=[FieldProblem(error.field, "", str(error))])
    return _refused(error.errors, fields, read(fields), whole=True)


def _refused(
    errors: Sequence[Problem],
    fields: Fields,
    reading: Reading,
    *,
    whole: bool,
    house: House = NO_HOUSE,
) -> CheckResult:
    problems: list[FieldProblem] = []
    sums: list[FieldProblem] = []
    missing: list[Problem] = []
    for error in errors:
        if not whole and _is_unfinished(error, fields, reading, house):
            missing.append(error)
            continue
        problem = _field_problem(error, fields, reading)
        (sums if error["code"] == "took-does-not-add-up" else problems).append(problem)
    # An unreadable number also makes the total wrong, but it has already been reported.
    names = [problem.field for problem in problems]
    if not any(
        name in ("all_paid", "showed_paid", "carried")
        or name.rpartition("/")[2] in ("paid", "dead", "took")
        for name in names
    ):
        problems += sums
    # Fields for cards that were never turned over, and how many cards are missing there.
    unseen: list[tuple[str, int]] = []
    form = form_for(fields, house)
    for error in errors if form["dealt"] and form["unturned"] else ():
        name = field_of(error["where"], reading)
        at, _slash, zone = name.rpartition("/")
        if error["code"] == "card-count" and zone == "down":
            held = _count(fields, f"{at}/down") + _count(fields, f"{at}/up")
            earned = sum(card in form["extra_cards"] for card in cards(text_of(fields, f"{at}/up")))
            unseen.append((name, max(0, int(form["dealt"]) + earned - held)))
    return CheckResult(
        problems=list(dict.fromkeys(problems)),
        missing=_grouped(missing, fields, reading, dict(unseen)),
        unseen=unseen,
    )


def _is_unfinished(error: Problem, fields: Fields, reading: Reading, house: House) -> bool:
    """Return whether the error only means that a field is still empty."""
    if error["code"] in UNFINISHED:
        return True
    if error["code"] != "card-count":
        return False
    form = form_for(fields, house)
    name = field_of(error["where"], reading)
    if name.startswith("runs/"):  # a run has no cards yet, or fewer than another run
        counts = [
            _count(fields, f"runs/{run}/board/") + _count(fields, f"runs/{run}/players/")
            for run in range(1, runs_of(fields))
        ]
        return not all(counts) or min(counts) < max(counts)
    if name.startswith("board"):
        return _count(fields, "board/") < sum(len(row["slots"]) for row in form["board"])
    player, _slash, zone = name.rpartition("/")
    if form["dealt"] and zone in ("down", "up"):  # cards are dealt one at a time, face down or up
        dealt = _count(fields, f"{player}/down") + _count(fields, f"{player}/up")
        return dealt < int(form["dealt"])
    if zone == "piles":  # no pile has cards yet
        return True
    if player.endswith("/piles"):
        return _count(fields, name) < int(form["piles"].get(zone, 0))
    return zone in ("down", "up") and _count(fields, name) < int(form[zone]["least"])


def _count(fields: Fields, head: str) -> int:
    """Return the number of cards in the fields whose names begin with `head`."""
    texts = (texts[-1] for name, texts in fields.items() if name.startswith(head) and texts)
    return sum(len(cards(text)) for text in texts)


def _field_problem(problem: Problem, fields: Fields, reading: Reading) -> FieldProblem:
    """Return the problem, assigned to its field.

    Payments that apply to several players have their own field.
    """
    name = field_of(problem["where"], reading)
    text = str(TEXTS.get((problem["where"], problem["code"]), problem["text"]))
    if name.endswith("/paid") and not _typed(name, fields):
        common = common_payment(fields, int(name.split("/")[1]))
        if _typed(common, fields):
            return FieldProblem(common, "", text)
    head, *rest = name.split("/")
    row = {"players": rest[:1], "tiebreaks": rest[1:2]}.get(head)
    owner = _typed(f"players/{row[0]}/name", fields) if row else ""
    return FieldProblem(
        name, place_of(problem["where"]), text, "" if contains_words(text, owner) else owner
    )


def _typed(name: str, fields: Fields) -> str:
    return text_of(fields, name).strip()


def _grouped(
    problems: Iterable[Problem], fields: Fields, reading: Reading, unseen: Mapping[str, int]
) -> list[Missing]:
    """Return the missing parts by player, in the order of the form.

    `unseen` is the number of cards that were dealt but not entered, by card field.
    """
    missing: dict[str, Missing] = {}
    for problem in problems:
        name = field_of(problem["where"], reading)
        head, *rest = name.split("/")
        of_player = head == "players" and len(rest) >= 2
        owner = text_of(fields, f"players/{rest[0]}/name") if of_player else ""
        kind = rest[1] if of_player else head
        begun = kind in INCOMPLETE and _count(fields, "board/" if kind == "board" else name)
        part = str((INCOMPLETE if begun else PARTS).get(kind, ""))
        part = part if part and not unseen.get(name) else problem["text"]
        parts = missing.setdefault(owner, Missing(owner, [], name)).parts
        parts += [part][part in parts :]
    return list(missing.values())


# --- fields of problems ---------------------------------------------------------------------------


def field_of(where: str, reading: Reading) -> str:
    """Return the name of the field that shows problems at the record path `where`."""
    head, rest = _split(where)
    match head:
        case "players":
            return _player_field(rest, reading)
        case "board" | "options":
            return f"{head}/{rest.split('/')[0]}" if rest else head
        case "shared":
            place, key = _split(rest)
            return f"shared/{place}/for" if key.startswith("for") else f"shared/{place}"
        case "tiebreaks":
            place, rest = _split(rest)
            row = _row_of_name(_split(rest)[0], reading)
            return "tiebreaks" if row is None else f"tiebreaks/{place}/{row}"
        case "runs":
            return _run_field(rest, reading)
        case "took":
            row = _row_of_name(rest, reading)
            return "took" if row is None else f"players/{row}/took"
        case "variant" | "modifiers" | "button" | "depth" | "carried" | "match":
            return head
    return "more"


def place_of(where: str) -> str:
    """Return a card's position in its field, or "" if the path is not a card's path."""
    *before, last = where.split("/")
    if before == ["runs"] or before[:2] == ["runs", "0"]:  # the first run is in the usual fields
        return ""
    return last if last.isdecimal() and before and before[0] != "modifiers" else ""


def _split(path: str) -> tuple[str, str]:
    head, _slash, rest = path.partition("/")
    return head, rest


def _run_field(rest: str, reading: Reading) -> str:
    """Return the field of a run's cards. The first run's cards are in the usual fields."""
    run, below = _split(rest)
    runs = list_or_empty(reading.record.get("runs"))
    if reading.runs == 1:
        return "more"
    if not run.isdecimal() or int(run) >= len(runs):
        return "runs"
    head, rest = _split(below)
    field = f"{head}/{rest.split('/')[0]}" if head in ("board", "options") and rest else ""
    if head == "players":
        place, zone = _split(rest)
        players = list_or_empty(dict_or_empty(runs[int(run)]).get("players"))
        known = place.isdecimal() and int(place) < len(players)
        name = path_part(dict_or_empty(players[int(place)]).get("name")) if known else ""
        row = _row_of_name(name, reading)
        zone = zone.split("/")[0]
        field = f"players/{row}/{zone}" if row is not None and zone in ZONES else ""
    if not field:
        return f"runs/{max(1, int(run))}"
    return field if run == "0" else f"runs/{run}/{field}"


def _player_field(rest: str, reading: Reading) -> str:
    place, key = _split(rest)
    if not place.isdecimal() or int(place) >= len(reading.rows):
        return "players"
    row, (key, below) = reading.rows[int(place)], _split(key or "name")
    if key == "piles" and is_pile(pile := below.split("/")[0]):
        return f"players/{row}/piles/{pile}"
    if key in ("folded", "mucked", "all_in"):
        key = "state"
    if key == "piles" and "piles" not in dict_or_empty(
        list_or_empty(reading.record["players"])[int(place)]
    ):
        return f"players/{row}/piles"  # the record has no piles
    known = key in (*ZONES, "name", "paid", "dead", "declared", "state")
    return f"players/{row}/{key if known else 'more'}"


def _row_of_name(part: str, reading: Reading) -> int | None:
    """Return the row of the player whose name is this part of a JSON pointer."""
    for row, player in zip(
        reading.rows, list_or_empty(reading.record.get("players")), strict=False
    ):
        if path_part(dict_or_empty(player).get("name")) == part:
            return row
    return None

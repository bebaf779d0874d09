"""A season's file read and played through to its end, without a database.

Each of its proofs was signed, and of the closing that the rows come to, or it is refused.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID, uuid4

from league.archive.bookkeeping import play
from league.archive.books import Done, Ids
from league.archive.consistency import check_rows
from league.archive.file_format import TABLES
from league.archive.hands import Settled, settle_hands
from league.archive.reading import Errors, Row, SeasonContent, read_file
from league.models import PlannedPayment
from league.proofs.texts import Settled as Told
from league.proofs.texts import chips_text, names_text
from league.proofs.verification import Proof, flaws, read_names

TEXTS = ("statement", "signature", "key", "chips", "names")


@dataclass(frozen=True, slots=True)
class Played:
    """What a file says, and what it comes to; `ids` are new."""

    content: SeasonContent
    ids: Ids
    settled: dict[int, Settled]
    done: Done

    def proofs(self) -> dict[str, Proof]:
        """Return the proofs of the file by what people call their closings."""
        return {self._called(row["closing"]): _proof(row) for row in self.content.of("Proof")}

    def unproved(self) -> list[str]:
        """Return what people call the closings that nothing proves."""
        proved = {row["closing"] for row in self.content.of("Proof")}
        closings = [row.number for row in self.content.of("Closing")]
        return [self._called(each) for each in closings if each not in proved]

    def _called(self, closing: int) -> str:
        row = self.content.row("Closing", closing)
        night = self.content.row("Night", row["night"])
        return f"night {night['number']}, closing {row['number']}"


def play_through(lines: Iterable[str], *, seconds: float | None) -> Played:
    """Return what the file comes to. Raises RefusedError with all that is wrong with it."""
    errors = Errors()
    content = read_file(lines, errors)
    check_rows(content, errors)
    errors.refuse()
    ids = {table: {row.number: uuid4() for row in content.of(table)} for table in TABLES}
    settled = settle_hands(content, ids["Player"], errors, seconds=seconds)
    done = play(content, ids, settled, errors)
    _check_proofs(content, ids, done, errors)
    return Played(content, ids, settled, done)


# --- what was signed ----------------------------------------------------------------------------


def _check_proofs(content: SeasonContent, ids: Ids, done: Done, errors: Errors) -> None:
    """Hold each proof against what the file has been played through to. Raises RefusedError."""
    plans = {row["closing"]: row.number for row in content.of("Plan")}
    lines, planned = content.grouped("Line", "closing"), content.grouped("PlannedPayment", "plan")
    called = {ids["Player"][row.number]: str(row["name"]) for row in content.of("Player")}
    for row in content.of("Proof"):
        closing = content.row("Closing", row["closing"])
        payments = sorted(planned.get(plans.get(closing.number), ()), key=_by_position)
        told = Told(
            [done.lines[each.number] for each in lines.get(closing.number, ())],
            [_planned(ids, each) for each in payments],
        )
        night = content.row("Night", closing["night"])
        proof = _proof(row)
        for flaw in flaws(proof):
            errors.add(row.line, "", "proof-broken", flaw)
        if proof.chips != _chips(told, night):
            text = "what was signed are other chips than the rows of this file come to"
            errors.add(row.line, "chips", "proof-broken", text)
        if proof.names and proof.names != _names(content, told, night, called, proof.names):
            text = "what was signed are other names than the rows of this file have"
            errors.add(row.line, "names", "proof-broken", text)
    errors.refuse()


def _proof(row: Row) -> Proof:
    return Proof(**{name: row[name] for name in TEXTS})


def _chips(told: Told, night: Row) -> str:
    return chips_text(told, chip_value=night["chip_value"], currency=night["currency"])


def _names(
    content: SeasonContent, told: Told, night: Row, called: Mapping[UUID, str], signed: str
) -> str:
    """Return the names as they would have been signed with the same salt, in the same league."""
    said = read_names(signed)
    return names_text(
        (called[player] for player in told.players()),
        league=str(content.league["name"]),
        night=night["number"],
        name=night["name"],
        salt=said.get("salt", ""),
    )


def _planned(ids: Ids, row: Row) -> PlannedPayment:
    payer, payee = (ids["Player"][row[name]] for name in ("payer", "payee"))
    return PlannedPayment(payer_id=payer, payee_id=payee, chips=row["chips"])


def _by_position(row: Row) -> int:
    return int(row["position"])

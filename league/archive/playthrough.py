"""Replay a whole season file without a database.

Hands are settled again, and the chips in the file must match the computed answers. Then the
bookkeeping is replayed. Each proof must be a valid signature of the closing that the rows produce.
"""

from collections.abc import Iterable, Mapping
from time import monotonic
from typing import Any
from uuid import UUID, uuid4

from league.archive.bookkeeping import play
from league.archive.closings import Replay
from league.archive.file_format import TABLES
from league.archive.reading import Errors, Row, SeasonContent, read_file
from league.common.text import wrong_text
from league.games.documents import hash_of, listed_hash
from league.hands.validation import Verdict, answers_to
from league.journal.sealed_rows import CHIPS
from league.models import LONGEST_GAME_NAME, PlannedPayment
from league.proofs.signing import Settled, chips_text, names_text
from league.proofs.verification import Proof, flaws, read_names
from rules.documents import catalog

AT_ONCE = 50  # hands
TOO_LONG = "the hands of this file take too long to settle: `manage.py season import` has the time"

Json = dict[str, Any]


def play_through(lines: Iterable[str], *, seconds: float | None) -> Replay:
    """Return the replay of the file, with new ids for its rows.

    Hands are settled for at most `seconds`. Raises RefusedError with all errors.
    """
    errors = Errors()
    content = read_file(lines, errors)
    ids = {table: {row.number: uuid4() for row in content.of(table)} for table in TABLES}
    settled = _settle_hands(content, ids["Player"], errors, seconds=seconds)
    playing = play(content, ids, settled, errors)
    _check_proofs(playing, errors)
    return playing


# --- hands ----------------------------------------------------------------------------------------


def _settle_hands(
    content: SeasonContent, players: Mapping[int, UUID], errors: Errors, *, seconds: float | None
) -> dict[int, Verdict]:
    """Return the result of each revision that does not void its hand. Raises RefusedError."""
    rows = [row for row in content.of("Revision") if not row["voids"]]
    used = {row["document"] for row in rows}
    for row in content.of("GameDocument"):
        if row.number not in used:
            errors.add(row.line, "", "unused", "no hand was dealt under these rules")
    played = [(row, each) for row in rows if (each := _playable(content, row, errors)) is not None]
    verdicts, until = {}, monotonic() + seconds if seconds else None
    for at in range(0, len(played), AT_ONCE):
        batch = played[at : at + AT_ONCE]
        answers = answers_to([record for _, record in batch])
        for (row, record), answer in zip(batch, answers, strict=True):
            if not _check_answer(row, answer, errors):
                continue
            verdicts[row.number] = Verdict(
                record=row["record"],
                variant=record["variant"],
                answer=answer | {"variant": row["record"]["variant"]},
                names={name: players[number] for name, number in row["names"].items()},
            )
        if until and monotonic() > until:
            errors.add(batch[-1][0].line, "record", "too-much", TOO_LONG)
            break
    errors.refuse()
    return verdicts


def _playable(content: SeasonContent, row: Row, errors: Errors) -> Json | None:
    """Return the record to settle.

    The record uses the game's name if the catalog has the same document.
    """
    record: Json = row["record"]
    variant, number = record.get("variant"), row["document"]
    if isinstance(variant, str) != (number is not None):
        text = "a record needs a document only if it names its game instead of containing the rules"
        errors.add(row.line, "document", "bad-document", text)
        return None
    if number is None:
        return record
    for each in wrong_text("", variant, longest=LONGEST_GAME_NAME):
        errors.add(row.line, "record/variant", each["code"], each["text"])
        return None
    document = content.row("GameDocument", number)["document"]
    listed = variant in catalog.slugs() and hash_of(document) == listed_hash(str(variant))
    return record if listed else record | {"variant": document}


def _check_answer(row: Row, answer: Json, errors: Errors) -> bool:
    """Return whether settling the hand gives the same chips and names as in the row."""
    if refused := answer.get("errors", ()):
        for error in refused:
            where = f"record/{error['where']}".rstrip("/")
            errors.add(row.line, where, error["code"], error["text"])
        return False
    differing = [key for key in CHIPS if row["answer"][key] != answer[key]]
    for key in differing:
        text = f"the file has {row['answer'][key]}, but the rules give {answer[key]}"
        errors.add(row.line, f"answer/{key}", "answer-differs", text)
    named = row["names"].keys() == {player["name"] for player in row["record"]["players"]}
    if not (differing or named):
        errors.add(row.line, "names", "unknown-player", "the names differ from those in the record")
    return named and not differing


# --- proofs ---------------------------------------------------------------------------------------


def proofs_of(content: SeasonContent) -> dict[str, Proof | None]:
    """Return each closing's proof or None, keyed by the closing's displayed name."""
    proofs = {row["closing"]: _proof(row) for row in content.of("Proof")}
    by_closing = {}
    for row in content.of("Closing"):
        night = content.row("Night", row["night"])["number"]
        by_closing[f"night {night}, closing {row['number']}"] = proofs.get(row.number)
    return by_closing


def _proof(row: Row) -> Proof:
    return Proof(**{name: row[name] for name in row.values if name != "closing"})


def _check_proofs(playing: Replay, errors: Errors) -> None:
    """Compare each proof with the closing that the rows produce. Raises RefusedError."""
    content = playing.content
    called = {playing.player(row.number): str(row["name"]) for row in content.of("Player")}
    for row in content.of("Proof"):
        closing, proof = content.row("Closing", row["closing"]), _proof(row)
        night, plan = content.row("Night", closing["night"]), playing.plan_of.get(closing.number)
        planned = playing.planned.get(plan.number, []) if plan else []
        settled = Settled(
            [playing.done.lines[line.number] for line in playing.lines.get(closing.number, ())],
            [
                PlannedPayment(
                    payer_id=playing.player(payment["payer"]),
                    payee_id=playing.player(payment["payee"]),
                    chips=payment["chips"],
                )
                for payment in sorted(planned, key=lambda payment: int(payment["position"]))
            ],
        )
        for flaw in flaws(proof):
            errors.add(row.line, "", "proof-broken", flaw)
        coin = {name: night[name] for name in ("chip_value", "currency")}
        if proof.chips != chips_text(settled, **coin):
            text = "the signed chips differ from the rows of this file"
            errors.add(row.line, "chips", "proof-broken", text)
        # hash the names with the proof's salt and league, as the signer did
        names = proof.names and names_text(
            (called[player] for player in settled.players()),
            league=str(content.league["name"]),
            night=night["number"],
            name=night["name"],
            salt=read_names(proof.names).get("salt", ""),
        )
        if proof.names != names:
            text = "the signed names differ from the rows of this file"
            errors.add(row.line, "names", "proof-broken", text)
    errors.refuse()

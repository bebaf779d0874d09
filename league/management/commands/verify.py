"""`manage.py verify` checks the content of receipts and season files, without a database."""

from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from league.archive.file_format import FORMAT, LONGEST_LINE
from league.archive.import_season import WRONG
from league.archive.playthrough import play_through, proofs_of
from league.common.errors import RefusedError
from league.proofs.verification import (
    LONGEST_FILE,
    Proof,
    ProofError,
    breaks,
    fingerprint,
    flaws,
    mixed,
    read_receipt,
    read_statement,
    short,
)


class Command(BaseCommand):
    help = (
        "Check that receipts and season files are signed, unchanged and consistent with each other."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
        parser.add_argument(
            "--key",
            action="append",
            default=[],
            help="a public key that you trust, or its fingerprint; may be given several times",
        )

    def handle(self, *, files: list[Path], key: list[str], **options: Any) -> None:
        """Print the facts that each file proves, and all problems.

        Exits with status 1 if there are problems.
        """
        trusted, wrong = ["".join(part.split()) for part in key], []
        valid_proofs: list[tuple[str, Proof]] = []
        for file in files:
            try:
                proofs = dict(_proofs(file))
            except (ProofError, OSError) as error:
                wrong += [f"{file}: {error_line}" for error_line in str(error).splitlines()]
                continue
            for called, proof in proofs.items():
                problems = [f"{called}: {flaw}" for flaw in flaws(proof, trusted=trusted)]
                wrong += problems
                if not problems:
                    valid_proofs.append((called, proof))
                    self.stdout.write(f"{called}: {_described(proof)}")
        wrong += mixed(valid_proofs, trusted=trusted)
        wrong += breaks((called, read_statement(proof.statement)) for called, proof in valid_proofs)
        for text in wrong:
            self.stdout.write(f"WRONG {text}")
        if wrong:
            raise SystemExit(1)
        self.stdout.write("Everything holds.")


def _described(proof: Proof) -> str:
    statement = read_statement(proof.statement)
    lacking = [name for name in ("chips", "names") if not getattr(proof, name)]
    without = f" (without {' and '.join(lacking)})" if lacking else ""
    imported = f" (imported on {statement.imported:.10})" if statement.imported else ""
    return (
        f"closing {statement.sequence} of {statement.closed_at:.10}{imported}, "
        f"league {short(statement.league)}, seal {short(statement.hash)},"
        f" key {short(fingerprint(proof.key))}{without}"
    )


def _proofs(file: Path) -> Iterator[tuple[str, Proof]]:
    """Yield the proofs in a file with their labels. Raises ProofError, OSError."""
    with file.open(encoding="utf-8", errors="replace") as stream:
        head = stream.readline(LONGEST_LINE + 1)
        if f'"{FORMAT["format"]}"' not in head:
            text = head + stream.read(LONGEST_FILE + 1)
            if len(text) > LONGEST_FILE:
                raise ProofError("it is too long for a receipt")
            yield str(file), read_receipt(text)
            return
        stream.seek(0)
        # read no more than the maximum line length
        lines = iter(partial(stream.readline, LONGEST_LINE + 1), "")
        try:
            proofs = proofs_of(play_through(lines, seconds=None).content)
        except RefusedError as refused:
            raise ProofError("\n".join(each["text"] for each in refused.errors)) from None
        except WRONG:
            raise ProofError("it is not a complete season: some rows don't fit together") from None
    if unproved := [called for called, proof in proofs.items() if proof is None]:
        raise ProofError("\n".join(f"{called} has no signature" for called in unproved))
    yield from ((f"{file}, {called}", proof) for called, proof in proofs.items() if proof)

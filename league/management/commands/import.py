# ruff: noqa: N999 - this is the name of the command
"""`manage.py import` imports hand histories from other services and tools into a league."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from league.common.errors import problem
from league.imports.contents import (
    DATE,
    EVERYONE,
    FILE,
    ImportDifference,
    ImportOptions,
    ImportProblem,
    Source,
    import_problem,
    wrong_options,
)
from league.imports.execution import Report, preview, record_plan
from league.imports.planning import plan
from league.management.base_command import ServiceCommand, show_progress
from league.models import League
from rules.formats.pokernow.log import AMOUNTS
from rules.formats.text_files import read_bytes

SUFFIXES = frozenset((".phh", ".phhs", ".json", ".jsonl", ".ohh", ".csv", ".txt"))
# maximum number of refusals and findings printed on the terminal; the report contains all of them
TOLD = 20


class Command(ServiceCommand):
    help = (
        "Import hands from files: PHH (.phh, .phhs), Open Hand History, PokerStars text, "
        "PokerNow logs and ledgers, and records with one hand per line. If you run it again, it "
        "continues and skips hands that are already recorded."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, help="files, or folders of them")
        parser.add_argument("--league", type=UUID, required=True, help="the id of the league")
        parser.add_argument(
            "--amounts", choices=AMOUNTS, default="", help="unit of PokerNow's numbers"
        )
        parser.add_argument(
            "--places", type=int, help="decimal places of a chip, such as 2 if a chip is a cent"
        )
        parser.add_argument(
            "--nights",
            choices=[DATE, FILE],
            default=DATE,
            help="how hands are grouped into nights (default: date)",
        )
        parser.add_argument(
            "--map",
            dest="called",
            action="append",
            type=_meaning,
            default=[],
            metavar="NAME=PLAYER",
            help="the player for a name in the files; can be repeated",
        )
        parser.add_argument("--add-players", action="store_true", help="add missing players")
        parser.add_argument(
            "--close",
            action="store_true",
            help="close nights whose chips add up, without a chip count",
        )
        parser.add_argument(
            "--bears",
            default="",
            metavar="PLAYER",
            help=f"who pays a ledger's difference: a player, or {EVERYONE} who played",
        )
        parser.add_argument(
            "--settled", action="store_true", help="record all payments as received"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only report what would be imported"
        )
        parser.add_argument("--report", type=Path, help="write problems and findings to this file")

    def handle(self, *, files: list[Path], **options: Any) -> None:
        """Import the files. Exits with status 1 if anything was refused."""
        league = League.objects.select_related("book").filter(pk=options["league"]).first()
        if league is None:
            raise CommandError(f"There is no league {options['league']}.", returncode=2)
        chosen = ImportOptions(
            amounts=options["amounts"],
            places=options["places"],
            nights=options["nights"],
            called=dict(options["called"]),
            add_players=options["add_players"],
            close=options["close"],
            bears=options["bears"],
            settled=options["settled"],
        )
        if wrong := list(wrong_options(league, chosen)):
            raise CommandError("; ".join(each["text"] for each in wrong), returncode=2)
        sources, unread = _sources(files)
        planned = plan(league, sources, chosen, unread)
        report = Report()
        if options["dry_run"]:
            steps = preview(league, planned, report)
        else:
            steps = record_plan(league, planned, report, options=chosen, by=None)
        for done in steps:
            show_progress(self.stderr, done, planned.steps, "steps")
        self._tell(league, report, options["report"], would=options["dry_run"])
        if report.refused:
            raise SystemExit(1)

    def _tell(self, league: League, report: Report, into: Path | None, *, would: bool) -> None:
        self._list(report.refused, "refused")
        self._list(report.findings, "found")
        self._list(report.differences, "differs")
        if into is not None:
            lines = [problem.as_dict() | {"recorded": False} for problem in report.refused]
            lines += [problem.as_dict() | {"recorded": True} for problem in report.findings]
            lines += [
                difference.as_dict() | {"recorded": True} for difference in report.differences
            ]
            into.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        if would:
            for night, good in report.nights:
                self.stdout.write(f"{night.name}: {good} hands.")
            for name in report.new_players:
                self.stdout.write(f"{name} would be added as a player.")
        hands = len({(problem.file, problem.line, problem.hand) for problem in report.refused})
        self.stdout.write(
            f"{league.name}: {report.recorded} hands {'would be ' if would else ''}recorded, "
            f"{report.known} already recorded, {hands} refused."
        )
        if report.findings:
            self.stdout.write(f"{len(report.findings)} findings in recorded hands.")
        if report.differences:
            self.stdout.write(f"{len(report.differences)} stacks don't match the hands.")

    def _list(self, problems: Sequence[ImportProblem | ImportDifference], how: str) -> None:
        for each in problems[:TOLD]:
            self.stderr.write(f"{how}: {each}")
        if len(problems) > TOLD:
            self.stderr.write(f"and {len(problems) - TOLD} more {how}")


def _meaning(option: str) -> tuple[str, str]:
    name, mark, player = option.partition("=")
    if not (name and mark and player.strip()):
        raise ArgumentTypeError(f"{option!r} is not NAME=PLAYER")
    return name, player


def _sources(files: list[Path]) -> tuple[list[Source], list[ImportProblem]]:
    """Return the files as text. Files in folders are sorted by name."""
    paths: list[Path] = []
    for path in files:
        if path.is_dir():
            paths += sorted(each for each in path.rglob("*") if each.suffix.lower() in SUFFIXES)
        else:
            paths.append(path)
    sources, wrong = [], []
    for path in paths:
        try:
            text, unknown = read_bytes(path.read_bytes())
        except OSError as error:
            unread = problem("", "not-read", str(error.strerror))
            wrong.append(import_problem(unread, file=str(path)))
            continue
        if unknown is not None:
            wrong.append(import_problem(unknown.as_dict(), file=str(path)))
        else:
            sources.append(Source(str(path), path.resolve().parent.name, text))
    return sources, wrong

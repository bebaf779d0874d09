"""Read the file of a season into an empty league: the same nights, hands and books to the chip.

A file is as foreign as a request, whoever wrote it. Its rows name rows of the file and nothing
else; every id is made new; each field goes through the checks of the front door; hands are settled
again; chips move by what was done, through the ledger; closings are sealed anew, each upon the one
before. At the end the league has to hold, by the audit, or nothing of it is kept.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DatabaseError, transaction

from league.archive.file_format import MOST_ERRORS, TERMS
from league.archive.playthrough import play_through
from league.archive.reading import SeasonContent
from league.archive.row_writer import Astray, Writing
from league.archive.storing import write_season
from league.audit_log import Kind, log_action
from league.change_version import bump_league
from league.closing.settings import Options, wrong_settling
from league.common.errors import RefusedError, problem, refuse
from league.integrity import sealed_audit
from league.integrity.audit import audit_league
from league.models import League, Night, Plan, Season, User
from ledger.posting import LedgerError

logger = logging.getLogger(__name__)
# What a request waits for; a command has all the time there is.
PATIENCE = 20.0
# What comes of rows that say what can't be, should any of them have passed all checks.
WRONG = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    ValidationError,
    ObjectDoesNotExist,
    DatabaseError,
    LedgerError,
    Astray,
)
NOT_WHOLE = "the file is no whole season: some of its rows don't fit together"


def import_season(
    league: League,
    lines: Iterable[str],
    *,
    by: User | None = None,
    seconds: float | None = PATIENCE,
) -> Season:
    """Return the season that the file told.

    Raises RefusedError with all that is wrong with it, or if the league has players or nights
    already; then nothing was stored.
    """
    try:
        with transaction.atomic():
            season = _import(league, lines, seconds)
            log_action(Kind.SEASON_IMPORTED, by=by, league=league)
            return season
    except WRONG as error:
        # no check has a word for it: that is ours to mend
        logger.warning("a season's file is not whole: %s", type(error).__name__)
        raise RefusedError([problem("file", "not-whole", NOT_WHOLE)]) from None


def _import(league: League, lines: Iterable[str], seconds: float | None) -> Season:
    _require_empty(league)
    played = play_through(lines, seconds=seconds)
    _take_terms(league, _terms(played.content))
    season = write_season(Writing(league, played.content, played.ids, played.settled, played.done))
    sealed_audit.take_in(league)
    _require_sound(league)
    bump_league(league.pk)
    return season


def _require_empty(league: League) -> None:
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    kept = (
        league.players.exists(),
        Night.objects.filter(season__league=league).exists(),
        Plan.objects.filter(season__league=league).exists(),
    )
    if any(kept):
        raise RefusedError(
            [problem("league", "not-empty", "a season is read into an empty league")]
        )


def _terms(content: SeasonContent) -> dict[str, Any]:
    """Return what the league's chips are. Raises RefusedError."""
    if content.league.keys() != {"name", *TERMS}:
        text = f"the first line has name, {', '.join(TERMS)} of a league and nothing else"
        raise RefusedError([problem("league", "unknown-format", text)])
    terms = {name: content.league[name] for name in TERMS}
    refuse(wrong_settling(Options(**terms)))
    return terms


def _take_terms(league: League, terms: Mapping[str, Any]) -> None:
    league.seasons.all().delete()
    for name, value in terms.items():
        setattr(league, name, value)
    league.save(update_fields=list(terms))


def _require_sound(league: League) -> None:
    found = audit_league(league)
    refuse(problem("file", each.code, each.text) for each in found[:MOST_ERRORS])

"""What a league has chosen: when nights close, how they settle, who is the banker."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import TextChoices

from league import work
from league.models import League, Leftover, Player, Settles, Uncounted
from league.refusals import Fault, fault, refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All choices of a league; `banker` is whoever all payments go through, if anybody."""

    closing_hour: int = 6
    settles: str = Settles.NIGHT
    uncounted: str = Uncounted.WAIT
    leftover: str = Leftover.BACK
    banker: Player | None = None


def options_of(league: League) -> Options:
    """Return what the league has chosen."""
    return Options(
        closing_hour=league.closing_hour,
        settles=league.settles,
        uncounted=league.uncounted,
        leftover=league.leftover,
        banker=league.banker,
    )


@transaction.atomic
def choose(league: League, options: Options) -> League:
    """Change what the league has chosen; nights that are open close at the new hour.

    Raises Refused.
    """
    refuse(_wrong(league, options))
    league = League.objects.select_for_update(no_key=True).get(pk=league.pk)
    moved = league.closing_hour != options.closing_hour
    for name in ("closing_hour", "settles", "uncounted", "leftover", "banker"):
        setattr(league, name, getattr(options, name))
    league.save(update_fields=["closing_hour", "settles", "uncounted", "leftover", "banker"])
    if moved:
        work.mark_again(league)
    return league


def _wrong(league: League, options: Options) -> Iterator[Fault]:
    hour: object = options.closing_hour
    if not isinstance(hour, int) or isinstance(hour, bool) or not 0 <= hour <= 23:
        yield fault("closing_hour", "bad-hour", "an hour is a whole number from 0 to 23")
    yield from _not_among(Settles, "settles", options.settles)
    yield from _not_among(Uncounted, "uncounted", options.uncounted)
    yield from _not_among(Leftover, "leftover", options.leftover)
    if options.banker is not None and options.banker.league_id != league.pk:
        yield fault("banker", "unknown-player", "the league has no such player")


def _not_among(choices: type[TextChoices], where: str, value: object) -> Iterator[Fault]:
    if value not in choices.values:
        said = " or ".join(choices.values)
        yield fault(where, "bad-option", f"this is {said}")

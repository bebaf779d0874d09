"""Create, change and cancel tournaments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common import row_limits
from league.common.errors import IdReusedError, Problem, RefusedError, problem, refuse
from league.common.text import tidy, wrong_text
from league.models import LONGEST_NAME, MOST_CHIPS, Night, Tournament, User
from league.nights.nights import lock_and_bump, lock_and_bump_open
from league.planned_nights.planning import new_seed
from league.tournaments.clock import Level, levels_json, wrong_levels

MOST_SEATS_AT_A_TABLE = 11
MOST_PARTS = 20
# A tournament's payments add up to less than the maximum of a single transfer.
MOST_PRICE = MOST_CHIPS // 10_000
PRICES = ("entry", "rebuy", "add_on", "bounty")
PAYOUTS = ("parts", "round_to")
STACKS = ("stack", "rebuy_stack", "add_on_stack")


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """The details of a tournament. `models.Tournament` describes the fields."""

    name: str = ""
    entry: int
    rebuy: int = 0
    add_on: int = 0
    bounty: int = 0
    stack: int
    rebuy_stack: int = 0
    add_on_stack: int = 0
    levels: Sequence[Level] = ()
    late_until: int = 0
    parts: Sequence[int] = ()
    round_to: int = 1
    seats: int = 9

    def as_fields(self) -> dict[str, object]:
        texts = {each.name: getattr(self, each.name) for each in fields(self)}
        changed = {
            "name": tidy(self.name),
            "levels": levels_json(self.levels),
            "parts": list(self.parts),
        }
        return {**texts, **changed}


@transaction.atomic
def make(night: Night, tournament_id: UUID, details: Details, *, by: User | None) -> Tournament:
    """Create a tournament at an open night, once for each id.

    The seed for the seats is drawn here, before the first entry. Raises RefusedError, IdReusedError
    or NightClosedError.
    """
    lock_and_bump_open(night)
    refuse(wrong_details(details))
    fields = details.as_fields()
    if tournament := Tournament.objects.filter(pk=tournament_id).first():
        if tournament.night_id != night.pk or any(
            getattr(tournament, k) != v for k, v in fields.items()
        ):
            raise IdReusedError
        return tournament
    refuse(row_limits.TOURNAMENTS.exceeded(night.tournaments, where="night"))
    return Tournament.objects.create(
        id=tournament_id, night=night, seed=new_seed(), made_by=by, **fields
    )


@transaction.atomic
def change(tournament: Tournament, details: Details, *, by: User | None) -> Tournament:
    """Change the tournament's details.

    Raises RefusedError if the details are invalid, or if prices change after the first payment.
    """
    tournament = lock_running(tournament)
    wrong = list(wrong_details(details))
    if tournament.events.exists():
        text = "players have entered, so the entry can't change any more"
        wrong += [
            problem(name, "already-entered", text)
            for name in (*PRICES, *STACKS)
            if getattr(tournament, name) != getattr(details, name)
        ]
    refuse(wrong)
    fields = details.as_fields()
    pays_otherwise = any(getattr(tournament, name) != fields[name] for name in PAYOUTS)
    for name, value in fields.items():
        setattr(tournament, name, value)
    tournament.save()
    if pays_otherwise:
        log_tournament(Kind.PAYOUTS_CHANGED, tournament, by=by)
    return tournament


@transaction.atomic
def call_off(tournament: Tournament, *, by: User | None) -> Tournament:
    """Cancel the tournament without charging players. Raises RefusedError.

    Cancelling it twice changes nothing.
    """
    lock_and_bump(tournament.night)
    tournament = _fresh(tournament)
    if is_over(tournament):
        raise RefusedError([_over()])
    if tournament.called_off_at is None:
        tournament.called_off_at = timezone.now()
        tournament.clock_started_at = None
        tournament.save(update_fields=["called_off_at", "clock_started_at"])
        log_tournament(Kind.TOURNAMENT_CANCELLED, tournament, by=by)
    return tournament


def log_tournament(kind: Kind, tournament: Tournament, *, by: User | None) -> None:
    league = tournament.night.league
    log_action(kind, by=by, league=league, tournament=str(tournament.pk))


def is_over(tournament: Tournament) -> bool:
    """Return whether the tournament has a result that was not undone."""
    return tournament.charge is not None and not hasattr(tournament.charge.posting, "reversal")


def lock_running(tournament: Tournament) -> Tournament:
    """Lock the night and return the reloaded tournament.

    Raises RefusedError if the tournament has ended.
    """
    lock_and_bump(tournament.night)
    locked = _fresh(tournament)
    if locked.called_off_at is not None:
        raise RefusedError([problem("tournament", "called-off", "the tournament was cancelled")])
    if is_over(locked):
        raise RefusedError([_over()])
    return locked


def wrong_details(details: Details) -> Iterator[Problem]:
    yield from wrong_text("name", details.name, longest=LONGEST_NAME, needed=False)
    for name in (*PRICES, *STACKS):
        least = 1 if name in {"entry", "stack"} else 0
        most = MOST_PRICE if name in PRICES else MOST_CHIPS
        yield from _wrong_number(name, getattr(details, name), least, most)
    for chips, price in (("rebuy_stack", "rebuy"), ("add_on_stack", "add_on")):
        if bool(getattr(details, chips)) != bool(getattr(details, price)):
            text = "enter both the price and its chips"
            yield problem(price, "bad-price", text)
    yield from wrong_levels(details.levels)
    if details.levels and all(level.is_break for level in details.levels):
        yield problem("levels", "missing", "enter at least one level that is not a break")
    yield from _wrong_number("late_until", details.late_until, 0, len(details.levels))
    yield from _wrong_number("round_to", details.round_to, 1, MOST_CHIPS)
    yield from _wrong_number("seats", details.seats, 2, MOST_SEATS_AT_A_TABLE)
    parts = details.parts
    if len(parts) > MOST_PARTS:
        yield problem("parts", "too-many", f"at most {MOST_PARTS} places can be paid")
    elif any(type(part) is not int or not 1 <= part <= 100 for part in parts):
        yield problem("parts", "bad-parts", "enter whole percentages, starting with first place")
    elif parts and (sum(parts) != 100 or sorted(parts, reverse=True) != list(parts)):
        text = (
            f"percentages must get smaller from place to place and add up to 100, not {sum(parts)}"
        )
        yield problem("parts", "bad-parts", text)


def _wrong_number(name: str, number: object, least: int, most: int) -> Iterator[Problem]:
    if type(number) is not int or not least <= number <= most:
        yield problem(name, "bad-number", f"enter a whole number from {least} to {most}")


def _fresh(tournament: Tournament) -> Tournament:
    rows = Tournament.objects.select_related("night__season__league__book", "charge__posting")
    return rows.get(pk=tournament.pk)


def _over() -> Problem:
    return problem("tournament", "over", "the tournament is over")

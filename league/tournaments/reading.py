"""Read a tournament: players, seats, clock, prizes or the result."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from league.models import Night, Player, Tournament, TournamentEvent, TournamentQuerySet
from league.tournaments.clock import Level, Moment, levels_of_json, moment
from league.tournaments.field import (
    Act,
    Event,
    Field,
    Prices,
    Result,
    Stacks,
    payouts,
    read_field,
    results,
    usual_parts,
)
from league.tournaments.making import is_over
from league.tournaments.seating import Place

MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A tournament with everything that follows from its events.

    `prizes` are by place, for the current pool. `results` are set once it is over.
    """

    tournament: Tournament
    events: Sequence[TournamentEvent]
    players: dict[UUID, Player]
    levels: Sequence[Level]
    field: Field
    passed: int  # milliseconds on the clock
    moment: Moment
    prizes: Sequence[int]
    results: Sequence[Result]

    @property
    def runs(self) -> bool:
        """Whether the clock is running."""
        return self.tournament.clock_started_at is not None

    @property
    def may_enter(self) -> bool:
        """Whether late players may enter or rebuy, including in the break after the last level."""
        late = self.tournament.late_until
        return not late or self.level_played <= late

    @property
    def level_played(self) -> int:
        """The number of the level as players count it, from 1 and without breaks."""
        return sum(not level.is_break for level in self.levels[: self.moment.number + 1])

    @property
    def is_over(self) -> bool:
        return bool(self.results)


def tournaments_of(night: Night) -> TournamentQuerySet:
    """Return the tournaments of a night, the first one first."""
    rows = night.tournaments.select_related("night__season__league__book", "charge__posting")
    return rows.order_by("made_at", "pk")


def running_tournament(night: Night) -> Tournament | None:
    """Return the latest tournament of the night that has neither ended nor been cancelled."""
    return tournaments_of(night).running().last()


def state_of(tournament: Tournament, now: datetime | None = None) -> State:
    """Return the state of the tournament, in two queries."""
    events = list(tournament.events.order_by("number"))
    league = tournament.night.season.league_id
    named = {each.player_id for each in events if each.player_id}
    players = {each.pk: each for each in Player.objects.filter(league=league, pk__in=named)}
    levels = levels_of_json(tournament.levels)
    field = read_field([as_event(each) for each in events], prices(tournament), stacks(tournament))
    passed = clock_passed(tournament, now or timezone.now())
    return State(
        tournament=tournament,
        events=events,
        players=players,
        levels=levels,
        field=field,
        passed=passed,
        moment=moment(levels, passed),
        prizes=prizes_of(tournament, field),
        results=results_of(tournament, field) if is_over(tournament) else (),
    )


def results_of(tournament: Tournament, field: Field) -> list[Result]:
    """Return the result of each player, by the events and the deal, if there was one."""
    deal = tournament.deal and {UUID(player): chips for player, chips in tournament.deal}
    return results(
        field,
        prices(tournament),
        deal,
        parts_of(tournament, field),
        tournament.round_to,
    )


def prizes_of(tournament: Tournament, field: Field) -> list[int]:
    """Return the prize of each paid place for the current pool, the first place first."""
    parts = parts_of(tournament, field)
    if not field.players:
        return []
    return payouts(field.pool, parts[: len(field.players)], round_to=tournament.round_to)


def parts_of(tournament: Tournament, field: Field) -> tuple[int, ...]:
    """Return the percents of the places: the tournament's own, or the defaults for the field."""
    return tuple(tournament.parts) or usual_parts(max(1, len(field.players)))


def clock_passed(tournament: Tournament, now: datetime) -> int:
    """Return the elapsed milliseconds of the clock."""
    started = tournament.clock_started_at
    since = max(timedelta(0), now - started) // MILLISECOND if started else 0
    return tournament.clock_passed + since


def as_event(row: TournamentEvent) -> Event:
    return Event(
        id=row.pk,
        kind=Act(row.kind),
        player=row.player_id,
        by=tuple(UUID(each) for each in row.knocked_out_by),
        place=Place(row.table, row.seat) if row.table and row.seat else None,
        undoes=row.undoes_id,
    )


def prices(tournament: Tournament) -> Prices:
    return Prices(
        entry=tournament.entry,
        rebuy=tournament.rebuy,
        add_on=tournament.add_on,
        bounty=tournament.bounty,
    )


def stacks(tournament: Tournament) -> Stacks:
    return Stacks(
        entry=tournament.stack, rebuy=tournament.rebuy_stack, add_on=tournament.add_on_stack
    )

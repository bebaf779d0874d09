"""Record tournament events (entries, rebuys, knockouts and seats), and set the clock.

A tournament's state is computed from its events. Concurrent writers at the same night wait for each
other. The client creates an event's id. The clock is stored in two columns, so it survives
restarts. All phones show the time that the server reports, so their own clocks do not matter.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4, uuid5

from django.db import transaction
from django.utils import timezone

from league.audit_log import Kind
from league.common import row_limits
from league.common.errors import IdReusedError, Problem, RefusedError, problem, refuse
from league.models import Night, Player, Tournament, TournamentEvent, TournamentQuerySet, User
from league.tournaments import seating
from league.tournaments.clock import ClockTime, Level, clock_at, levels_of_json, start_of
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
    wrong_event,
)
from league.tournaments.making import is_over, lock_running, log_tournament
from league.tournaments.seating import Place

MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentState:
    """A tournament and the state computed from its events.

    `prizes` contains each place's prize for the current pool. `results` is empty until the
    tournament is over.
    """

    tournament: Tournament
    events: Sequence[TournamentEvent]
    players: dict[UUID, Player]
    levels: Sequence[Level]
    field: Field
    passed: int  # milliseconds passed on the clock
    clock: ClockTime
    prizes: Sequence[int]
    results: Sequence[Result]

    @property
    def runs(self) -> bool:
        """Whether the clock is running."""
        return self.tournament.clock_started_at is not None

    @property
    def may_enter(self) -> bool:
        """Whether late entries and rebuys are possible.

        They are still possible in the break after the last level for late entries.
        """
        late = self.tournament.late_until
        return not late or self.level_played <= late

    @property
    def level_played(self) -> int:
        """The level number as players count levels, from 1 and without breaks."""
        return sum(not level.is_break for level in self.levels[: self.clock.number + 1])

    @property
    def is_over(self) -> bool:
        return bool(self.results)


def tournaments_of(night: Night) -> TournamentQuerySet:
    """Return the night's tournaments, oldest first."""
    return night.tournaments.select_related("charge__posting").order_by("made_at", "pk")


def running_tournament(night: Night) -> Tournament | None:
    """Return the night's latest tournament that was neither ended nor cancelled, or None."""
    return tournaments_of(night).running().last()


def state_of(tournament: Tournament, now: datetime | None = None) -> TournamentState:
    """Return the tournament's state, in two queries."""
    events = list(tournament.events.select_related("player").order_by("number"))
    league = tournament.night.season.league_id
    named = {event.player_id for event in events if event.player_id}
    players = {player.pk: player for player in Player.objects.filter(league=league, pk__in=named)}
    levels = levels_of_json(tournament.levels)
    field = read_field(
        [as_event(event) for event in events], prices(tournament), stacks(tournament)
    )
    passed = elapsed_milliseconds(tournament, now or timezone.now())
    return TournamentState(
        tournament=tournament,
        events=events,
        players=players,
        levels=levels,
        field=field,
        passed=passed,
        clock=clock_at(levels, passed),
        prizes=prizes_of(tournament, field),
        results=results_of(tournament, field) if is_over(tournament) else (),
    )


def results_of(tournament: Tournament, field: Field) -> list[Result]:
    """Return each player's result according to the events and the deal, if any."""
    deal = tournament.deal and {UUID(player): chips for player, chips in tournament.deal}
    return results(
        field,
        prices(tournament),
        deal,
        parts_of(tournament, field),
        tournament.round_to,
    )


def prizes_of(tournament: Tournament, field: Field) -> list[int]:
    """Return each paid place's prize for the current pool, starting with first place."""
    parts = parts_of(tournament, field)
    if not field.players:
        return []
    return payouts(field.pool, parts[: len(field.players)], round_to=tournament.round_to)


def parts_of(tournament: Tournament, field: Field) -> tuple[int, ...]:
    """Return the percentages of the paid places, from the tournament or by default."""
    return tuple(tournament.parts) or usual_parts(max(1, len(field.players)))


def elapsed_milliseconds(tournament: Tournament, now: datetime) -> int:
    """Return how many milliseconds the clock has run."""
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


MOST_KNOCKERS = 4
BUYING = {Act.ENTRY, Act.REBUY}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """The content of a new event."""

    kind: Act
    player: Player | None = None
    knocked_out_by: Sequence[Player] = ()
    place: Place | None = None
    undoes: UUID | None = None


@transaction.atomic
def record_event(
    tournament: Tournament, event_id: UUID, new: NewEvent, *, by: User | None
) -> TournamentEvent:
    """Record an event, once for each id. Raises RefusedError or IdReusedError.

    A player who enters after the seats were drawn also gets a seat. The knockout that leaves one
    player pauses the clock.
    """
    tournament = lock_running(tournament)
    if recorded := TournamentEvent.objects.filter(pk=event_id).first():
        is_other_tournament = recorded.tournament_id != tournament.pk
        if is_other_tournament or as_event(recorded) != _event(recorded.pk, new):
            raise IdReusedError
        return recorded
    state = state_of(tournament)
    refuse(_problems(state, event_id, new))
    event = _write(tournament, event_id, new, number=len(state.events) + 1, by=by)
    if state.field.seats:
        _seat_entrant(tournament, event, by=by)
    if new.kind == Act.OUT and len(state.field.playing) == 2:
        pause_clock(tournament)
    return event


@transaction.atomic
def enter_players(
    tournament: Tournament, request_id: UUID, players: Iterable[Player], *, by: User | None
) -> list[TournamentEvent]:
    """Record the entries of several players, once for each `request_id`, or none if one is refused.

    Raises RefusedError or IdReusedError.
    """
    return [
        record_event(
            tournament,
            uuid5(request_id, str(player.pk)),
            NewEvent(kind=Act.ENTRY, player=player),
            by=by,
        )
        for player in players
    ]


@transaction.atomic
def draw_seats(tournament: Tournament, draw_id: UUID, *, by: User | None) -> list[TournamentEvent]:
    """Draw seats for all players in the tournament by its seed, replacing earlier seats.

    Raises RefusedError or IdReusedError.
    """
    tournament = lock_running(tournament)
    state = state_of(tournament)
    seed = f"{tournament.seed}{draw_id}" if state.field.seats else tournament.seed
    places = seating.draw(state.field.playing, seats=tournament.seats, seed=seed)
    return _seat_all(state, draw_id, places.items(), by=by)


@transaction.atomic
def balance_tables(
    tournament: Tournament, move_id: UUID, *, by: User | None
) -> list[TournamentEvent]:
    """Balance the tables with the fewest moves. Raises RefusedError or IdReusedError."""
    tournament = lock_running(tournament)
    state = state_of(tournament)
    moves = [(each.player, each.to) for each in balancing_moves(state)]
    return _seat_all(state, move_id, moves, by=by)


def balancing_moves(state: TournamentState) -> list[seating.Move]:
    table = state.tournament
    return seating.moves(state.field.seats, seats=table.seats, seed=table.seed)


def _seat_all(
    state: TournamentState, key: UUID, places: Iterable[tuple[UUID, Place]], *, by: User | None
) -> list[TournamentEvent]:
    """Record seat events for the players, once for each request `key`."""
    if any(event.pk == uuid5(key, str(event.player_id)) for event in state.events):
        return []
    rows = [
        TournamentEvent(
            id=uuid5(key, str(player)),
            tournament=state.tournament,
            number=number,
            kind=Act.SEAT,
            player_id=player,
            table=place.table,
            seat=place.seat,
            made_by=by,
        )
        for number, (player, place) in enumerate(places, len(state.events) + 1)
    ]
    refuse(_too_many(state, adding=len(rows)))
    _require_new([event.pk for event in rows])
    return TournamentEvent.objects.bulk_create(rows)


def _seat_entrant(tournament: Tournament, came: TournamentEvent, *, by: User | None) -> None:
    """Seat the player who enters by the event, or who returns because the event was undone.

    A player who still has a seat keeps the seat. After an undone knockout, the seat may be taken,
    or the seats may have been drawn again.
    """
    player = came.undoes.player if came.undoes else came.player
    field = state_of(tournament).field
    if player is None or player.pk not in field.playing:
        return
    others = {who: place for who, place in field.seats.items() if who != player.pk}
    own = field.seats.get(player.pk)
    if own is None or own in others.values():
        place = seating.seat_for(player.pk, others, seats=tournament.seats, seed=tournament.seed)
        seat_event, seat_id = (
            NewEvent(kind=Act.SEAT, player=player, place=place),
            uuid5(came.pk, "seat"),
        )
        _require_new([seat_id])
        _write(tournament, seat_id, seat_event, number=came.number + 1, by=by)


def _require_new(ids: Sequence[UUID]) -> None:
    """Raise IdReusedError if an event with one of these ids is already recorded."""
    if TournamentEvent.objects.filter(pk__in=ids).exists():
        raise IdReusedError


def _write(
    tournament: Tournament, event_id: UUID, new_event: NewEvent, *, number: int, by: User | None
) -> TournamentEvent:
    return TournamentEvent.objects.create(
        id=event_id,
        tournament=tournament,
        number=number,
        kind=new_event.kind,
        player=new_event.player,
        knocked_out_by=[str(each.pk) for each in new_event.knocked_out_by],
        table=new_event.place and new_event.place.table,
        seat=new_event.place and new_event.place.seat,
        undoes_id=new_event.undoes,
        made_by=by,
    )


def can_undo(state: TournamentState, row: TournamentEvent) -> bool:
    """Return whether no later event depends on this one, and it was not undone yet."""
    undo = Event(id=uuid4(), kind=Act.UNDO, player=None, undoes=row.pk)
    events = [as_event(each) for each in state.events]
    return not any(wrong_event(events, undo, prices(state.tournament), stacks(state.tournament)))


def _event(event_id: UUID, new_event: NewEvent) -> Event:
    return Event(
        id=event_id,
        kind=new_event.kind,
        player=new_event.player.pk if new_event.player else None,
        by=tuple(each.pk for each in new_event.knocked_out_by),
        place=new_event.place,
        undoes=new_event.undoes,
    )


def _problems(state: TournamentState, event_id: UUID, new: NewEvent) -> Iterator[Problem]:
    league = state.tournament.night.season.league_id
    named = [player for player in (new.player, *new.knocked_out_by) if player is not None]
    if any(player.league_id != league for player in named):
        yield problem("player", "unknown-player", "the league has no such player")
        return
    if len(new.knocked_out_by) > MOST_KNOCKERS:
        text = f"at most {MOST_KNOCKERS} players can knock out a player"
        yield problem("knocked_out_by", "too-many", text)
    yield from _too_many(state)
    if new.kind in BUYING and not state.may_enter:
        yield problem("kind", "too-late", "it is too late to enter or rebuy")
    events = [as_event(row) for row in state.events]
    event = _event(event_id, new)
    yield from wrong_event(events, event, prices(state.tournament), stacks(state.tournament))


def _too_many(state: TournamentState, *, adding: int = 1) -> Iterator[Problem]:
    known = len(state.events)
    return row_limits.TOURNAMENT_EVENTS.exceeded(known, adding=adding, where="events")


FIELDS: Sequence[str] = ("clock_passed", "clock_started_at")


@transaction.atomic
def start_clock(tournament: Tournament, *, by: User | None) -> Tournament:
    """Start the clock. A running clock continues. Raises RefusedError."""
    tournament = lock_running(tournament)
    if tournament.clock_started_at is None:
        tournament.clock_started_at = timezone.now()
        tournament.save(update_fields=FIELDS)
        if not tournament.clock_passed:
            log_tournament(Kind.TOURNAMENT_STARTED, tournament, by=by)
    return tournament


@transaction.atomic
def pause_clock(tournament: Tournament) -> Tournament:
    """Pause the clock. Raises RefusedError."""
    tournament = lock_running(tournament)
    if tournament.clock_started_at is not None:
        _set(tournament, elapsed_milliseconds(tournament, timezone.now()), None)
    return tournament


@transaction.atomic
def go_to_level(tournament: Tournament, number: int) -> Tournament:
    """Set the clock to the start of the level at index `number`. Raises RefusedError."""
    tournament = lock_running(tournament)
    levels = levels_of_json(tournament.levels)
    if not 0 <= number < len(levels):
        raise RefusedError([problem("level", "unknown-level", "the tournament has no such level")])
    runs = tournament.clock_started_at is not None
    _set(tournament, start_of(levels, number), timezone.now() if runs else None)
    return tournament


def _set(tournament: Tournament, passed: int, started_at: datetime | None) -> None:
    tournament.clock_passed, tournament.clock_started_at = passed, started_at
    tournament.save(update_fields=FIELDS)

"""Record the events of a tournament: entries, rebuys, knockouts, seats.

Writers of one night wait for each other. The client makes the id of an event.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from django.db import transaction

from league.common import bounds
from league.common.errors import IdReusedError, Problem, problem, refuse
from league.models import Player, Tournament, TournamentEvent, User
from league.tournaments import seating
from league.tournaments.field import Act, Event, wrong_event
from league.tournaments.making import lock_running
from league.tournaments.reading import State, as_event, prices, stacks, state_of
from league.tournaments.seating import Place

MOST_KNOCKERS = 4
BUYING = {Act.ENTRY, Act.REBUY}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The content of an event."""

    kind: Act
    player: Player | None = None
    knocked_out_by: Sequence[Player] = ()
    place: Place | None = None
    undoes: UUID | None = None


@transaction.atomic
def tell(tournament: Tournament, event_id: UUID, told: Told, *, by: User | None) -> TournamentEvent:
    """Record an event, once for each id. Raises RefusedError, IdReusedError.

    A player who enters after the draw gets a seat with the event.
    """
    tournament = lock_running(tournament)
    if found := _told_already(tournament, event_id, told):
        return found
    state = state_of(tournament)
    refuse(_wrong(state, event_id, told))
    made = _write(tournament, event_id, told, number=len(state.events) + 1, by=by)
    if state.field.seats:
        _seat_who_came(tournament, made, by=by)
    return made


@transaction.atomic
def draw_seats(tournament: Tournament, draw_id: UUID, *, by: User | None) -> list[TournamentEvent]:
    """Draw seats for all players in the tournament by the seed, and replace earlier seats.

    Raises RefusedError, IdReusedError.
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
    """Balance the tables with the fewest moves. Raises RefusedError, IdReusedError."""
    tournament = lock_running(tournament)
    state = state_of(tournament)
    moves = [(each.player, each.to) for each in wanted_moves(state)]
    return _seat_all(state, move_id, moves, by=by)


def wanted_moves(state: State) -> list[seating.Move]:
    """Return the moves that balance the tables."""
    table = state.tournament
    return seating.moves(state.field.seats, seats=table.seats, seed=table.seed)


def _seat_all(
    state: State, key: UUID, places: Iterable[tuple[UUID, Place]], *, by: User | None
) -> list[TournamentEvent]:
    """Seat players, once for the key of the request."""
    if any(each.pk == uuid5(key, str(each.player_id)) for each in state.events):
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
    _require_new([each.pk for each in rows])
    return TournamentEvent.objects.bulk_create(rows)


def _seat_who_came(tournament: Tournament, came: TournamentEvent, *, by: User | None) -> None:
    """Seat the player who enters by the event, or returns by undoing it, unless still seated.

    After an undone knockout the seat may be taken, or the seats may have been drawn again.
    """
    player = came.undoes.player if came.undoes else came.player
    field = state_of(tournament).field
    if player is None or player.pk not in field.playing:
        return
    others = {who: place for who, place in field.seats.items() if who != player.pk}
    own = field.seats.get(player.pk)
    if own is None or own in others.values():
        place = seating.seat_for(player.pk, others, seats=tournament.seats, seed=tournament.seed)
        told, seat_id = Told(kind=Act.SEAT, player=player, place=place), uuid5(came.pk, "seat")
        _require_new([seat_id])
        _write(tournament, seat_id, told, number=came.number + 1, by=by)


def _require_new(ids: Sequence[UUID]) -> None:
    """Raise IdReusedError if one of these events is recorded elsewhere: its key was sent before."""
    if TournamentEvent.objects.filter(pk__in=ids).exists():
        raise IdReusedError


def _write(
    tournament: Tournament, event_id: UUID, told: Told, *, number: int, by: User | None
) -> TournamentEvent:
    return TournamentEvent.objects.create(
        id=event_id,
        tournament=tournament,
        number=number,
        kind=told.kind,
        player=told.player,
        knocked_out_by=[str(each.pk) for each in told.knocked_out_by],
        table=told.place and told.place.table,
        seat=told.place and told.place.seat,
        undoes_id=told.undoes,
        made_by=by,
    )


def _told_already(tournament: Tournament, event_id: UUID, told: Told) -> TournamentEvent | None:
    """Return the event with this id. Raises IdReusedError if its content differs."""
    found = TournamentEvent.objects.filter(pk=event_id).first()
    if found and (
        found.tournament_id != tournament.pk or as_event(found) != _event(found.pk, told)
    ):
        raise IdReusedError
    return found


def _event(event_id: UUID, told: Told) -> Event:
    return Event(
        id=event_id,
        kind=told.kind,
        player=told.player.pk if told.player else None,
        by=tuple(each.pk for each in told.knocked_out_by),
        place=told.place,
        undoes=told.undoes,
    )


def _wrong(state: State, event_id: UUID, told: Told) -> Iterator[Problem]:
    league = state.tournament.night.season.league_id
    named = [each for each in (told.player, *told.knocked_out_by) if each is not None]
    if any(each.league_id != league for each in named):
        yield problem("player", "unknown-player", "the league has no such player")
        return
    if len(told.knocked_out_by) > MOST_KNOCKERS:
        text = f"at most {MOST_KNOCKERS} players knock one out"
        yield problem("knocked_out_by", "too-many", text)
    yield from _too_many(state)
    if told.kind in BUYING and not state.may_enter:
        yield problem("kind", "too-late", "it is too late to enter or to buy again")
    events = [as_event(each) for each in state.events]
    event = _event(event_id, told)
    yield from wrong_event(events, event, prices(state.tournament), stacks(state.tournament))


def _too_many(state: State, *, adding: int = 1) -> Iterator[Problem]:
    known = len(state.events)
    return bounds.TOURNAMENT_EVENTS.exceeded(known, adding=adding, where="events")

"""Tournaments for the tests: random events, and a complete one."""

from random import Random
from uuid import UUID, uuid4

from league.models import Night, Player, Tournament
from league.tournaments import events, finishing, making
from league.tournaments.clock import Level
from league.tournaments.events import NewEvent
from league.tournaments.field import Act, Event, Prices, Stacks, wrong_event
from tests.helpers.league.leagues import player

PRICES = Prices(entry=20, rebuy=10, add_on=5, bounty=7)
STACKS = Stacks(entry=5_000, rebuy=4_000, add_on=6_000)
ACTS = (Act.ENTRY, Act.ENTRY, Act.OUT, Act.OUT, Act.REBUY, Act.ADD_ON, Act.UNDO)


def ids(count: int) -> list[UUID]:
    return [UUID(int=number) for number in range(1, count + 1)]


def random_events(chance: Random, tries: int = 40, people: int = 7) -> list[Event]:
    """Draw a possible sequence of tournament events."""
    players, history = ids(people), list[Event]()
    for number in range(tries):
        kind = chance.choice(ACTS)
        event = Event(
            UUID(int=10**6 + number),
            kind,
            None if kind == Act.UNDO else chance.choice(players),
            by=tuple(chance.sample(players, chance.randint(0, 2))) if kind == Act.OUT else (),
            undoes=chance.choice(history).id if kind == Act.UNDO and history else None,
        )
        if not list(wrong_event(history, event, PRICES, STACKS)):
            history.append(event)
    return history


def details(**changes: object) -> making.Details:
    """Return details: entry 20, bounty 5, 5,000 chips, and two levels with a break."""
    usual: dict[str, object] = {
        "name": "Deepstack",
        "entry": 20,
        "rebuy": 10,
        "bounty": 5,
        "stack": 5_000,
        "rebuy_stack": 4_000,
        "levels": [Level(600, 25, 50), Level(300), Level(600, 50, 100, game="Omaha")],
    }
    return making.Details(**{**usual, **changes})  # type: ignore[arg-type]


def a_tournament(night: Night, **changes: object) -> Tournament:
    return making.make(night, uuid4(), details(**changes), by=None)


def entered(tournament: Tournament, *names: str) -> list[Player]:
    """Enter these league players in the tournament."""
    players = [player(tournament.night, name) for name in names]
    for each in players:
        happens(tournament, Act.ENTRY, each)
    return players


def happens(tournament: Tournament, kind: Act, who: Player, *by: Player) -> UUID:
    told = NewEvent(kind=kind, player=who, knocked_out_by=by)
    return events.record_event(tournament, uuid4(), told, by=None).pk


def undone(tournament: Tournament, event: UUID) -> None:
    events.record_event(tournament, uuid4(), NewEvent(kind=Act.UNDO, undoes=event), by=None)


def play_tournament(night: Night, winner: str, *losers: str) -> None:
    """Play a tournament in which the winner knocks out the losers."""
    tournament = a_tournament(night)
    first, *others = entered(tournament, winner, *losers)
    for loser in others:
        happens(tournament, Act.OUT, loser, first)
    finishing.finish(tournament, by=None)

"""View models for tournament pages and the TV screen."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from league.chips import COLOURS
from league.common.errors import RefusedError
from league.common.money import in_money
from league.models import Night, Player, TournamentEvent
from league.tournaments.clock import Level, colour_ups, levels_json, next_break
from league.tournaments.events import TournamentState, balancing_moves, running_tournament, state_of
from league.tournaments.field import Act
from league.tournaments.seating import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The server's clock. A script keeps it running without using the phone's time of day.

    `levels` is JSON for the script. `note` is the notice to colour up, or "".
    """

    runs: bool
    passed: int
    number: int
    left: str
    level: Level
    following: Level | None
    until_break: str
    note: str
    levels: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player who has entered the tournament."""

    player: Player
    place: Place | None
    rebuys: int
    bounties: str
    may_add_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine:
    """An event as a sentence. Undone events are crossed out."""

    event: TournamentEvent
    text: str
    undone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentView:
    """All data that a page shows about a tournament."""

    state: TournamentState
    clock: Clock
    playing: Sequence[Entrant]
    out: Sequence[Player]
    prizes: Sequence[tuple[int, str]]
    results: Sequence[tuple[Any, Player, str]]
    pool: str
    entry: str
    tables: dict[int, list[Entrant]] = field(default_factory=dict)
    moves: Sequence[tuple[Player, Place]] = ()

    @property
    def winner(self) -> Player | None:
        """The winner, once the tournament is over."""
        return self.results[0][1] if self.results else None

    @property
    def one_is_left(self) -> bool:
        return len(self.playing) == 1 and bool(self.out)


def running_view(night: Night) -> TournamentView | None:
    """Return the night's running tournament, if any."""
    tournament = running_tournament(night)
    return view(state_of(tournament)) if tournament else None


def running_clock(night: Night) -> Clock | None:
    """Return the running tournament's clock, if any."""
    tournament = running_tournament(night) if night.state == Night.State.OPEN else None
    return _clock(state_of(tournament)) if tournament else None


def view(state: TournamentState) -> TournamentView:
    """Return the view of a tournament."""
    night, standing = state.tournament.night, state.field
    playing = [
        Entrant(
            player=state.players[player],
            place=standing.seats.get(player),
            rebuys=standing.rebuys[player],
            bounties=in_money(won, night) if (won := standing.bounties_won[player]) else "",
            may_add_on=bool(state.tournament.add_on) and not standing.add_ons[player],
        )
        for player in standing.playing
    ]
    tables: dict[int, list[Entrant]] = {}
    for entrant in sorted(playing, key=lambda entrant: entrant.place or Place(0, 0)):
        if entrant.place:
            tables.setdefault(entrant.place.table, []).append(entrant)
    try:
        moves = [(state.players[each.player], each.to) for each in balancing_moves(state)]
    except RefusedError:  # the tables have too few seats
        moves = []
    return TournamentView(
        state=state,
        clock=_clock(state),
        playing=playing,
        out=[state.players[player] for player in standing.out],
        prizes=[(chips, in_money(chips, night)) for chips in state.prizes],
        results=[
            (result, state.players[result.player], in_money(result.net, night))
            for result in state.results
        ],
        pool=in_money(standing.pool, night),
        entry=in_money(state.tournament.entry + state.tournament.bounty, night),
        tables=tables,
        moves=moves,
    )


def happened(state: TournamentState) -> list[EventLine]:
    """Return the events, newest first, without undos and seat changes."""
    undone = {event.undoes_id for event in state.events}
    names = {str(key): each.name for key, each in state.players.items()}
    texts = {
        Act.ENTRY: _("%(name)s entered"),
        Act.REBUY: _("%(name)s rebought"),
        Act.ADD_ON: _("%(name)s took the add-on"),
        Act.OUT: _("%(name)s is out"),
    }
    lines = []
    for event in reversed(state.events):
        if event.kind in {Act.UNDO, Act.SEAT}:
            continue
        player = state.players[event.player_id] if event.player_id else ""
        if event.kind == Act.OUT and event.knocked_out_by:
            by = ", ".join(names.get(each, "?") for each in event.knocked_out_by)
            text = _("%(by)s knocked out %(name)s") % {"name": player, "by": by}
        else:
            text = texts[Act(event.kind)] % {"name": player}
        lines.append(EventLine(event=event, text=text, undone=event.pk in undone))
    return lines


def _clock(state: TournamentState) -> Clock:
    """Return the clock with a note for levels whose break colours up chips.

    If no break comes first, the level before has one too.
    """
    levels, number = state.levels, state.clock.number
    notes = [""] * len(levels)
    changes = colour_ups(state.tournament.night.league.chip_set, levels)
    for at, colours in changes.items():
        names = {"colours": _(" and ").join(str(COLOURS[colour]) for colour in colours)}
        if not levels[at].is_break and not notes[at - 1]:
            notes[at - 1] = _("After this level, colour up the %(colours)s chips.") % names
        notes[at] = _("Colour up the %(colours)s chips.") % names
    rest = next_break(levels, state.passed)
    following = levels[number + 1 : number + 2]
    rows = zip(levels_json(levels), notes, strict=True)
    return Clock(
        runs=state.runs,
        passed=state.passed,
        number=state.level_played,
        left=clock_text(state.clock.left),
        level=levels[number],
        following=following[0] if following else None,
        until_break=clock_text(rest) if rest else "",
        note=notes[number],
        levels=json.dumps([level | {"note": note} for level, note in rows]),
    )


def clock_text(milliseconds: int) -> str:
    """Return a duration in clock format, rounded up to seconds: 12:05, 1:00:00."""
    seconds = -(-milliseconds // 1000)
    hours, minutes = seconds // 3600, seconds // 60 % 60
    if hours:
        return f"{hours}:{minutes:02}:{seconds % 60:02}"
    return f"{minutes}:{seconds % 60:02}"

"""View models for tournament pages and the TV screen."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from league.chips import COLOURS
from league.common.errors import RefusedError
from league.common.money import in_money, worth
from league.models import Night, Player, Tournament, TournamentEvent, User
from league.pages.parts.numbers import number
from league.recording.corrections import OFFERED
from league.tournaments.clock import Level, colour_ups, levels_json, next_break
from league.tournaments.events import (
    TournamentState,
    balancing_moves,
    can_undo,
    running_tournament,
    state_of,
)
from league.tournaments.field import Act
from league.tournaments.seating import Place

MOST_UNDOABLE = 60  # each undo is checked against all later events


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
class Eliminated:
    """A player who is out. `place` is the place if the player does not rebuy."""

    player: Player
    place: int
    bounties: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine:
    """An event as a sentence. Undone events are crossed out."""

    event: TournamentEvent
    text: str
    undone: bool
    may_undo: bool

    def is_new(self, user: User) -> bool:
        """Return whether this user has just recorded it, so that a mistake is undone in reach.

        Several entries are recorded with one tap, so they are undone in the list.
        """
        recorded = self.event.made_by_id == user.pk and self.event.kind != Act.ENTRY
        return recorded and self.may_undo and timezone.now() - self.event.made_at < OFFERED


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLine:
    """A player's result. `prize` and `bounties` are money, or "". `net` is in league chips.

    `worth` is the net in money.
    """

    player: Player
    place: int
    prize: str
    bounties: str
    net: int
    worth: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentView:
    """All data that a page shows about a tournament."""

    state: TournamentState
    clock: Clock
    playing: Sequence[Entrant]
    out: Sequence[Eliminated]
    prizes: Sequence[tuple[int, str]]
    results: Sequence[ResultLine]
    pool: str
    offers: Sequence[str]
    tables: dict[int, list[Entrant]] = field(default_factory=dict)
    moves: Sequence[tuple[Player, Place]] = ()

    @property
    def winner(self) -> Player | None:
        """The winner, once the tournament is over."""
        return self.results[0].player if self.results else None

    @property
    def one_is_left(self) -> bool:
        return len(self.playing) == 1 and bool(self.out)


def running_view(night: Night) -> TournamentView | None:
    tournament = running_tournament(night)
    return view(state_of(tournament)) if tournament else None


def running_clock(night: Night) -> Clock | None:
    """Return the running tournament's clock, if any."""
    tournament = running_tournament(night) if night.state == Night.State.OPEN else None
    return _clock(state_of(tournament)) if tournament else None


def view(state: TournamentState) -> TournamentView:
    night, field = state.tournament.night, state.field

    def bounties(player: UUID) -> str:
        return in_money(won, night) if (won := field.bounties_won[player]) else ""

    playing = [
        Entrant(
            player=state.players[player],
            place=field.seats.get(player),
            rebuys=field.rebuys[player],
            bounties=bounties(player),
            may_add_on=bool(state.tournament.add_on) and not field.add_ons[player],
        )
        for player in field.playing
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
        out=[
            Eliminated(player=state.players[player], place=place, bounties=bounties(player))
            for place, player in enumerate(field.out, len(playing) + 1)
        ],
        prizes=[(chips, in_money(chips, night)) for chips in state.prizes],
        results=[
            ResultLine(
                player=state.players[result.player],
                place=result.place,
                prize=worth(result.prize, night) if result.prize else "",
                bounties=worth(result.bounties, night) if result.bounties else "",
                net=result.net,
                worth=worth(result.net, night),
            )
            for result in state.results
        ],
        pool=in_money(field.pool, night),
        offers=_offers(state.tournament),
        tables=tables,
        moves=moves,
    )


def _offers(tournament: Tournament) -> list[str]:
    """Return what players can buy, at what price, and until when."""
    night = tournament.night

    def bought(text: str, price: int, stack: int) -> str:
        return text % {"price": in_money(price, night), "stack": number(stack)}

    entry = _("Entry %(price)s for %(stack)s chips")
    offers = [bought(entry, tournament.entry + tournament.bounty, tournament.stack)]
    if tournament.bounty:
        bounty = {"worth": in_money(tournament.bounty, night)}
        offers.append(_("%(worth)s of it as bounty") % bounty)
    if tournament.rebuy:
        rebuy = _("rebuy %(price)s for %(stack)s chips")
        offers.append(bought(rebuy, tournament.rebuy, tournament.rebuy_stack))
        if tournament.bounty:
            again = in_money(tournament.rebuy + tournament.bounty, night)
            offers.append(_("%(price)s after a knockout") % {"price": again})
    if tournament.add_on:
        add_on = _("add-on %(price)s for %(stack)s chips")
        offers.append(bought(add_on, tournament.add_on, tournament.add_on_stack))
    if tournament.late_until:
        until = {"level": tournament.late_until}
        entries = _("late entry until level %(level)s")
        rebuys = _("late entry and rebuys until level %(level)s")
        offers.append((rebuys if tournament.rebuy else entries) % until)
    return offers


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
    lines: list[EventLine] = []
    for event in reversed(state.events):
        if event.kind in {Act.UNDO, Act.SEAT}:
            continue
        player = state.players[event.player_id] if event.player_id else ""
        if event.kind == Act.OUT and event.knocked_out_by:
            by = ", ".join(names.get(each, "?") for each in event.knocked_out_by)
            text = _("%(by)s knocked out %(name)s") % {"name": player, "by": by}
        else:
            text = texts[Act(event.kind)] % {"name": player}
        is_undone = event.pk in undone
        may_undo = not is_undone and len(lines) < MOST_UNDOABLE and can_undo(state, event)
        lines.append(EventLine(event=event, text=text, undone=is_undone, may_undo=may_undo))
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

"""All charts of leagues, seasons, players and games.

For each chart, there are functions to read its data and draw it. Pages show charts as pictures with
a table below. The API returns the documents.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.charts.vega.bars import bars
from league.charts.vega.grids import grid
from league.charts.vega.lines import net_over_nights
from league.charts.vega.theme import Document, Row
from league.people.leagues import distinct_colours
from league.stats.figures.all_ins import AllInNight, actual_and_adjusted, all_in_nights
from league.stats.figures.games import Called, GameNet, by_dealer, by_game
from league.stats.figures.players import Flow, PlayerFigures, SeatFigures, flows, players, seats
from league.stats.figures.results_by_night import Evenings, evenings
from league.stats.scopes import Scope

Rows = list[dict[str, Any]]


class ChartSubject(StrEnum):
    LEAGUE = "league"
    GAME = "game"
    PLAYER = "player"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartScope:
    """The scope of a chart: one season or all, and one player or game if the chart has one."""

    scope: Scope
    player: UUID | None = None
    game: str = ""


@dataclass(frozen=True, slots=True)
class ChartKind:
    """A kind of chart. `rows` reads its data, and `document` returns the document for a width."""

    of: ChartSubject
    name: str
    title: Any
    rows: Callable[[ChartScope], Rows]
    document: Callable[[Sequence[Row], int], Document]


def net_rows(read: Evenings) -> Rows:
    """Return each player's running net after each night that the player played, numbered from 1."""
    order = {at: number for number, at in enumerate(read.played, start=1)}
    colours = distinct_colours(each.player for each in read.players)
    return [
        {
            "player": each.name,
            "at": [order[at] for at in each.at],
            "totals": each.totals,
            "colour": colour,
        }
        for each, colour in zip(read.players, colours, strict=True)
    ]


def net_and_adjusted_net(read: Evenings, nights: Iterable[AllInNight]) -> Evenings:
    """Return a player's actual and all-in adjusted net per night, as two lines."""
    return actual_and_adjusted(read, nights, names=(_("Actual"), _("Adjusted")))


def game_cells(rows: Iterable[GameNet]) -> Rows:
    """Return the cells of a grid of players by game."""
    return [_cell(each.game_name, each.player_name, each.net, each.hands) for each in rows]


def flow_cells(rows: Iterable[Flow]) -> Rows:
    """Return the cells for chips won between players, one for each direction."""
    cells = []
    for flow in rows:
        cells.append(_cell(flow.winner_name, flow.loser_name, flow.chips, flow.hands))
        cells.append(_cell(flow.loser_name, flow.winner_name, -flow.chips, flow.hands))
    return cells


def call_cells(rows: Iterable[Called]) -> Rows:
    """Return the cells of a grid of games by dealer."""
    return [_cell(each.game_name, each.dealer_name, each.net, each.hands) for each in rows]


def dealer_cells(rows: Iterable[Called]) -> Rows:
    """Return the cells of a grid of players by dealer."""
    return [_cell(each.player_name, each.dealer_name, each.net, each.hands) for each in rows]


def winner_bars(rows: Iterable[PlayerFigures]) -> Rows:
    """Return one bar for each player's net."""
    return [_bar(each.name, each.net, each.hands) for each in rows]


def game_bars(rows: Iterable[GameNet]) -> Rows:
    return [_bar(each.game_name, each.net, each.hands) for each in rows]


def seat_bars(rows: Iterable[SeatFigures]) -> Rows:
    """Return one bar for each seat's net, with seats counted from the dealer."""
    seats = []
    for each in rows:
        after = _("Dealer +%(n)s") % {"n": each.position}
        seats.append(_bar(after if each.position else _("Dealer"), each.net, each.hands))
    return seats


def rival_bars(rows: Iterable[Flow], player: UUID | None) -> Rows:
    """Return one bar for the player's net against each other player."""
    return [
        _bar(row.loser_name, row.chips, row.hands)
        if row.winner == player
        else _bar(row.winner_name, -row.chips, row.hands)
        for row in rows
    ]


def net_lines(rows: Sequence[Row], width: int) -> Document:
    return net_over_nights(rows, width, night=_("Night"))


def cells(rows: Sequence[Row], width: int) -> Document:
    return grid(rows, width, others=_("others"))


def lengths(rows: Sequence[Row], width: int) -> Document:
    return bars(rows, width, others=_("others"))


def lengths_in_order(rows: Sequence[Row], width: int) -> Document:
    return bars(rows, width, others=_("others"), in_order=True)


def _cell(row: str, column: str, value: int, weight: int) -> dict[str, Any]:
    return {"row": row, "column": column, "value": value, "weight": weight}


def _bar(name: str, value: int, hands: int) -> dict[str, Any]:
    return {"name": name, "value": value, "hands": hands}


def _nights(chart: ChartScope) -> Rows:
    return net_rows(evenings(chart.scope, player=chart.player))


def _all_ins(chart: ChartScope) -> Rows:
    read = evenings(chart.scope, player=chart.player)
    return net_rows(net_and_adjusted_net(read, all_in_nights(chart.scope, player=chart.player)))


KINDS = (
    ChartKind(ChartSubject.LEAGUE, "nights", gettext_lazy("Net over nights"), _nights, net_lines),
    ChartKind(
        ChartSubject.LEAGUE,
        "games",
        gettext_lazy("Players by game"),
        lambda chart: game_cells(by_game(chart.scope)),
        cells,
    ),
    ChartKind(
        ChartSubject.LEAGUE,
        "flows",
        gettext_lazy("Who won from whom"),
        lambda chart: flow_cells(flows(chart.scope)),
        cells,
    ),
    ChartKind(
        ChartSubject.GAME,
        "winners",
        gettext_lazy("Winners"),
        lambda chart: winner_bars(players(chart.scope, game=chart.game)),
        lengths,
    ),
    ChartKind(
        ChartSubject.GAME,
        "dealers",
        gettext_lazy("By dealer"),
        lambda chart: dealer_cells(by_dealer(chart.scope, game=chart.game)),
        cells,
    ),
    ChartKind(ChartSubject.PLAYER, "nights", gettext_lazy("Net over nights"), _nights, net_lines),
    ChartKind(ChartSubject.PLAYER, "all-ins", gettext_lazy("All-in adjusted"), _all_ins, net_lines),
    ChartKind(
        ChartSubject.PLAYER,
        "games",
        gettext_lazy("Net by game"),
        lambda chart: game_bars(by_game(chart.scope, player=chart.player)),
        lengths,
    ),
    ChartKind(
        ChartSubject.PLAYER,
        "calls",
        gettext_lazy("When others deal"),
        lambda chart: call_cells(by_dealer(chart.scope, player=chart.player)),
        cells,
    ),
    ChartKind(
        ChartSubject.PLAYER,
        "rivals",
        gettext_lazy("Won from others"),
        lambda chart: rival_bars(flows(chart.scope, player=chart.player), chart.player),
        lengths,
    ),
    ChartKind(
        ChartSubject.PLAYER,
        "seats",
        gettext_lazy("Net by seat"),
        lambda chart: seat_bars(seats(chart.scope, player=chart.player)),
        lengths_in_order,
    ),
)

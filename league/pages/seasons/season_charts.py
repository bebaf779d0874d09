"""The charts of a season, or of all of them, each with its words and the same as a table."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.charts.catalog import flow_cells, game_cells
from league.pages.parts.numbers import signed
from league.pages.seasons.chart_view import Chart, cells, lines
from league.pages.seasons.html_tables import table
from league.stats.figures.attendance import Evenings
from league.stats.figures.games import GameFigures, GameNet, by_game
from league.stats.figures.players import Flow, flows
from league.stats.figures.sums_at_games import AtGame
from league.stats.scopes import Scope


def charts_of(
    scope: Scope, dealt: Sequence[GameFigures], nights: Evenings, sums: Sequence[AtGame]
) -> tuple[Chart, ...]:
    """Return the net over nights, players at games, and who won from whom."""
    names = {each.game: each.name for each in dealt}
    return (
        net_over_nights(nights),
        _by_game(by_game(scope, at_games=sums, names=names), dealt),
        _flows(flows(scope)),
    )


def net_over_nights(nights: Evenings) -> Chart:
    """Return the running net of everybody."""
    return lines(nights, title=_("Net over nights"), words=_leading(nights))


def _leading(nights: Evenings) -> str:
    ends = {each.name: each.totals[-1] for each in nights.players}
    best, worst = max(ends, key=ends.__getitem__), min(ends, key=ends.__getitem__)
    named = {"best": best, "up": signed(ends[best]), "worst": worst, "down": signed(ends[worst])}
    return _("Line chart of the running net: %(best)s stands at %(up)s, %(worst)s at %(down)s.") % (
        named
    )


def _by_game(rows: Sequence[GameNet], dealt: Sequence[GameFigures]) -> Chart:
    best = max(rows, key=lambda each: each.net)
    words = {"player": best.player_name, "game": best.game_name, "net": signed(best.net)}
    names = sorted({each.player_name for each in rows}, key=str.lower)
    found = {(each.game, each.player_name): each.net for each in rows}
    return cells(
        "games",
        game_cells(rows),
        title=_("Players at games"),
        words=_(
            "Heat map of net by game and player: the most is %(net)s, of %(player)s at %(game)s."
        )
        % words,
        note=_("What each game brought each player; the game dealt most often is on top."),
        table=table(
            [_("Game"), *names],
            [[each.name, *(found.get((each.game, name), "–") for name in names)] for each in dealt],
        ),
    )


def _flows(rows: Sequence[Flow]) -> Chart:
    words = ""
    if rows:
        most = {
            "loser": rows[0].loser_name,
            "winner": rows[0].winner_name,
            "n": f"{rows[0].chips:,}",
        }
        words = (
            _("Matrix of who won from whom: the most is %(n)s chips, of %(winner)s from %(loser)s.")
            % most
        )
    return cells(
        "flows",
        flow_cells(rows),
        title=_("Who won from whom"),
        words=words,
        note=_("Read a row from left to right: what that player won from each of the others."),
        table=table(
            [_("Winner"), _("Loser"), _("Chips"), _("Hands")],
            [[each.winner_name, each.loser_name, each.chips, f"{each.hands:,}"] for each in rows],
        ),
    )

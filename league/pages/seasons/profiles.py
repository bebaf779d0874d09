"""The statistics pages for a player and for a game."""

from functools import cache
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import Action, find_league, find_player, may
from league.charts.catalog import (
    call_cells,
    dealer_cells,
    game_bars,
    rival_bars,
    seat_bars,
    winner_bars,
)
from league.games import titles
from league.models import League
from league.pages.parts.numbers import signed
from league.pages.seasons import html_tables
from league.pages.seasons.html_tables import FEWEST_PER_100, Names, table
from league.pages.seasons.season_charts import (
    Chart,
    all_in_lines,
    cells,
    lengths,
    lines,
)
from league.pages.seasons.stats_cache import SeasonChoice, StatsCache, chosen, counted
from league.stats.figures.achievements import achievements
from league.stats.figures.all_ins import all_in_nights
from league.stats.figures.betting import betting_by_family
from league.stats.figures.games import banks, by_dealer, by_game, games
from league.stats.figures.leaks import leaks
from league.stats.figures.players import (
    declaration_figures,
    flows,
    luck,
    over_nights,
    players,
    seasons_of,
    seats,
)
from league.stats.figures.records import best_hands
from league.stats.figures.results_by_night import Evenings, evenings, forms_of, of_hands
from league.stats.league_state import league_state
from league.stats.scopes import Scope, of_all_time
from rules.documents import catalog


@require_safe
def player(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Show a player's results for each night, game, dealer and opponent."""
    player = find_player(request.user, Action.VIEW, player_id)
    choice, key = chosen(request, player.league), player.pk
    state, scope = league_state(player.league_id), choice.scope
    stats_cache = StatsCache(state, scope, f"player {key}")
    # The nights are used either twice or not at all, so they are read on first use.
    nights = cache(lambda: evenings(scope, player=key, state=state))
    figures = stats_cache.get("figures", lambda: _player_context(choice, key, nights()))
    context = {
        "league": player.league,
        "player": player,
        "choice": choice,
        "at": reverse("player", args=[key]),
        "counted": counted(state),
        "may_manage": may(request.user, Action.MANAGE, player.league),
        **figures,
    }
    if figures:
        context["chart_panels"] = stats_cache.chart_panels(
            player.league, lambda: _charts_of_player(scope, key, nights())
        )
        # The achievements and leaks of all players are cached together.
        whole = StatsCache(state, scope)
        achieved = whole.get("achievements", lambda: achievements(scope, state=state))
        context["achieved"] = [each for each in achieved if each.player == key]
        leaking = whole.get("leaks", lambda: leaks(scope))
        context["leaks"] = [each for each in leaking if each.player == key]
    return render(request, "seasons/player.html", context)


def _player_context(choice: SeasonChoice, key: UUID, nights: Evenings) -> dict[str, Any]:
    scope = choice.scope
    if not nights.players:
        return {}
    names = {each.pk: each.name for each in choice.seasons}
    # A rate per hand includes only hands.
    rates = {
        each.season: each.net_per_100
        for each in seasons_of(of_hands(nights), names)
        if each.hands >= FEWEST_PER_100
    }
    return {
        "figures": over_nights(players(scope, player=key, read=nights), nights)[0],
        "form": forms_of(nights)[0],
        "has_open": nights.has_open,
        "more_than_hands": nights.counts_more_than_hands,
        "declares": declaration_figures(scope, player=key),
        "betting": [
            (titles.family(each.family) if each.family else "", each)
            for each in betting_by_family(scope, player=key)
        ],
        "luck": next(iter(luck(scope, player=key)), None),
        "bank": next(iter(banks(scope, player=key)), None),
        "per_100": bool(rates),
        "seasons": [(each, rates.get(each.season)) for each in seasons_of(nights, names)],
    }


def _charts_of_player(scope: Scope, key: UUID, nights: Evenings) -> tuple[Chart, ...]:
    words = _("Line chart of the running net: %(net)s after the last night.")
    words %= {"net": signed(nights.players[0].totals[-1])}
    at_games = game_bars(by_game(scope, player=key))
    against = rival_bars(flows(scope, player=key), key)
    by_seat = seat_bars(seats(scope, player=key))
    all_ins = all_in_nights(scope, player=key)
    calls, words_of_calls = by_dealer(scope, player=key), ""
    if calls:
        best = max(calls, key=lambda row: row.net)
        named = {"dealer": best.dealer_name, "game": best.game_name, "net": signed(best.net)}
        words_of_calls = (
            _(
                "Heat map of net by game and dealer. Highest: %(net)s,"
                " when %(dealer)s dealt %(game)s."
            )
            % named
        )
    heads = [_("Game"), _("Dealer"), _("Net"), _("Hands")]
    rows: list[list[str | int]] = [
        [row.game_name, row.dealer_name, row.net, f"{row.hands:,}"] for row in calls
    ]
    return (
        lines(nights, title=_("Net over nights"), words=words),
        all_in_lines(nights, all_ins),
        _bars("games", at_games, _("Net by game"), _("Game")),
        cells(
            "calls",
            call_cells(calls),
            title=_("When others deal"),
            words=words_of_calls,
            note=_("Net by game and dealer."),
            table=table(heads, rows),
        ),
        _bars("rivals", against, _("Won from others"), _("Player")),
        _bars("seats", by_seat, _("Net by seat"), _("Seat"), in_order=True),
    )


def _bars(name: str, rows: list[dict[str, Any]], title: str, head: str, **more: Any) -> Chart:
    """Return a bar chart. Its text alternative gives the highest and the lowest bar."""
    words = ""
    if rows:
        best, worst = (pick(rows, key=lambda row: row["value"]) for pick in (max, min))
        values = {"best": best["name"], "up": signed(best["value"])}
        values |= {"worst": worst["name"], "down": signed(worst["value"])}
        words = _("Bar chart: from %(best)s with %(up)s to %(worst)s with %(down)s.") % values
    heads = [head, _("Net"), _("Hands")]
    return lengths(name, rows, title=title, words=words, heads=heads, **more)


@require_safe
def game(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Show who wins at a game. The parameter `game` is the game's name in the records."""
    league = find_league(request.user, Action.VIEW, league_id)
    choice = chosen(request, league)
    slug = request.GET.get("game", "")
    state = league_state(league.pk)
    stats_cache = StatsCache(state, choice.scope, f"game {slug}")
    figures = stats_cache.get("game", lambda: _game_context(league, choice, slug))
    if not figures and not (slug and games(of_all_time(league), game=slug)):
        raise Http404
    if league.house_games.filter(slug=slug).exists():
        rules = reverse("house-game", args=[league.pk, slug])
    else:
        rules = (
            f"{reverse('game', args=[slug])}?league={league.pk}" if slug in catalog.slugs() else ""
        )
    context = {
        "league": league,
        "choice": choice,
        "at": reverse("game-stats", args=[league.pk]),
        "counted": counted(state),
        "game_slug": slug,
        "rules": rules,
        **figures,
    }
    if figures:
        context["chart_panels"] = stats_cache.chart_panels(
            league, lambda: _charts_of_game(choice.scope, slug)
        )
    return render(request, "seasons/game.html", context)


def _game_context(league: League, choice: SeasonChoice, slug: str) -> dict[str, Any]:
    scope = choice.scope
    dealt = games(scope, game=slug)
    if not dealt:
        return {}
    rows = players(scope, game=slug)
    per_100 = any(row.hands >= FEWEST_PER_100 for row in rows)
    return {
        "game": dealt[0],
        "per_100": per_100,
        "lines": html_tables.winners(rows, Names(choice.parameter), per_100=per_100),
        "best": html_tables.remembered(best_hands(scope, game=slug), league),
    }


def _charts_of_game(scope: Scope, slug: str) -> tuple[Chart, ...]:
    won, dealt = players(scope, game=slug), by_dealer(scope, game=slug)
    words = ""
    if dealt:
        best = max(dealt, key=lambda row: row.net)
        named = {"dealer": best.dealer_name, "player": best.player_name, "net": signed(best.net)}
        words = (
            _(
                "Heat map of net by player and dealer. Highest: %(net)s,"
                " %(player)s when %(dealer)s dealt."
            )
            % named
        )
    heads = [_("Player"), _("Dealer"), _("Net"), _("Hands")]
    lines: list[list[str | int]] = [
        [row.player_name, row.dealer_name, row.net, f"{row.hands:,}"] for row in dealt
    ]
    by_dealers = cells(
        "dealers",
        dealer_cells(dealt),
        title=_("By dealer"),
        words=words,
        note=_("One row per player, one column per dealer."),
        table=table(heads, lines),
    )
    return _bars("winners", winner_bars(won), _("Winners"), _("Player")), by_dealers

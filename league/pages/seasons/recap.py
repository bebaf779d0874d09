"""The recap of a season."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import Action, find_season
from league.charts.vega.theme import THEMES
from league.closing.standings import open_nights
from league.common.text import name_order
from league.hands.pictures import as_made
from league.models import Season
from league.pages.parts.answer_view import CardFace, face
from league.pages.parts.images import picture_answer
from league.pages.seasons.recap_picture import NetLine, Poster, drawn
from league.pages.seasons.season_charts import net_over_nights
from league.pages.seasons.stats_cache import StatsCache, counted
from league.people.leagues import distinct_colours
from league.recap import on_podium
from league.scoring.season_table import Placing, ranking
from league.stats.figures.achievements import Achievement, awarded
from league.stats.figures.games import games
from league.stats.figures.results_by_night import evenings
from league.stats.figures.season_facts import season_facts
from league.stats.league_state import LeagueState, league_state
from league.stats.scopes import Scope, of_season

BEST_HAND, BEST_NIGHT = "best-hand", "best-night"
# Achievements that are shown as sentences, funniest first. The picture has room for only a few of
# them.
SENTENCES = (
    "worst-night comeback both-ways landlord hands-in-a-row bad-beat beat-survived even-night"
    " biggest-pot best-night specialist dealers-luck games-in-a-night mind-reader"
).split()


@dataclass(frozen=True, slots=True)
class Leader:
    """A player, and the number of nights after which the player was in the lead."""

    name: str
    nights: int


@dataclass(frozen=True, slots=True)
class Honoured:
    """A player with their achievements."""

    player: UUID
    name: str
    achievements: list[Achievement]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """Figures about a season. `lines` contains the running nets, highest total first."""

    nights: int
    hands: int
    leaders: list[Leader]
    lines: list[NetLine]
    best: list[Achievement]
    sentences: list[Achievement]
    players: list[Honoured]


@require_safe
def recap(request: HttpRequest, season_id: UUID) -> HttpResponse:
    season = find_season(request.user, Action.VIEW, season_id)
    state, scope = league_state(season.league_id), of_season(season)
    season_recap = _cached_recap(state, scope)
    placings = ranking(season, live=True)
    context: dict[str, Any] = {
        "league": season.league,
        "season": season,
        "counted": counted(state),
        "podium": on_podium(placings),
        "open_nights": open_nights(season),
        "recap": season_recap,
    }
    if season_recap:
        # Drawn in the page, so that viewing it doesn't wait for a PNG.
        context["poster"] = drawn(_poster(season, season_recap, placings))
        context["best"] = [(each, faces_of(each)) for each in season_recap.best]
        swings = [each for each in season_recap.sentences if each.code == BEST_NIGHT]
        context["swing"] = swings[0] if swings else None
        context["highlights"] = [each for each in season_recap.sentences if each not in swings]
        stats_cache = StatsCache(state, scope, "recap")
        context["chart_panels"] = stats_cache.chart_panels(
            season.league, lambda: (net_over_nights(evenings(scope, state=state)),)
        )
    return render(request, "seasons/recap.html", context)


@require_safe
def picture(request: HttpRequest, season_id: UUID) -> HttpResponse:
    """Return the season's picture, or 304 if the client has the current one."""
    season = find_season(request.user, Action.VIEW, season_id)
    state, scope = league_state(season.league_id), of_season(season)
    poster = _poster(season, _cached_recap(state, scope), ranking(season, live=True))
    return picture_answer(request, drawn(poster))


def faces_of(achievement: Achievement) -> list[CardFace]:
    """Return an achievement's cards for display, in the order of its hand's name."""
    stands, called = achievement.plays_as, str(achievement.facts.get("called", ""))
    cards = as_made(achievement.cards, stands, called)
    return [face(card, plays_as=stands.get(card, "")) for card in cards]


def _poster(season: Season, recap: Recap | None, placings: Sequence[Placing]) -> Poster:
    return Poster(
        league=season.league.name,
        season=str(season),
        nights=recap.nights if recap else 0,
        hands=recap.hands if recap else 0,
        open_nights=[str(night) for night in open_nights(season)],
        podium=placings,
        lines=recap.lines if recap else [],
        best=recap.best[0] if recap and recap.best else None,
        sentences=recap.sentences if recap else [],
    )


def _cached_recap(state: LeagueState, scope: Scope) -> Recap | None:
    """Return the cached recap, or None if no hand is counted or no night was played."""
    if counted(state).first:
        return None
    return StatsCache(state, scope).get("recap-in-colour", lambda: recap_of(scope, state)) or None


def recap_of(scope: Scope, state: LeagueState) -> Recap | None:
    """Return the recap of a season, or None if no night was played. Runs at most 16 queries."""
    facts = season_facts(scope, state)
    if not facts.evenings.players:
        return None
    players = sorted(
        facts.evenings.players, key=lambda player: (-sum(player.nets), name_order(player.name))
    )
    lines = []  # each player's net after each night that was played, starting at zero
    for player, colour in zip(
        players, distinct_colours(each.player for each in players), strict=True
    ):
        nets = dict(zip(player.at, player.nets, strict=True))
        steps = accumulate((nets.get(at, 0) for at in facts.evenings.played), initial=0)
        lines.append(NetLine(player.name, list(steps), THEMES["dark"].lines[colour]))
    led: Counter[int] = Counter()  # everyone who shares a lead is included
    for totals in list(zip(*(line.totals for line in lines), strict=True))[1:]:
        highest = max(totals)
        led.update(place for place, total in enumerate(totals) if total == highest > 0)
    achievements = list(awarded(facts))
    by_code: dict[str, list[Achievement]] = {}
    by_player: dict[UUID, list[Achievement]] = {}
    for achievement in achievements:
        by_code.setdefault(achievement.code, []).append(achievement)
        by_player.setdefault(achievement.player, []).append(achievement)
    most_first = sorted(
        by_player.items(), key=lambda item: (-len(item[1]), name_order(item[1][0].name))
    )
    return Recap(
        nights=facts.evenings.held,
        hands=sum(game.hands for game in games(scope)),
        leaders=[Leader(lines[place].name, nights) for place, nights in led.most_common()],
        lines=lines,
        best=by_code.get(BEST_HAND, []),
        # the achievement with the most chips of each kind
        sentences=[max(by_code[code], key=_chips) for code in SENTENCES if code in by_code],
        players=[
            Honoured(key, achieved[0].name, [replace(each, cards=()) for each in achieved])
            for key, achieved in most_first
        ],
    )


def _chips(achievement: Achievement) -> int:
    chips = achievement.facts.get("chips", 0)
    return chips if isinstance(chips, int) else 0

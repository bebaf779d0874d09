"""Finds a player, season or game in one league by the name or id that an assistant sends.

Rows of other leagues are reported as unknown.
"""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import islice
from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.http import Http404

from api.mcp.caller import Caller
from league.access import Action, Visitor
from league.common.errors import RefusedError, problem
from league.common.text import shown
from league.games import house_games
from league.models import HouseGame, League, Player, Season
from league.stats.figures.games import hands_by_game
from league.stats.scopes import Scope, of_all_time, of_season
from rules.documents import catalog

MOST_NAMED = 20
MOST_COMPARED = 500
Row = TypeVar("Row", bound=Model)
Finder = Callable[[Visitor, Action, UUID], Row]


def find_row(find: Finder[Row], caller: Caller, kind: str, key: UUID) -> Row:
    """Return a row, found with a function from `league.access`.

    Raises RefusedError with the place of the id in the arguments.
    """
    try:
        return find(caller.visitor, Action.VIEW, key)
    except Http404:
        text = f"the league has no such {kind}"
        raise RefusedError([problem(kind, f"unknown-{kind}", text)]) from None


def find_player(league: League, id_or_name: str, where: str = "player") -> Player:
    """Return the player with this id or name. Raises RefusedError listing existing names."""
    rows = Player.objects.filter(league=league)
    player = _row(rows, id_or_name)
    if player is None:
        raise _unknown(where, "player", id_or_name, rows.values_list("name", flat=True))
    return player


def find_season(league: League, id_or_name: str) -> Season:
    """Return the season with this id or name. Raises RefusedError listing existing names."""
    rows = Season.objects.filter(league=league).order_by("-starts_on", "name")
    season = _row(rows, id_or_name)
    if season is None:
        raise _unknown("season", "season", id_or_name, rows.values_list("name", flat=True))
    return season


def find_scope(league: League, id_or_name: str | None) -> Scope:
    """Return the scope of a season, or of all time if no season is given.

    Raises the same errors as `find_season`.
    """
    return of_season(find_season(league, id_or_name)) if id_or_name else of_all_time(league)


def find_game_slug(league: League, id_or_name: str) -> str:
    """Return the slug of a game in the league's hands, or its name if it has no slug.

    The league's own games take precedence, as in a record. Raises RefusedError with similar names.
    """
    own = HouseGame.objects.filter(league=league)
    if id_or_name in catalog.slugs() or own.filter(slug=id_or_name).exists():
        return id_or_name
    if (named := _row(own, id_or_name)) is not None:
        return named.slug
    dealt = hands_by_game(league.pk)
    if id_or_name in dealt:
        return id_or_name
    if called := catalog.called(id_or_name):
        return called[0]
    raise _unknown(
        "game",
        "game",
        id_or_name,
        [*_similar_names(id_or_name, dealt), *catalog.candidates(id_or_name)],
    )


def find_document(league: League, id_or_name: str) -> tuple[str, dict[str, object], bool]:
    """Return a game's slug and document, and whether it is the league's own game.

    Raises RefusedError.
    """
    slug = find_game_slug(league, id_or_name)
    if (own := HouseGame.objects.filter(league=league, slug=slug).first()) is not None:
        return slug, house_games.current(own).document.document, True
    if slug not in catalog.slugs():
        text = (
            f"{shown(id_or_name)} was dealt by the rules in its record alone: look at a hand of it"
        )
        raise RefusedError([problem("game", "unknown-game", text)])
    return slug, dict(catalog.document(slug)), False


def _row(rows: QuerySet[Row], id_or_name: str) -> Row | None:
    """Return the row with this id or name. Exact matches take precedence."""
    try:
        return rows.filter(pk=UUID(id_or_name)).first()
    except ValueError:
        return rows.filter(name=id_or_name).first() or rows.filter(name__iexact=id_or_name).first()


def _unknown(where: str, kind: str, name: str, names: Iterable[str]) -> RefusedError:
    """Return the error for an unknown name, listing the most similar names first."""
    known = list(dict.fromkeys(islice(names, MOST_COMPARED)))
    nearest_names = list(dict.fromkeys([*_similar_names(name, known), *known]))[:MOST_NAMED]
    there = f": there is {', '.join(nearest_names)}" if nearest_names else ""
    text = f"the league has no {kind} {shown(name)}{there}"
    return RefusedError([problem(where, f"unknown-{kind}", text)])


def _similar_names(name: str, known: Iterable[str]) -> list[str]:
    by_letters = {each.casefold(): each for each in known}
    return [by_letters[each] for each in get_close_matches(name.casefold(), by_letters)]

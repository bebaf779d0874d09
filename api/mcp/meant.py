"""Find what an assistant refers to by a name or an id, in the asker's league only.

Rows of other leagues are reported as unknown.
"""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import islice
from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.http import Http404

from api.mcp.asker import Asker
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


def row_of(find: Finder[Row], asker: Asker, kind: str, key: UUID) -> Row:
    """Return a row found by a function of `league.access`.

    Raises RefusedError with the place of the id in the arguments.
    """
    try:
        return find(asker.visitor, Action.LOOK, key)
    except Http404:
        text = f"the league has no such {kind}"
        raise RefusedError([problem(kind, f"unknown-{kind}", text)]) from None


def player_meant(league: League, said: str, where: str = "player") -> Player:
    """Return the player with this id or name. Raises RefusedError with existing names."""
    rows = Player.objects.filter(league=league)
    meant = _row(rows, said)
    if meant is None:
        raise _unknown(where, "player", said, rows.values_list("name", flat=True))
    return meant


def season_meant(league: League, said: str) -> Season:
    """Return the season with this id or name. Raises RefusedError with existing names."""
    rows = Season.objects.filter(league=league).order_by("-starts_on", "name")
    meant = _row(rows, said)
    if meant is None:
        raise _unknown("season", "season", said, rows.values_list("name", flat=True))
    return meant


def scope_meant(league: League, said: str | None) -> Scope:
    """Return the scope of a season, or of all time without one. Raises as season_meant."""
    return of_season(season_meant(league, said)) if said else of_all_time(league)


def game_meant(league: League, said: str) -> str:
    """Return the slug of a game as used in the league's hands, or its name if it has no slug.

    The league's own games come first, as in a record. Raises RefusedError with similar names.
    """
    own = HouseGame.objects.filter(league=league)
    if said in catalog.slugs() or own.filter(slug=said).exists():
        return said
    if (named := _row(own, said)) is not None:
        return named.slug
    dealt = hands_by_game(league.pk)
    if said in dealt:
        return said
    if called := catalog.called(said):
        return called[0]
    raise _unknown("game", "game", said, [*_near(said, dealt), *catalog.near(said)])


def document_meant(league: League, said: str) -> tuple[str, dict[str, object], bool]:
    """Return the slug and the document of a game, and whether it is the league's own game.

    Raises RefusedError.
    """
    slug = game_meant(league, said)
    if (own := HouseGame.objects.filter(league=league, slug=slug).first()) is not None:
        return slug, house_games.current(own).document.document, True
    if slug not in catalog.slugs():
        text = f"{shown(said)} was dealt by the rules in its record alone: look at a hand of it"
        raise RefusedError([problem("game", "unknown-game", text)])
    return slug, dict(catalog.document(slug)), False


def _row(rows: QuerySet[Row], id_or_name: str) -> Row | None:
    """Return the row with this id or name. An exact name is preferred to one in another case."""
    try:
        return rows.filter(pk=UUID(id_or_name)).first()
    except ValueError:
        return rows.filter(name=id_or_name).first() or rows.filter(name__iexact=id_or_name).first()


def _unknown(where: str, kind: str, name: str, names: Iterable[str]) -> RefusedError:
    """Return the error for an unknown name, with the most similar names first."""
    known = list(dict.fromkeys(islice(names, MOST_COMPARED)))
    nearest_names = list(dict.fromkeys([*_near(name, known), *known]))[:MOST_NAMED]
    there = f": there is {', '.join(nearest_names)}" if nearest_names else ""
    text = f"the league has no {kind} {shown(name)}{there}"
    return RefusedError([problem(where, f"unknown-{kind}", text)])


def _near(name: str, known: Iterable[str]) -> list[str]:
    by_letters = {each.casefold(): each for each in known}
    return [by_letters[each] for each in get_close_matches(name.casefold(), by_letters)]

"""`games`, `rules` and `odds`: the available games, how to play them, and their odds."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from pydantic import Field

from api.games.odds import answer_of, player_count, valid_modifiers
from api.mcp.caller import Caller
from api.mcp.lookups import find_document
from api.mcp.tool import Arguments, Name, Page, Paged, Row, Tool, page_of
from league.games import house_games
from league.games.titles import nearness
from league.stats.figures.games import hands_by_game
from rules.documents import catalog
from rules.presentation import rules_page

MOST_MODIFIERS = 8
GAME = Field(description="name or slug of a house game or a catalog game")


class Games(Paged):
    search: Name | None = Field(None, description="part of a name, an alias or a slug")
    dealt: bool | None = Field(None, description="true: only games that were dealt in the league")


class GameLine(Row):
    slug: str
    name: str
    aliases: list[str]
    own: bool = Field(description="written by the league")
    players: list[int] | None = Field(description="minimum and maximum")
    hands: int = Field(description="of the league")


class GamesPage(Page):
    games: list[GameLine] = Field(description="nearest names first, then house games, then by slug")


def _games(caller: Caller, query: Games) -> GamesPage:
    league = caller.league
    dealt = hands_by_game(league.pk)
    own = house_games.documents_of(league)
    listed = {slug: catalog.document(slug) for slug in sorted(catalog.slugs())}
    lines = [
        *(_line(slug, document, dealt, own=True) for slug, document in own.items()),
        *(_line(slug, document, dealt, own=False) for slug, document in listed.items()),
    ]
    search = (query.search or "").casefold()
    fitting = [
        line
        for line in lines
        if query.dealt in {None, line.hands > 0}
        and any(search in name.casefold() for name in (line.slug, line.name, *line.aliases))
    ]
    fitting.sort(key=lambda line: -nearness(query.search or "", line.name, line.aliases))
    page, after = page_of(fitting[query.window], query)
    return GamesPage(games=page, next_cursor=after)


def _line(
    slug: str, document: Mapping[str, Any], dealt: Mapping[str, int], *, own: bool
) -> GameLine:
    return GameLine(
        slug=slug,
        name=document["name"],
        aliases=list(document.get("aliases", ())),
        own=own,
        players=document.get("players"),
        hands=dealt.get(slug, 0),
    )


class Rules(Arguments):
    game: Name = GAME


class Section(Row):
    title: str
    lines: list[str]


class RulesResult(Row):
    slug: str
    name: str
    aliases: list[str]
    by: str | None
    source: str | None
    own: bool
    board: list[list[str]]
    sections: list[Section]


def _rules(caller: Caller, query: Rules) -> RulesResult:
    slug, document, own = find_document(caller.league, query.game)
    page = rules_page.rules_page(document)
    keys = ("name", "aliases", "by", "source", "sections")
    board = [[str(each) for each in row] for row in page["board"]]
    parts = {name: page[name] for name in keys}
    return RulesResult.model_validate({**parts, "slug": slug, "own": own, "board": board})


class OddsQuery(Arguments):
    game: Name = GAME
    players: int | None = Field(None, description="number of players; the usual number by default")
    modifiers: list[str] = Field(
        default_factory=list, alias="with", max_length=MOST_MODIFIERS, description="modifiers"
    )


class OddsResult(Row):
    """Rates are fractions of all deals; docs/api.md describes each of them."""

    slug: str
    state: str = Field(
        description=(
            "found: the odds are included. wanted, busy: repeat the request in a few "
            "seconds. failed: hands of this game can't be compared"
        )
    )
    players: int
    found: dict[str, Any] | None


def _odds(caller: Caller, query: OddsQuery) -> OddsResult:
    caller.spend()
    slug, document, own = find_document(caller.league, query.game)
    number = None if query.players is None else str(query.players)
    players = player_count(document, number)
    league: UUID | None = caller.league.pk if own else None
    names = valid_modifiers(document, query.modifiers)
    return OddsResult(slug=slug, **answer_of(document, players, names, league=league))


GAMES = Tool(
    "games",
    (
        "Search for games by part of a name: house games of the league and games "
        "of the catalog, each with the number of hands dealt in the league."
    ),
    Games,
    GamesPage,
    _games,
)
RULES = Tool(
    "rules",
    "The rules of a game in sentences, with the league's options.",
    Rules,
    RulesResult,
    _rules,
)
ODDS = Tool(
    "odds",
    (
        "Odds of a game from twenty thousand random deals: how often each kind of"
        " hand wins, scoops and splits. They are computed on the first request. "
        "Repeat the request while the state is `wanted`."
    ),
    OddsQuery,
    OddsResult,
    _odds,
)

"""All tools for assistants, keyed by name."""

from typing import Any

from api.mcp.tool import Tool
from api.mcp.tools.balances import BALANCES
from api.mcp.tools.games import GAMES, ODDS, RULES
from api.mcp.tools.hands import FIND_HANDS, HAND, SETTLE
from api.mcp.tools.league import LEAGUE, NIGHTS, STANDINGS
from api.mcp.tools.stats import RECORDS, STATS

_ALL: tuple[Tool[Any], ...] = (
    LEAGUE,
    NIGHTS,
    STANDINGS,
    STATS,
    RECORDS,
    FIND_HANDS,
    HAND,
    BALANCES,
    GAMES,
    RULES,
    ODDS,
    SETTLE,
)
TOOLS = {each.name: each for each in _ALL}
DESCRIBED = tuple(each.described() for each in _ALL)

"""`stats` and `records`: totals for the hands of a season, and its outstanding hands."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from api.mcp.caller import Caller
from api.mcp.lookups import find_game_slug, find_player, find_scope
from api.mcp.tool import Arguments, Name, Named, Page, Paged, Row, Tool, page_of
from league.common.errors import problem, refuse
from league.stats.figures.betting import betting
from league.stats.figures.games import by_dealer, by_game, games
from league.stats.figures.players import declaration_figures, flows, players, seats
from league.stats.figures.records import Notable, notable_hands, record_hand_ids
from league.stats.scopes import Scope

By = Literal[
    "player", "game", "player-and-game", "dealer", "declaration", "betting", "seat", "flow"
]


class Stats(Paged):
    by: By = Field(
        description=(
            "player: results of each player. game: hands of each game. "
            "player-and-game: results of each player at each game. dealer: each "
            "player's results in the games that a dealer chose. declaration: how "
            "often declaring high, low and both was right. betting: how often each "
            "player enters, raises and goes to showdown at each game, for hands in "
            "which all bets are known. seat: results by seat after the dealer. flow: "
            "chips won from each other player."
        )
    )
    season: Name | None = Field(None, description="a name or an id; all time by default")
    player: Name | None = Field(None, description="a name or an id; not for by=game")
    game: Name | None = Field(
        None,
        description=("a name or a slug; for by=player, game, player-and-game, betting and dealer"),
    )
    dealer: Name | None = Field(None, description="a name or an id; for by=game and dealer")


class PlayerStats(Row):
    """`highs`, `lows` and `splits` count the showdowns in which the player tried for them."""

    player: UUID
    player_name: Named
    hands: int
    net: int
    put: int
    won: int
    net_per_100: float | None
    showdowns: int
    showdowns_won: int
    highs: int
    highs_won: int
    lows: int
    lows_won: int
    splits: int
    scoops: int
    mistakes: int = Field(description="hands in which the table paid a pot to the wrong player")
    overpaid_chips: int = Field(
        validation_alias="moved", description="chips paid to the player by mistake"
    )


class GameStats(Row):
    game: str
    game_name: Named
    hands: int
    pot: int = Field(description="sum of all pots")
    mean_pot: float | None
    carries: int = Field(description="pots that were partly or wholly carried over")
    showdowns: int
    mistakes: int


class PlayerGameStats(Row):
    player: UUID
    player_name: str
    game: str
    game_name: str
    hands: int
    net: int


class DealerStats(PlayerGameStats):
    """A player's results in games chosen by the dealer, who can be the player."""

    dealer: UUID
    dealer_name: str


class DeclarationStats(Row):
    player: UUID
    player_name: Named
    way: str
    hands: int
    right: int
    net: int


class BettingStats(Row):
    """Rates are null if there was no choice."""

    player: UUID
    player_name: Named
    game: str | None
    game_name: str | None
    hands: int = Field(description="hands in which all bets are known")
    vpip: float | None = Field(
        description=("share of hands with voluntary chips in the first round")
    )
    pfr: float | None = Field(description="share of hands raised in the first round")
    three_bet: float | None = Field(
        description=("share of hands with a raise after a raise in the first round")
    )
    wtsd: float | None = Field(
        description=("share of hands that went to showdown after the first round")
    )
    won_at_showdown: float | None
    aggression: float | None = Field(
        description=("bets and raises divided by calls, in later rounds")
    )


class SeatStats(Row):
    player: UUID
    player_name: Named
    position: int = Field(description="seats after the dealer, who has 0")
    hands: int
    net: int


class FlowStats(Row):
    loser: UUID
    loser_name: str
    winner: UUID
    winner_name: str
    hands: int
    chips: int


class StatsPage(Page):
    """The requested list. All other lists are null."""

    players: list[PlayerStats] | None = None
    games: list[GameStats] | None = None
    players_and_games: list[PlayerGameStats] | None = None
    dealers: list[DealerStats] | None = None
    declarations: list[DeclarationStats] | None = None
    betting: list[BettingStats] | None = None
    seats: list[SeatStats] | None = None
    flows: list[FlowStats] | None = None


Read = Callable[[Scope, dict[str, Any]], Sequence[Any]]
# Maps each grouping to the list in the result, its filters, and the function that reads it.
READ: dict[str, tuple[str, frozenset[str], Read]] = {
    "player": ("players", frozenset({"player", "game"}), lambda of, by: players(of, **by)),
    "game": ("games", frozenset({"game", "dealer"}), lambda of, by: games(of, **by)),
    "player-and-game": (
        "players_and_games",
        frozenset({"player", "game"}),
        lambda of, by: sorted(by_game(of, **by), key=lambda row: -row.net),
    ),
    "dealer": (
        "dealers",
        frozenset({"player", "game", "dealer"}),
        lambda of, by: by_dealer(of, **by),
    ),
    "declaration": (
        "declarations",
        frozenset({"player"}),
        lambda of, by: declaration_figures(of, **by),
    ),
    "betting": ("betting", frozenset({"player", "game"}), lambda of, by: betting(of, **by)),
    "seat": ("seats", frozenset({"player"}), lambda of, by: seats(of, **by)),
    "flow": ("flows", frozenset({"player"}), lambda of, by: flows(of, **by)),
}
ROWS: dict[str, type[Row]] = {
    "players": PlayerStats,
    "games": GameStats,
    "players_and_games": PlayerGameStats,
    "dealers": DealerStats,
    "declarations": DeclarationStats,
    "betting": BettingStats,
    "seats": SeatStats,
    "flows": FlowStats,
}


def _stats(caller: Caller, query: Stats) -> StatsPage:
    name, narrows, read = READ[query.by]
    keys = {key for key in ("player", "game", "dealer") if getattr(query, key) is not None}
    text = f"this does not filter the list by {query.by}"
    refuse(problem(key, "unknown-key", text) for key in sorted(keys - narrows))
    scope = find_scope(caller.league, query.season)
    filters: dict[str, Any] = {}
    for key in keys:
        value = getattr(query, key)
        if key == "game":
            filters[key] = find_game_slug(caller.league, value)
        else:
            filters[key] = find_player(caller.league, value, key).pk
    rows = read(scope, filters)
    page, after = page_of(rows[query.window], query)
    records = [ROWS[name].model_validate(row) for row in page]
    return StatsPage.model_validate({name: records, "next_cursor": after})


STATS = Tool(
    "stats",
    (
        "Totals over the hands of a season or of all time, by player, game, "
        "player and game, dealer, declaration, betting, seat, or chip flow "
        "between players; optionally for one player, game or dealer."
    ),
    Stats,
    StatsPage,
    _stats,
)


class Records(Arguments):
    season: Name | None = Field(None, description="a name or an id; all time by default")


class Winner(Row):
    player: UUID
    player_name: str
    chips: int


class ShownHand(Row):
    player: UUID
    player_name: Named
    way: str
    cards: list[str]
    called: str


class Record(Row):
    hand: UUID
    night: UUID
    number: int
    played_at: datetime
    game: str
    game_name: str
    chips: int = Field(description="chips of the pot, or of the scoop")
    winners: list[Winner]
    shown: list[ShownHand]


class RecordsResult(Row):
    biggest_pots: list[Record]
    biggest_scoops: list[Record] = Field(description="split pots that one player scooped")
    worst_beats: list[Record] = Field(description="the best hands that lost, without wild cards")
    best_hands: list[Record] = Field(description="the best hand of each game")


def _records(caller: Caller, query: Records) -> RecordsResult:
    kinds = notable_hands(record_hand_ids(find_scope(caller.league, query.season)))
    return RecordsResult(
        biggest_pots=_rows(kinds.pots),
        biggest_scoops=_rows(kinds.scoops),
        worst_beats=_rows(kinds.beats),
        best_hands=_rows(kinds.best),
    )


def _rows(hands: list[Notable]) -> list[Record]:
    return [
        Record(
            hand=hand.hand,
            night=hand.night,
            number=hand.number,
            played_at=hand.played_at,
            game=hand.game,
            game_name=hand.game_name,
            chips=hand.chips,
            winners=[
                Winner(player=key, player_name=name, chips=won) for key, name, won in hand.winners
            ],
            shown=[ShownHand.model_validate(shown) for shown in hand.shown],
        )
        for hand in hands
    ]


RECORDS = Tool(
    "records",
    (
        "Notable hands of a season or of all time: biggest pots and scoops, worst"
        " beats, and the best hand of each game."
    ),
    Records,
    RecordsResult,
    _records,
)

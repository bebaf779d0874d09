"""Figures for games and for the dealers who call them, read from the sums."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, Max, OuterRef, Q, Sum

from league.common.text import name_order
from league.models import DealerTally, GameDocument, HandFact, Revision
from league.stats.scopes import Also, Scope, rate, scope_condition
from ledger.sql import as_uuid, placeholders, query, uuid_text

# Each player's sums at each game, from which the figures of players and games are computed.


SUMS = (
    "hands net put won showdowns showdowns_won highs highs_won lows lows_won splits scoops"
    " mistakes moved"
).split()


class AtGame(NamedTuple):
    """A player's results in a game.

    `sums` are in the order of SUMS, which begins with hands and net.
    """

    player: UUID
    name: str
    game: str
    sums: tuple[int, ...]


def sums_at_games(
    scope: Scope, *, player: UUID | None = None, game: str | None = None
) -> list[AtGame]:
    """Return each player's sums for each game, each player's best game first. Runs one query."""
    where, values = scope_condition(scope, Also("player_id", player), Also("game", game))
    # In PostgreSQL, the sum of a bigint column is numeric, which is slow to read.
    sums = ", ".join(f"CAST(sum(t.{name}) AS bigint) AS {name}" for name in SUMS)
    rows: list[tuple[Any, ...]] = query(
        f"SELECT p.id, p.name, g.game, {', '.join(f'g.{name}' for name in SUMS)} FROM"
        f" (SELECT t.player_id, t.game, {sums} FROM league_playertally t WHERE {where}"
        " GROUP BY t.player_id, t.game) g JOIN league_player p ON p.id = g.player_id"
        " ORDER BY lower(p.name), g.net DESC, g.game",
        values,
    )
    return [AtGame(as_uuid(row[0]), row[1], row[2], row[3:]) for row in rows]


# Joins the title of each game in `t`, either from the league's own game `h` or from a document `d`.
GAME_TITLES = (
    "LEFT JOIN league_housegame h ON h.league_id = %s AND h.slug = t.game"
    " LEFT JOIN (SELECT slug, max(name) AS name FROM league_gamedocument"
    " WHERE slug <> '' GROUP BY slug) d ON d.slug = t.game"
)
_SUMS = ("hands", "pot", "carried", "carry", "carries", "showdowns", "mistakes", "moved")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFigures:
    """The hands of a game, dealt by all dealers or by one dealer.

    `pot` is the total of the pots, and `carries` is how many pots were partly carried. `moved` is
    how many chips the table paid to the wrong players in `mistakes` hands.
    """

    game: str
    name: str
    hands: int
    pot: int
    carried: int
    carry: int
    carries: int
    showdowns: int
    mistakes: int
    moved: int

    @property
    def carry_rate(self) -> float | None:
        """How often chips from the pot were carried to the next hand."""
        return rate(self.carries, self.hands)

    @property
    def mean_pot(self) -> float | None:
        return rate(self.pot, self.hands)


def games(
    scope: Scope, *, dealer: UUID | None = None, game: str | None = None
) -> list[GameFigures]:
    """Return the games that were dealt, most dealt first. Runs one query."""
    where, values = scope_condition(scope, Also("dealer_id", dealer), Also("game", game))
    sums = ", ".join(f"sum(t.{name}) AS {name}" for name in _SUMS)
    rows = query(
        f"SELECT t.game, COALESCE(h.name, d.name, t.game), {', '.join(_SUMS)} FROM"
        f" (SELECT t.game, {sums} FROM league_dealertally t WHERE {where} GROUP BY t.game) t"
        f" {GAME_TITLES}",
        [*values, uuid_text(scope.league)],
    )
    figures = [
        GameFigures(game=key, name=name, **dict(zip(_SUMS, map(int, numbers), strict=True)))
        for key, name, *numbers in rows
    ]
    return sorted(figures, key=lambda each: (-each.hands, name_order(each.name)))


def hands_by_game(league: UUID) -> dict[str, int]:
    """Return how often each game was dealt in the league, most dealt first. Runs one query."""
    rows = DealerTally.objects.filter(night__season__league=league).values("game")
    counted = rows.annotate(dealt=Sum("hands")).order_by("-dealt", "game")
    return dict(counted.values_list("game", "dealt"))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameNet:
    """A player's net in a game."""

    player: UUID
    player_name: str
    game: str
    game_name: str
    hands: int
    net: int


def by_game(
    scope: Scope,
    *,
    player: UUID | None = None,
    game: str | None = None,
    at_games: Iterable[AtGame] | None = None,
    names: Mapping[str, str] | None = None,
) -> list[GameNet]:
    """Return each player's net in each game, the player's best game first.

    Runs at most two queries. If the caller has already read them, `at_games` are the sums for this
    scope, player and game, and `names` are the games' names.
    """
    rows = list(sums_at_games(scope, player=player, game=game) if at_games is None else at_games)
    dealt = {row.game for row in rows}
    if names is None or not names.keys() >= dealt:  # a game may be newer than the names
        names = game_names(scope.league, dealt)
    return [
        GameNet(
            player=row.player,
            player_name=row.name,
            game=row.game,
            game_name=names[row.game],
            hands=row.sums[0],
            net=row.sums[1],
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A player's result in a game that a particular dealer called."""

    dealer: UUID
    dealer_name: str
    game: str
    game_name: str
    player: UUID
    player_name: str
    hands: int
    net: int

    @property
    def own(self) -> bool:
        """True if this is the dealer's own result."""
        return self.dealer == self.player


def by_dealer(
    scope: Scope,
    *,
    dealer: UUID | None = None,
    player: UUID | None = None,
    game: str | None = None,
    own: bool = False,
) -> list[Called]:
    """Return the results, grouped by dealer, game and player, in two queries.

    `own` limits the results to the dealers' own results.
    """
    where, values = scope_condition(
        scope, Also("dealer_id", dealer), Also("player_id", player), Also("game", game)
    )
    if own:
        where += " AND t.player_id = t.dealer_id"
    rows = query(
        "SELECT d.id, d.name, g.game, p.id, p.name, g.hands, g.net FROM"
        " (SELECT t.dealer_id, t.game, t.player_id, sum(t.hands) AS hands, sum(t.net) AS net"
        f" FROM league_calltally t WHERE {where} GROUP BY t.dealer_id, t.game, t.player_id) g"
        " JOIN league_player d ON d.id = g.dealer_id JOIN league_player p ON p.id = g.player_id"
        " ORDER BY lower(d.name), g.game, g.net DESC, lower(p.name)",
        values,
    )
    names = game_names(scope.league, {row[2] for row in rows})
    return [
        Called(
            dealer=as_uuid(dealt),
            dealer_name=dealer_name,
            game=called,
            game_name=names[called],
            player=as_uuid(who),
            player_name=player_name,
            hands=int(hands),
            net=int(net),
        )
        for dealt, dealer_name, called, who, player_name, hands, net in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class BankFigures:
    """A player's results in games in which the dealer is the bank, in both roles."""

    player: UUID
    name: str
    hands_as_dealer: int
    net_as_dealer: int
    hands_as_player: int
    net_as_player: int


def banks(scope: Scope, *, player: UUID | None = None) -> list[BankFigures]:
    """Return each player's results as the bank and against the bank, in three queries."""
    called = games_with_a_bank(scope)
    if not called:
        return []
    where, values = scope_condition(scope, Also("player_id", player))
    marks = ", ".join(["%s"] * len(called))
    case = "sum(CASE WHEN t.player_id {} t.dealer_id THEN t.{} ELSE 0 END)".format
    sums = ", ".join(case(how, what) for how in ("=", "<>") for what in ("hands", "net"))
    rows = query(
        f"SELECT p.id, p.name, {sums} FROM league_calltally t"
        f" JOIN league_player p ON p.id = t.player_id WHERE {where} AND t.game IN ({marks})"
        " GROUP BY p.id, p.name ORDER BY lower(p.name)",
        [*values, *called],
    )
    return [
        BankFigures(
            player=as_uuid(key),
            name=name,
            hands_as_dealer=int(dealt),
            net_as_dealer=int(dealing),
            hands_as_player=int(played),
            net_as_player=int(playing),
        )
        for key, name, dealt, dealing, played, playing in rows
    ]


def games_with_a_bank(scope: Scope) -> list[str]:
    """Return the dealt games in which the dealer is the bank, in two queries."""
    where, values = scope_condition(scope)
    rows = query(f"SELECT DISTINCT t.game FROM league_dealertally t WHERE {where}", values)
    keys = [row[0] for row in rows]
    mine = Q(versions__game__league=scope.league, versions__game__slug__in=keys)
    # A record may contain its own rules. The rules in other leagues' records do not affect names
    # here.
    dealt = Revision.objects.filter(
        document=OuterRef("pk"), hand__night__season__league=scope.league
    )
    nameless = Q(Exists(dealt), slug="", name__in=keys)
    documents = GameDocument.objects.filter(mine | Q(slug__in=keys) | nameless)
    dealt_documents = documents.values_list("document", "slug", "versions__game__slug", "name")
    keys_of_banks = {
        key
        for document, slug, own, name in dealt_documents
        if any(str(due).startswith("bank") for due in document.get("dues", ()))
        for key in (slug, own, name)
    }
    return sorted(keys_of_banks.intersection(keys))


def dealt_names(league: UUID) -> dict[str, str]:
    """Return each dealt game's title in the rules of the hand that was counted last.

    Runs one query.
    """
    facts = HandFact.objects.filter(league=league, voided=False).order_by().values("game")
    last = facts.annotate(last=Max("pk")).values("last")
    rows = HandFact.objects.filter(pk__in=last)
    return dict(rows.values_list("game", "revision__document__name"))


def game_names(league: UUID, keys: Collection[str]) -> dict[str, str]:
    """Return the games' names: from the league's own games, the catalog, or else the keys.

    Runs one query, or none if `keys` is empty.
    """
    if not keys:
        return {}
    among = f"slug IN {placeholders(list(keys))}"
    rows = query(
        f"SELECT slug, name, 0 AS own FROM league_gamedocument WHERE slug <> '' AND {among}"
        f" UNION ALL SELECT slug, name, 1 FROM league_housegame WHERE league_id = %s AND {among}"
        " ORDER BY own, name",
        [*keys, uuid_text(league), *keys],
    )
    return {key: key for key in keys} | {slug: name for slug, name, _ in rows}

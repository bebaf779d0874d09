"""Player figures, grouped by season, game, seat, opponent and declaration."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import add
from uuid import UUID

from league.common.text import name_order
from league.models import Season
from league.stats.figures.games import SUMS, AtGame, sums_at_games
from league.stats.figures.results_by_night import Evenings, evenings, hours_of, of_hands
from league.stats.scopes import Also, Scope, rate, scope_condition
from ledger.sql import as_uuid, query


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFigures:
    """A player's results.

    `hours` is the player's share of the table's time. See `results_by_night.hours`.

    `highs` is how often the player competed for the high at a showdown with a qualifying hand, and
    `highs_won` is how often that hand won chips. `lows` and `lows_won` are the same for the low.
    `splits` are pots with two or more shares, and `scoops` are the split pots that the player won
    whole. `moved` is how many chips the table wrongly paid to the player in `mistakes` hands.
    """

    player: UUID
    name: str
    hands: int
    net: int
    put: int
    won: int
    showdowns: int
    showdowns_won: int
    highs: int
    highs_won: int
    lows: int
    lows_won: int
    splits: int
    scoops: int
    mistakes: int
    moved: int
    hours: float = 0.0

    @property
    def from_hands(self) -> int:
        """The net of the hands, which `net` is until `over_nights` replaces it."""
        return self.won - self.put

    @property
    def net_per_100(self) -> float | None:
        """The net of the hands per hundred hands."""
        return 100 * self.from_hands / self.hands if self.hands else None

    @property
    def net_per_hour(self) -> float | None:
        """The net of the hands per hour. A rate from less than an hour would be a guess."""
        return self.from_hands / self.hours if self.hours >= 1 else None

    @property
    def showdown_rate(self) -> float | None:
        """The share of showdowns in which the player won chips."""
        return rate(self.showdowns_won, self.showdowns)

    @property
    def high_rate(self) -> float | None:
        return rate(self.highs_won, self.highs)

    @property
    def low_rate(self) -> float | None:
        return rate(self.lows_won, self.lows)

    @property
    def scoop_rate(self) -> float | None:
        return rate(self.scoops, self.splits)


def players(
    scope: Scope,
    *,
    player: UUID | None = None,
    game: str | None = None,
    read: Evenings | None = None,
    at_games: Iterable[AtGame] | None = None,
) -> list[PlayerFigures]:
    """Return each player's figures, highest net first. `hours` is 0 if `game` is given.

    If the caller has already read them, `read` are the nights for this scope and player, and
    `at_games` are the sums for this scope, player and game.
    """
    if at_games is None:
        at_games = sums_at_games(scope, player=player, game=game)
    names: dict[UUID, str] = {}
    sums: dict[UUID, Sequence[int]] = {}
    for row in at_games:
        names[row.player] = row.name
        mine = sums.get(row.player)
        sums[row.player] = row.sums if mine is None else tuple(map(add, mine, row.sums))
    spent = {}
    if game is None:
        spent = hours_of(read or evenings(scope, player=player))
    figures = [
        PlayerFigures(
            player=key,
            name=names[key],
            hours=spent.get(key, 0.0),
            **dict(zip(SUMS, mine, strict=True)),
        )
        for key, mine in sums.items()
    ]
    return sorted(figures, key=lambda row: (-row.net, name_order(row.name)))


def over_nights(figures: Iterable[PlayerFigures], read: Evenings) -> list[PlayerFigures]:
    """Return the figures with each player's net over the nights that were read.

    Players without hands, such as players of tournaments, are included.
    """
    dealt = {row.player: row for row in figures}
    return [
        replace(
            dealt.get(each.player)
            or PlayerFigures(player=each.player, name=each.name, **dict.fromkeys(SUMS, 0)),
            net=each.totals[-1],
        )
        for each in read.players
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFigures:
    """A player's results in a seat. `position` counts seats after the dealer, who is 0."""

    player: UUID
    name: str
    position: int
    hands: int
    net: int


def seats(scope: Scope, *, player: UUID | None = None) -> list[SeatFigures]:
    """Return each player's net for each seat after the dealer."""
    where, values = scope_condition(scope, Also("player_id", player))
    rows = query(
        "SELECT p.id, p.name, t.position, sum(t.hands), sum(t.net) FROM league_seattally t"
        f" JOIN league_player p ON p.id = t.player_id WHERE {where}"
        " GROUP BY p.id, p.name, t.position ORDER BY lower(p.name), t.position",
        values,
    )
    return [
        SeatFigures(player=as_uuid(key), name=name, position=at, hands=int(hands), net=int(net))
        for key, name, at, hands, net in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """The net chips that `loser` has lost to `winner`."""

    loser: UUID
    loser_name: str
    winner: UUID
    winner_name: str
    hands: int
    chips: int


def flows(scope: Scope, *, player: UUID | None = None) -> list[Flow]:
    """Return the net flow between each pair of players once, largest first."""
    where, values = scope_condition(scope)
    if player is not None:
        mine, also = scope_condition(scope, Also("loser_id", player))
        other, more = scope_condition(scope, Also("winner_id", player))
        where, values = f"(({mine}) OR ({other}))", [*also, *more]
    # both directions between a pair of players are merged into one, starting from the player with
    # the lower id
    low = "t.loser_id < t.winner_id"
    rows = query(
        "SELECT a.id, a.name, b.id, b.name, sum(s.hands), sum(s.chips) FROM (SELECT"
        f" CASE WHEN {low} THEN t.loser_id ELSE t.winner_id END AS one,"
        f" CASE WHEN {low} THEN t.winner_id ELSE t.loser_id END AS other, t.hands,"
        f" CASE WHEN {low} THEN t.chips ELSE -t.chips END AS chips"
        f" FROM league_flowtally t WHERE {where}) s"
        " JOIN league_player a ON a.id = s.one JOIN league_player b ON b.id = s.other"
        " GROUP BY a.id, a.name, b.id, b.name",
        values,
    )
    all_flows = []
    for one, name, other, other_name, hands, chips in rows:
        sides = (one, name, other, other_name) if chips >= 0 else (other, other_name, one, name)
        loser, loser_name, winner, winner_name = sides
        all_flows.append(
            Flow(
                loser=as_uuid(loser),
                loser_name=loser_name,
                winner=as_uuid(winner),
                winner_name=winner_name,
                hands=int(hands),
                chips=abs(int(chips)),
            )
        )
    return sorted(all_flows, key=lambda each: (-each.chips, name_order(each.loser_name)))


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckFigures:
    """A player's winnings at showdowns whose boards were redealt, and the expected value.

    `luck` is the difference in chips. In 95 of 100 leagues, chance alone keeps `luck` within
    `margin` of zero. This assumes a normal distribution with many hands of similar size.
    """

    player: UUID
    name: str
    hands: int
    won: int
    expected: float
    margin: float

    @property
    def luck(self) -> float:
        return self.won - self.expected


# In a normal distribution, 95 % of values are within this number of standard deviations of the
# mean.
WITHIN = 1.959963984540054


def luck(scope: Scope, *, player: UUID | None = None) -> list[LuckFigures]:
    """Return each player's luck at showdowns, luckiest first."""
    where, values = scope_condition(scope, Also("player_id", player))
    rows = query(
        "SELECT p.id, p.name, sum(t.hands), sum(t.won), sum(t.expected), sum(t.variance)"
        " FROM league_lucktally t JOIN league_player p ON p.id = t.player_id"
        f" WHERE {where} GROUP BY p.id, p.name",
        values,
    )
    figures = [
        LuckFigures(
            player=as_uuid(key),
            name=name,
            hands=int(hands),
            won=int(won),
            expected=int(expected) / 1000,
            margin=WITHIN * (int(variance) / 1000) ** 0.5,
        )
        for key, name, hands, won, expected, variance in rows
    ]
    return sorted(figures, key=lambda each: (-each.luck, name_order(each.name)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonFigures:
    """A player's results in a season, computed from hands. `nights` counts nights with a hand."""

    player: UUID
    name: str
    season: UUID
    season_name: str
    nights: int
    nights_won: int
    hands: int
    net: int
    best: int
    worst: int

    @property
    def net_per_night(self) -> float | None:
        return rate(self.net, self.nights)

    @property
    def net_per_100(self) -> float | None:
        """The mean net per hundred hands."""
        return rate(100 * self.net, self.hands)


def seasons(scope: Scope, *, player: UUID | None = None) -> list[SeasonFigures]:
    """Return each player's seasons, keyed by name, latest first.

    Runs at most six queries.
    """
    rows = Season.objects.filter(league=scope.league).values_list("pk", "name")
    return seasons_of(of_hands(evenings(scope, player=player)), dict(rows))


def seasons_of(read: Evenings, names: Mapping[UUID, str]) -> list[SeasonFigures]:
    """Return each player's seasons, with the nets of the nights that were read."""
    figures = []
    for player in read.players:
        by_season: dict[str, list[tuple[int, int]]] = {}
        for at, hands, net in zip(player.at, player.hands, player.nets, strict=True):
            by_season.setdefault(read.nights[at].season, []).append((hands, net))
        for key, nights in reversed(by_season.items()):
            season = as_uuid(key)
            nets = [net for _, net in nights]
            figures.append(
                SeasonFigures(
                    player=player.player,
                    name=player.name,
                    season=season,
                    season_name=names[season],
                    nights=len(nets),
                    nights_won=sum(net > 0 for net in nets),
                    hands=sum(hands for hands, _ in nights),
                    net=sum(nets),
                    best=max(nets),
                    worst=min(nets),
                )
            )
    return figures


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclarationFigures:
    """A player's results with one declaration. `right` is how often the declaration won chips."""

    player: UUID
    name: str
    way: str
    hands: int
    right: int
    net: int

    @property
    def right_rate(self) -> float | None:
        return rate(self.right, self.hands)


def declaration_figures(scope: Scope, *, player: UUID | None = None) -> list[DeclarationFigures]:
    """Return each player's declarations and their results, grouped by direction."""
    where, values = scope_condition(scope, Also("player_id", player))
    rows = query(
        "SELECT p.id, p.name, t.way, sum(t.hands), sum(t.times_right), sum(t.net)"
        " FROM league_declaretally t JOIN league_player p ON p.id = t.player_id"
        f" WHERE {where} GROUP BY p.id, p.name, t.way ORDER BY lower(p.name), t.way",
        values,
    )
    return [
        DeclarationFigures(
            player=as_uuid(key), name=name, way=way, hands=int(n), right=int(r), net=int(net)
        )
        for key, name, way, n, r, net in rows
    ]

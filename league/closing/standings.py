"""Season standings: the results of closed nights and open debts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple
from uuid import UUID

from django.core.cache import cache
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from league.common.money import Money, shown
from league.common.text import name_order
from league.models import (
    BuyIn,
    CashOut,
    Charge,
    ChargeShare,
    Closing,
    ClosingLine,
    Hand,
    League,
    Night,
    Player,
    Revision,
    Season,
    Seat,
)
from league.nights import accounts
from league.nights.nights import EMPTY
from ledger.balances import balances
from ledger.models import Posting, Transfer
from ledger.sql import query_by_keys

# The same calculation as in `ClosingLine.net`.
NET = (
    Coalesce(F("counted"), F("stack") + F("back"))
    + F("cashed")
    - F("bought")
    + F("put_right")
    + F("bears")
    + F("prizes")
    - F("entered")
)
# The posting that made a closing `c` or undid it. Closing and undoing lock the league, so a book's
# postings become visible in the order of their ids. A join would read all postings of the book.
CURSOR = (
    "COALESCE((SELECT r.id FROM ledger_posting r WHERE r.reverses_id = c.posting_id), c.posting_id)"
)
# The last posting that closed or reopened a night of a league. It grows with each of them, so it is
# the version of the results of all closed nights. Lines never change and are never deleted.
LAST_CLOSING = f"(SELECT max({CURSOR}) FROM league_closing c WHERE c.league_id = {{}})"  # noqa: S608
KEPT_SECONDS = 24 * 3600
KEYS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class CountDifference:
    """The change in a player's net due to chip counts, and the latest affected night."""

    chips: int
    night: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """A player's row in the standings.

    `net` is the total over the season's closed nights. `tab` is the amount that the table currently
    owes the player, negative for a debt. `tab` includes chips bought at open nights. `won` maps
    each currency to the net in minor units, at each night's chip value.
    """

    place: int
    player: UUID
    name: str
    nights: int
    net: int
    won: dict[str, int]
    best: int
    tab: int

    @property
    def money(self) -> list[Money]:
        """The winnings, with one amount for each currency."""
        return [Money(amount, currency) for currency, amount in self.won.items()]

    @property
    def worth(self) -> str:
        """The winnings as formatted amounts."""
        return ", ".join(f"{shown(minor, coin)} {coin}" for coin, minor in self.won.items())


class _Sum(NamedTuple):
    """A player's totals over all nights in one currency."""

    player: UUID
    currency: str
    nights: int
    net: int
    won: int
    best: int


def standings(season: Season) -> list[StandingsRow]:
    """Return the season's players, highest net first. Players with the same net share a place."""
    by_player: dict[UUID, list[_Sum]] = {}
    for total in _sums(season):
        by_player.setdefault(total.player, []).append(total)
    names = dict(Player.objects.filter(league=season.league_id).values_list("pk", "name"))
    nets = {player: sum(total.net for total in sums) for player, sums in by_player.items()}
    order = sorted(by_player, key=lambda player: (-nets[player], name_order(names[player])))
    places = [nets[player] for player in order]
    tabs = balances(season.league.book, kind="tab")
    return [
        StandingsRow(
            place=places.index(nets[player]) + 1,
            player=player,
            name=names[player],
            nights=sum(total.nights for total in by_player[player]),
            net=nets[player],
            won={total.currency: total.won for total in by_player[player]},
            best=max(total.best for total in by_player[player]),
            tab=tabs.get(accounts.tab(player).key, 0),
        )
        for player in order
    ]


def open_nights(season: Season) -> list[Night]:
    return list(season.nights.filter(state=Night.State.OPEN).order_by("number"))


def live_standings(season: Season) -> list[StandingsRow]:
    """Return the standings including the current nets of open nights."""
    closed = standings(season)
    nets = _open_nets(season.league, open_nights(season))
    if not nets:
        return closed
    names = dict(Player.objects.filter(pk__in=nets).values_list("pk", "name"))
    in_closed = {row.player for row in closed}
    new = [
        StandingsRow(
            place=0, player=player, name=names[player], nights=0, net=0, won={}, best=0, tab=0
        )
        for player in nets
        if player not in in_closed
    ]
    rows = [replace(row, net=row.net + nets[row.player]) for row in (*closed, *new)]
    rows.sort(key=lambda row: (-row.net, name_order(row.name)))
    places = [row.net for row in rows]
    return [replace(row, place=places.index(row.net) + 1) for row in rows]


def _open_nets(league: League, nights: Sequence[Night]) -> Counter[UUID]:
    """Return each player's current net over these open nights."""
    nets: Counter[UUID] = Counter()
    seats = Seat.objects.filter(night__in=nights).values_list("night", "player")
    players = {accounts.stack(night, player).key: player for night, player in seats}
    keys = list(players)
    for at in range(0, len(keys), KEYS_AT_ONCE):
        stacks = balances(league.book, keys=keys[at : at + KEYS_AT_ONCE])
        for key, chips in stacks.items():
            nets[players[key]] += chips
    for rows, sign in ((BuyIn, -1), (CashOut, 1)):
        stands = rows.objects.filter(night__in=nights, posting__reversal=None)
        for player, chips in stands.values_list("player", "chips"):
            nets[player] += sign * chips
    entered = ChargeShare.objects.filter(
        charge__night__in=nights,
        charge__kind=Charge.Kind.TOURNAMENT,
        charge__posting__reversal=None,
    )
    for player, gets, owes in entered.values_list("player", "gets", "owes"):
        nets[player] += gets - owes
    for player, chips in _payout_corrections(nights):
        nets[player] += chips
    return nets


def by_counts(season: Season) -> dict[UUID, CountDifference]:
    """Return how chip counts that differed from the expected chips changed each player's net.

    In a night without hands, no chips are expected.
    """
    hands = Hand.objects.filter(night=OuterRef("closing__night"), voided=False)
    differences: dict[UUID, CountDifference] = {}
    changed = Q(counted__isnull=False) & ~Q(counted=F("stack") + F("back"))
    lines = valid_lines(closing__night__season=season).filter(Exists(hands), changed | ~Q(bears=0))
    for line in lines.select_related("closing").order_by("closing__night__started_at"):
        before = differences[line.player_id].chips if line.player_id in differences else 0
        differences[line.player_id] = CountDifference(before + line.by_count, line.closing.night_id)
    return {player: each for player, each in differences.items() if each.chips}


def on_the_table(league: League) -> Counter[UUID]:
    """Return the effect of open nights on each player's tab.

    Chips at open nights are still in play, and charges are settled when the night is closed, so
    they are not debts yet.
    """
    nights = list(Night.objects.filter(season__league=league, state=Night.State.OPEN))
    chips: Counter[UUID] = Counter()
    if not nights:
        return chips
    for rows, sign in ((BuyIn, -1), (CashOut, 1)):
        stands = rows.objects.filter(night__in=nights, posting__reversal=None)
        for player, number in stands.values_list(Coalesce("banker", "player"), "chips"):
            chips[player] += sign * number
    charges = Charge.objects.filter(night__in=nights, posting__reversal=None)
    for player, number in chain(_payout_corrections(nights), _on_tabs(charges.values("posting"))):
        chips[player] += number
    return chips


def last_closings() -> QuerySet[Closing]:
    """Return the last closing of each night. `cursor` is the same as in CURSOR."""
    later = Closing.objects.filter(night=OuterRef("night"), number__gt=OuterRef("number"))
    # `F("posting__reversal__pk")` reads the posting and its reversal in a single join.
    cursor = Coalesce(F("posting__reversal__pk"), F("posting_id"))
    return Closing.objects.filter(~Exists(later)).annotate(cursor=cursor)


def running_totals(seasons: Iterable[UUID]) -> dict[tuple[UUID, UUID], int]:
    """Return each player's season net after each closing, keyed by (closing, player).

    Nights are ordered by start time.
    """
    net = Case(When(closing__posting__reversal=None, then=NET), default=Value(0))
    lines = ClosingLine.objects.filter(
        closing__in=last_closings(), closing__night__season__in=seasons
    )
    order = ("closing__night__started_at", "closing__night__number")
    rows = lines.order_by(*order).values_list("closing__night__season", "closing", "player", net)
    totals: Counter[tuple[UUID, UUID]] = Counter()
    running = {}
    for season, closing, player, chips in rows:
        totals[season, player] += chips
        running[closing, player] = totals[season, player]
    return running


def _payout_corrections(nights: Iterable[Night]) -> Iterator[tuple[UUID, int]]:
    """Yield (player, chips) for transfers between tabs that correct pots paid wrongly."""
    stands = Revision.objects.filter(hand__night__in=nights, current=True, hand__voided=False)
    yield from _on_tabs(stands.values("posting"))


def _on_tabs(postings: QuerySet[Any, Any]) -> Iterator[tuple[UUID, int]]:
    """Yield (player, chips) for the changes of tabs by these postings."""
    moves = Transfer.objects.filter(posting__in=postings)
    tabs = moves.filter(Q(debit__kind="tab") | Q(credit__kind="tab"))
    for debit, credit, chips in tabs.values_list("debit__key", "credit__key", "amount"):
        for key, change in ((debit, -chips), (credit, chips)):
            if (player := accounts.player_of_tab(key)) is not None:
                yield player, change


def _sums(season: Season) -> list[_Sum]:
    """Return the totals of the season's lines, cached until a night is closed or reopened."""
    key = f"lines:{season.pk}"
    [(last,)] = query_by_keys(f"SELECT {LAST_CLOSING.format('%s')}", season.league_id)
    cached: tuple[int | None, list[_Sum]] | None = cache.get(key)
    if cached is None or cached[0] != last:
        # Players who only sat down at nights that were cancelled are left out.
        lines = valid_lines(closing__night__season=season).exclude(EMPTY)
        sums = {
            "nights": Count("pk", filter=Q(bought__gt=0) | Q(entered__gt=0)),
            "chips": Sum(NET),
            "minor": Sum(NET * F("closing__night__chip_value")),
            "best": Max(NET),
        }
        named = ("player", "closing__night__currency")
        rows = lines.values(*named).annotate(**sums).order_by("closing__night__currency")
        cached = last, [_Sum(*row) for row in rows.values_list(*named, *sums)]
        cache.set(key, cached, KEPT_SECONDS)
    return cached[1]


def valid_lines(**of: Any) -> QuerySet[ClosingLine]:
    """Return the players' lines of the closings that are not undone. `of` limits the nights."""
    reversals = Posting.objects.filter(reverses=OuterRef("closing__posting"))
    return ClosingLine.objects.filter(~Exists(reversals), player__is_box=False, **of)

"""The final table of a season from its closed nights, by chips won or by points, and its places.

The result of a night is the result of its closing, including the chip count and drift, as in the
ledger. A tournament has its own places. Points for these places are added to the points for the
night's hands.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import ngettext

from league.audit_log import Kind, log_action
from league.closing.standings import live_standings, standings
from league.common.errors import Problem, problem, refuse
from league.common.money import money_of
from league.common.text import name_order
from league.models import ChargeShare, ClosingLine, Night, Scoring, Season, Tournament, User
from league.scoring.points_document import (
    PointsDocument,
    document_of,
    is_integer,
    wrong_document,
)
from league.tournaments.events import as_event, prices, stacks
from league.tournaments.field import Act, read_field

MOST_POINTS = 1000
MOST_PLACES = 50
MOST_DROPPED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """A line in the final table. `score` is in chips or points, from the `counted` nights.

    Players who share a place share the points of all places that they occupy. Points are in
    hundredths, so that most shares are whole numbers.
    """

    place: int
    player: UUID
    name: str
    score: int
    nights: int
    counted: int
    net: int
    wins: int


@dataclass(frozen=True, slots=True)
class Contest:
    """The places of the players in a tournament or in a night's hands, and what they paid.

    Tied players have the same place, and no player has the next one. `spent` and `buy_in` are
    money. `knockouts` are hundredths of a knockout.
    """

    places: Mapping[UUID, int]
    buy_in: Decimal = Decimal(0)
    spent: Mapping[UUID, Decimal] = field(default_factory=dict)
    rebuys: Mapping[UUID, int] = field(default_factory=dict)
    knockouts: Mapping[UUID, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NightResult:
    """Each player's total net in a night, and the contests of the night."""

    net: dict[UUID, int] = field(default_factory=dict)
    contests: list[Contest] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """How a season is scored. If `best_nights` is None, all nights count.

    `document` is a points document as a mapping, for `Scoring.DOCUMENT`.
    """

    scoring: str = Scoring.NET
    points: tuple[int, ...] = ()
    best_nights: int | None = None
    document: Mapping[str, Any] | None = None
    drop_worst: int = 0

    @property
    def is_usual(self) -> bool:
        """Whether the season is ranked by the net of all nights, as in the standings."""
        return self.scoring == Scoring.NET and self.best_nights is None and not self.drop_worst

    def scores(self, nights: Iterable[NightResult]) -> dict[UUID, list[int]]:
        """Return each player's score for each night played, in chips or hundredths of points."""
        document = document_of(self.document) if self.document else None
        scores: dict[UUID, list[int]] = {}
        for night in nights:
            by_player: Counter[UUID] = Counter()
            if self.scoring == Scoring.NET:
                by_player.update(night.net)
            else:
                for contest in night.contests:
                    by_player.update(contest_points(contest, self.points, document))
                if document:
                    present = {player for contest in night.contests for player in contest.places}
                    by_player.update(dict.fromkeys(present, 100 * document.attendance))
            for player in night.net.keys() | by_player.keys():
                scores.setdefault(player, []).append(by_player[player])
        return scores

    def counted(self, scores: Sequence[int], nights: int) -> list[int]:
        """Return the scores that count, best first. Missed nights are dropped before zeros."""
        missed = [(0, False)] * (nights - len(scores))
        ordered = sorted([*((score, True) for score in scores), *missed], reverse=True)
        best = ordered[: max(0, len(ordered) - self.drop_worst)]
        return [score for score, played in best if played][: self.best_nights]


def choose(season: Season, option: Option, *, by: User | None) -> Season:
    """Replace the season's scoring. Raises RefusedError."""
    changes = {each.name: getattr(option, each.name) for each in fields(option)}
    return change(season, changes, by=by)


@transaction.atomic
def change(season: Season, changes: Mapping[str, Any], *, by: User | None) -> Season:
    """Change these parts of the scoring. The others keep their current values.

    Raises RefusedError.
    """
    season = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
    before = option_of(season)
    option = replace(before, **changes)
    refuse(wrong_option(option))
    season.scoring, season.best_nights = option.scoring, option.best_nights
    season.points, season.drop_worst = list(option.points), option.drop_worst
    season.document = option.document
    season.save(update_fields=["scoring", "points", "best_nights", "document", "drop_worst"])
    pairs = {
        each.name: (getattr(before, each.name), getattr(option, each.name))
        for each in fields(option)
    }
    changed = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    if changed:
        values = {name: pair for name, pair in changed.items() if name != "document"}
        names, league = ", ".join(changed), season.league
        log_action(Kind.OPTIONS_CHANGED, by=by, league=league, changed=names, values=values)
    return season


def option_of(season: Season) -> Option:
    return Option(
        scoring=season.scoring,
        points=tuple(season.points),
        best_nights=season.best_nights,
        document=season.document,
        drop_worst=season.drop_worst,
    )


def scored_table(season: Season, option: Option | None = None) -> list[Final]:
    """Return the table, scored by `option` or else by the season's own scoring."""
    option = option or option_of(season)
    names, nights = _read(season, option)
    scores = option.scores(nights)
    counted = {player: option.counted(scores[player], len(nights)) for player in names}
    totals = {
        player: (sum(counted[player]), sum(night.net.get(player, 0) for night in nights))
        for player in names
    }
    best_first = sorted(totals.values(), reverse=True)
    rows = [
        Final(
            place=best_first.index((score, net)) + 1,
            player=player,
            name=names[player],
            score=score,
            nights=len(scores[player]),
            counted=len(counted[player]),
            net=net,
            wins=sum(
                night.net[player] == max(night.net.values()) > 0
                for night in nights
                if player in night.net
            ),
        )
        for player, (score, net) in totals.items()
    ]
    return sorted(rows, key=lambda row: (row.place, name_order(row.name)))


# --- reading -------------------------------------------------------------------------------------


def _read(season: Season, option: Option) -> tuple[dict[UUID, str], list[NightResult]]:
    """Return the names of the season's players, and the results of its closed nights."""
    names: dict[UUID, str] = {}
    results: dict[UUID, NightResult] = {}
    at_table: dict[UUID, dict[UUID, ClosingLine]] = {}
    nights: dict[UUID, Night] = {}
    lines = ClosingLine.objects.filter(
        closing__night__season=season, closing__posting__reversal=None
    )
    for line in lines.select_related("player", "closing__night"):
        played = line.bought or line.at_table
        if played or line.entered or line.net:
            night = line.closing.night
            names[line.player_id] = line.player.name
            nights[night.pk] = night
            results.setdefault(night.pk, NightResult()).net[line.player_id] = line.net
            if played:
                at_table.setdefault(night.pk, {})[line.player_id] = line
    if option.scoring != Scoring.NET:
        for night_id, of_players in at_table.items():
            night = nights[night_id]
            usual, players = night.usual_buy_in, of_players.items()
            contest = Contest(
                places_of({player: line.at_table for player, line in players}),
                buy_in=money_of(usual, night),
                spent={player: money_of(line.bought, night) for player, line in players},
                rebuys={player: max(0, -(-line.bought // usual) - 1) for player, line in players},
            )
            results[night_id].contests.append(contest)
        if option.scoring == Scoring.DOCUMENT:
            _read_tournaments(season, nights, results)
        else:
            for (night_id, _charge), places in _tournament_places(season, results).items():
                results[night_id].contests.append(Contest(places))
    return names, list(results.values())


def places_of(nets: Mapping[UUID, int]) -> dict[UUID, int]:
    """Return the place of each player by net. Tied players share the first of their places."""
    ordered = sorted(nets.values(), reverse=True)
    return {player: ordered.index(net) + 1 for player, net in nets.items()}


def _tournament_places(
    season: Season, nights: Iterable[UUID]
) -> dict[tuple[UUID, UUID], dict[UUID, int]]:
    """Return the places of the tournaments, keyed by night and charge."""
    shares = ChargeShare.objects.filter(charge__night__season=season, place__isnull=False)
    shares = shares.filter(charge__posting__reversal=None, charge__night__in=list(nights))
    places: dict[tuple[UUID, UUID], dict[UUID, int]] = {}
    for share in shares.select_related("charge"):
        tournament = places.setdefault((share.charge.night_id, share.charge_id), {})
        tournament[share.player_id] = share.place or 0
    return places


def _read_tournaments(
    season: Season, nights: Mapping[UUID, Night], results: Mapping[UUID, NightResult]
) -> None:
    """Add the tournaments with their fees and knockouts, from their events, in three queries."""
    places = _tournament_places(season, results)
    rows = Tournament.objects.filter(charge__in=[charge for _, charge in places])
    tournaments = {row.charge_id: row for row in rows.prefetch_related("events")}
    for (night_id, charge), by_player in places.items():
        tournament, night = tournaments.get(charge), nights[night_id]
        if tournament is None:
            results[night_id].contests.append(Contest(by_player))
            continue
        events_in_order = sorted(tournament.events.all(), key=lambda row: row.number)
        events = [as_event(row) for row in events_in_order]
        entered = read_field(events, prices(tournament), stacks(tournament))
        undone = {event.undoes for event in events}
        knockouts: Counter[UUID] = Counter()
        for event in events:
            if event.kind == Act.OUT and event.id not in undone:
                for player in event.by:
                    knockouts[player] += 100 // len(event.by)
        contest = Contest(
            by_player,
            buy_in=money_of(tournament.entry, night),
            spent={player: money_of(chips, night) for player, chips in entered.paid.items()},
            rebuys=entered.rebuys,
            knockouts=knockouts,
        )
        results[night_id].contests.append(contest)


# --- points --------------------------------------------------------------------------------------


def contest_points(
    contest: Contest, points: Sequence[int], document: PointsDocument | None = None
) -> dict[UUID, int]:
    """Return points in hundredths, keyed by player.

    Tied players share the points of their places.
    """
    tied = Counter(contest.places.values())
    by_player = {}
    for player, first in contest.places.items():
        places = range(first, first + tied[first])
        if document is None:
            total = sum(100 * points[place - 1] for place in places if place <= len(points))
            by_player[player] = total // len(places)
            continue
        values = {
            "players": Decimal(len(contest.places)),
            "buy_in": contest.buy_in,
            "spent": contest.spent.get(player, contest.buy_in),
            "rebuys": Decimal(contest.rebuys.get(player, 0)),
        }
        total = sum(document.place_points(values | {"place": Decimal(place)}) for place in places)
        knockouts = document.knockout * contest.knockouts.get(player, 0)
        by_player[player] = total // len(places) + knockouts
    return by_player


def wrong_option(option: Option) -> Iterator[Problem]:
    """Yield the problems with a season's scoring."""
    if option.scoring not in Scoring.values:
        yield problem("scoring", "bad-option", f"this is {' or '.join(Scoring.values)}")
    if len(option.points) > MOST_PLACES:
        yield problem("points", "bad-points", f"at most {MOST_PLACES} places can get points")
    for place, points in enumerate(option.points):
        if not is_integer(points, 0, MOST_POINTS):
            text = f"points must be whole numbers from 0 to {MOST_POINTS}"
            yield problem(f"points/{place}", "bad-points", text)
    if option.scoring == Scoring.PLACES and not option.points:
        yield problem("points", "missing", "enter the points for the first places")
    if option.best_nights is not None and not is_integer(option.best_nights, 1, 1000):
        yield problem(
            "best_nights", "bad-nights", "this must be empty or a whole number of at least 1"
        )
    if not is_integer(option.drop_worst, 0, MOST_DROPPED):
        text = f"this must be a whole number from 0 to {MOST_DROPPED}"
        yield problem("drop_worst", "bad-nights", text)
    if option.document is not None:
        yield from wrong_document(option.document)
    elif option.scoring == Scoring.DOCUMENT:
        yield problem("document", "missing", "choose a points document or write one")


class Placing(NamedTuple):
    """A player's place in a night or a season.

    `score` is the net chips, or hundredths of points if `in_points`.
    """

    place: int
    name: str
    score: int
    player: UUID
    in_points: bool = False

    @property
    def text(self) -> str:
        """The score as shown on pages and pictures."""
        if not self.in_points:
            return with_sign(self.score)
        words = ngettext("%(points)s point", "%(points)s points", self.score // 100)
        return words % {"points": points_of(self.score)}


def ranking(season: Season, *, live: bool = False) -> list[Placing]:
    """Return the places of the season's players.

    If `live`, a ranking by the net of all nights includes the open nights. Other rankings count
    closed nights only.
    """
    option = option_of(season)
    if option.is_usual:
        rows = live_standings(season) if live else standings(season)
        return [Placing(row.place, row.name, row.net, row.player) for row in rows]
    in_points = option.scoring != Scoring.NET
    return [
        Placing(row.place, row.name, row.score, row.player, in_points)
        for row in scored_table(season)
    ]


def with_sign(chips: int) -> str:
    """Return the chips with their sign, as shown on pages and pictures."""
    return f"{chips:+,}".replace("-", "\u2212") if chips else "0"


def points_of(hundredths: int) -> str:
    """Return the points as shown on pages and pictures."""
    return f"{hundredths / 100:,.2f}".rstrip("0").rstrip(".").replace("-", "\u2212")

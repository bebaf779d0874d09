"""The final table of a season from its closed nights, by chips won or by points for places.

The result of a night is the result of its closing, including the chip count and drift, as in the
ledger. A tournament has its own places. Points for these places are added to the points for the
night's hands.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db import transaction

from league.common.errors import Problem, problem, refuse
from league.models import ChargeShare, ClosingLine, Scoring, Season

MOST_POINTS = 1000
MOST_PLACES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """The way a season is scored. If `best_nights` is None, all nights count."""

    scoring: str = Scoring.NET
    points: tuple[int, ...] = ()
    best_nights: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """A line of the final table. `score` is in chips or points, from the `counted` nights.

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
class Night:
    """The results of a night.

    The results are each player's total net, the part of it won at the table, and tournament places.
    """

    net: dict[UUID, int] = field(default_factory=dict)
    at_table: dict[UUID, int] = field(default_factory=dict)
    tournaments: dict[UUID, dict[UUID, int]] = field(default_factory=dict)


def choose(season: Season, option: Option) -> Season:
    """Change the scoring of the season. Raises RefusedError."""
    refuse(wrong_option(option))
    with transaction.atomic():
        season = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
        season.scoring, season.best_nights = option.scoring, option.best_nights
        season.points = list(option.points)
        season.save(update_fields=["scoring", "points", "best_nights"])
    return season


def option_of(season: Season) -> Option:
    """Return the scoring of the season."""
    return Option(
        scoring=season.scoring, points=tuple(season.points), best_nights=season.best_nights
    )


def scored_table(season: Season, option: Option | None = None) -> list[Final]:
    """Return the table, scored by `option` or else by the season's own scoring, in two queries."""
    option = option or option_of(season)
    names: dict[UUID, str] = {}
    played: dict[UUID, Night] = {}
    lines = ClosingLine.objects.filter(
        closing__night__season=season, closing__posting__reversal=None
    )
    for line in lines.select_related("player", "closing"):
        at_table = line.bought or line.at_table
        if at_table or line.entered or line.net:
            names[line.player_id] = line.player.name
            night = played.setdefault(line.closing.night_id, Night())
            night.net[line.player_id] = line.net
            if at_table:
                night.at_table[line.player_id] = line.at_table
    _read_places(season, played)
    scores = _scores(played.values(), option)
    nights = [night.net for night in played.values()]
    rows = [
        (
            sum(_counted(scores[player], option)),
            sum(nets.get(player, 0) for nets in nights),
            player,
        )
        for player in names
    ]
    rows.sort(key=lambda row: (-row[0], -row[1], names[row[2]].lower()))
    totals = [(score, net) for score, net, _ in rows]
    return [
        Final(
            place=totals.index((score, net)) + 1,
            player=player,
            name=names[player],
            score=score,
            nights=len(scores[player]),
            counted=len(_counted(scores[player], option)),
            net=net,
            wins=sum(nets[player] == max(nets.values()) > 0 for nets in nights if player in nets),
        )
        for score, net, player in rows
    ]


def points_of_night(nets: Mapping[UUID, int], points: Sequence[int]) -> dict[UUID, int]:
    """Return points in hundredths by player. Players with equal nets share places and points."""
    ordered = sorted(nets.values(), reverse=True)
    worth = [*points, *[0] * len(ordered)]
    by_player = {}
    for player, net in nets.items():
        first, shared = ordered.index(net), ordered.count(net)
        by_player[player] = 100 * sum(worth[first : first + shared]) // shared
    return by_player


def _read_places(season: Season, played: Mapping[UUID, Night]) -> None:
    shares = ChargeShare.objects.filter(charge__night__season=season, place__isnull=False)
    shares = shares.filter(charge__posting__reversal=None, charge__night__in=list(played))
    for share in shares.select_related("charge"):
        places = played[share.charge.night_id].tournaments.setdefault(share.charge_id, {})
        places[share.player_id] = share.place or 0


def _scores(nights: Iterable[Night], option: Option) -> dict[UUID, list[int]]:
    scores: dict[UUID, list[int]] = {}
    for night in nights:
        by_places = option.scoring == Scoring.PLACES
        found = _points(night, option.points) if by_places else night.net
        for player, score in found.items():
            scores.setdefault(player, []).append(score)
    return scores


def _points(night: Night, points: Sequence[int]) -> Mapping[UUID, int]:
    """Return points by player, in hundredths, for the hands and for each tournament."""
    by_player = Counter(points_of_night(night.at_table, points))
    for places in night.tournaments.values():
        for player, place in places.items():
            by_player[player] += 100 * points[place - 1] if place <= len(points) else 0
    return by_player


def _counted(scores: Sequence[int], option: Option) -> list[int]:
    """Return the scores that count, best first."""
    return sorted(scores, reverse=True)[: option.best_nights]


def wrong_option(option: Option) -> Iterator[Problem]:
    """Yield the problems with a season's scoring."""
    if option.scoring not in Scoring.values:
        yield problem("scoring", "bad-option", f"this is {' or '.join(Scoring.values)}")
    if len(option.points) > MOST_PLACES:
        yield problem("points", "bad-points", f"points are for {MOST_PLACES} places at most")
    for place, points in enumerate(option.points):
        if not _is_integer(points, 0, MOST_POINTS):
            text = f"points are whole numbers from 0 to {MOST_POINTS}"
            yield problem(f"points/{place}", "bad-points", text)
    if option.scoring == Scoring.PLACES and not option.points:
        yield problem("points", "missing", "say how many points the first places bring")
    if option.best_nights is not None and not _is_integer(option.best_nights, 1, 1000):
        yield problem("best_nights", "bad-nights", "this is a whole number from 1, or nothing")


def _is_integer(number: object, least: int, most: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and least <= number <= most

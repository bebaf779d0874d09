"""The final table of a season, from its closed nights: by chips won, or by points for places.

What counts of a night is what its closing says, count and drift included: the same as the books.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from league.common.errors import Problem, problem, refuse
from league.models import Line, Scoring, Season

MOST_POINTS = 1000
MOST_PLACES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """How a season is scored; with no `best_nights` all of them count."""

    scoring: str = Scoring.NET
    points: tuple[int, ...] = ()
    best_nights: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """A line of the final table. `score` is chips or points over the `counted` nights.

    Who shares a place at a night shares the points of the places that are taken together; they
    are counted in hundredths, so that sharing leaves them whole.
    """

    place: int
    player: UUID
    name: str
    score: int
    nights: int
    counted: int
    net: int
    wins: int


def choose(season: Season, option: Option) -> Season:
    """Change how the season is scored. Raises Refused."""
    refuse(wrong_option(option))
    with transaction.atomic():
        season = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
        season.scoring, season.best_nights = option.scoring, option.best_nights
        season.points = list(option.points)
        season.save(update_fields=["scoring", "points", "best_nights"])
    return season


def option_of(season: Season) -> Option:
    """Return how the season is scored."""
    return Option(
        scoring=season.scoring, points=tuple(season.points), best_nights=season.best_nights
    )


def final_table(season: Season, option: Option | None = None) -> list[Final]:
    """Return the table as the season is scored, or as another option would; one query."""
    option = option or option_of(season)
    names: dict[UUID, str] = {}
    nights: dict[UUID, dict[UUID, int]] = {}
    lines = Line.objects.filter(closing__night__season=season, closing__posting__reversal=None)
    for line in lines.select_related("player", "closing"):
        if line.bought or line.net:
            names[line.player_id] = line.player.name
            nights.setdefault(line.closing.night_id, {})[line.player_id] = line.net
    scores = _scores(nights.values(), option)
    rows = [
        (
            sum(_counted(scores[player], option)),
            sum(each.get(player, 0) for each in nights.values()),
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
            wins=sum(
                each[player] == max(each.values()) > 0 for each in nights.values() if player in each
            ),
        )
        for score, net, player in rows
    ]


def points_of_night(nets: Mapping[UUID, int], points: Sequence[int]) -> dict[UUID, int]:
    """Return hundredths of points by player: who won as much shares what the places bring."""
    ordered = sorted(nets.values(), reverse=True)
    worth = [*points, *[0] * len(ordered)]
    found = {}
    for player, net in nets.items():
        first, shared = ordered.index(net), ordered.count(net)
        found[player] = 100 * sum(worth[first : first + shared]) // shared
    return found


def _scores(nights: Iterable[Mapping[UUID, int]], option: Option) -> dict[UUID, list[int]]:
    scores: dict[UUID, list[int]] = {}
    for nets in nights:
        by_places = option.scoring == Scoring.PLACES
        for player, score in (points_of_night(nets, option.points) if by_places else nets).items():
            scores.setdefault(player, []).append(score)
    return scores


def _counted(scores: Sequence[int], option: Option) -> list[int]:
    """Return the scores that count, best first."""
    return sorted(scores, reverse=True)[: option.best_nights]


def wrong_option(option: Option) -> Iterator[Problem]:
    """Yield what is wrong with how a season is to be scored."""
    if option.scoring not in Scoring.values:
        yield problem("scoring", "bad-option", f"this is {' or '.join(Scoring.values)}")
    if len(option.points) > MOST_PLACES:
        yield problem("points", "bad-points", f"points are for {MOST_PLACES} places at most")
    for place, points in enumerate(option.points):
        if not _whole(points, 0, MOST_POINTS):
            text = f"points are whole numbers from 0 to {MOST_POINTS}"
            yield problem(f"points/{place}", "bad-points", text)
    if option.scoring == Scoring.PLACES and not option.points:
        yield problem("points", "missing", "say how many points the first places bring")
    if option.best_nights is not None and not _whole(option.best_nights, 1, 1000):
        yield problem("best_nights", "bad-nights", "this is a whole number from 1, or nothing")


def _whole(number: object, least: int, most: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and least <= number <= most

"""Choices that cost a player chips, with the probability that the loss is due to chance."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import atan, cos, pi, sin, sqrt
from typing import NamedTuple
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.stats.figures.games import game_names
from league.stats.scopes import DEALT, DECLARED, HOUR, SEAT, STAYED, Scope, split_choice
from ledger.sql import as_uuid, query

# The wording of a leak: a sentence for each kind of choice, and a sentence about how certain it is.


Words = str | Promise

# Sentences, keyed by kind and value. The value "" applies to all values without a specific
# sentence.
COSTS: Mapping[tuple[str, str], Words] = {
    (DECLARED, "both"): _("At %(game)s, going both ways costs %(name)s %(chips)s a night."),
    (DECLARED, "high"): _("At %(game)s, going high costs %(name)s %(chips)s a night."),
    (DECLARED, "low"): _("At %(game)s, going low costs %(name)s %(chips)s a night."),
    (DECLARED, ""): _("At %(game)s, declaring %(which)s costs %(name)s %(chips)s a night."),
    (STAYED, ""): _("At %(game)s, staying to the end costs %(name)s %(chips)s a night."),
    (DEALT, ""): _("Dealing %(game)s costs %(name)s %(chips)s a night."),
    (SEAT, "0"): _("As dealer, %(name)s makes %(chips)s less per night than others."),
    (SEAT, ""): _(
        "In seat %(which)s after the dealer, %(name)s makes %(chips)s less per night than others."
    ),
    (HOUR, "0"): _("The first hour of a night costs %(name)s %(chips)s."),
    (HOUR, ""): _("%(name)s loses %(chips)s between hours %(which)s and %(end)s of a night."),
}
HOW_SURE: Mapping[str, Words] = {
    "hardly-luck": _("Probably not just luck."),
    "probably-real": _("Likely a real leak."),
    "could-be-luck": _("Could be luck."),
}


def sentence(*, kind: str, which: str, game: str, name: str, chips: int) -> str:
    """Return the sentence that describes a leak."""
    words = COSTS.get((kind, which)) or COSTS[kind, ""]
    end = str(int(which) + 1) if kind == HOUR else ""
    values = {"game": game, "which": which, "end": end, "name": name, "chips": f"{chips:,}"}
    return str(words) % values


# The significance of a mean: Student's t across nights, with Holm's correction for multiple tests.
#
# The independent samples are nights, not hands, because hands of the same night share players,
# stakes and mood. Sources: Student, The probable error of a mean, Biometrika 6 (1908); Holm, A
# simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6
# (1979), which holds for any dependence between the tests; Abramowitz and Stegun 26.7.3 and 26.7.4.


def chance_of(count: int, total: float, squares: float) -> float:
    """Return the two-sided probability that chance gives a mean at least this far from zero.

    `count` is the number of values, which must be at least two. `total` is the sum of the values,
    and `squares` is the sum of their squares.
    """
    mean = total / count
    variance = (squares - total * mean) / (count - 1)
    if not mean:
        return 1.0
    # identical values have no variance, so use a sign test
    if variance <= 1e-12 * mean * mean:
        return 2.0 ** (1 - count)
    return two_sided_p_value(mean / sqrt(variance / count), count - 1)


def two_sided_p_value(t: float, freedom: int) -> float:
    """Return the probability that Student's t distribution is farther from zero than `t`."""
    angle = atan(abs(t) / sqrt(freedom))
    step = cos(angle) ** 2
    term = whole = cos(angle) if freedom % 2 else 1.0
    first = 3 if freedom % 2 else 2
    for n in range(first, freedom - 1, 2):
        term *= step * (n - 1) / n
        whole += term
    if freedom % 2 == 0:
        return max(0.0, 1 - sin(angle) * whole)
    more = sin(angle) * whole if freedom > 1 else 0.0
    return max(0.0, 1 - 2 / pi * (angle + more))


def corrected(chances: Sequence[float]) -> list[float]:
    """Return the probabilities corrected for the number of tests (Holm), in the same order."""
    adjusted, least = [0.0] * len(chances), 0.0
    for rank, at in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        least = max(least, min(1.0, (len(chances) - rank) * chances[at]))
        adjusted[at] = least
    return adjusted


LEAST_NIGHTS = 5
LEAST_HANDS = 20
MOST_OF_A_PLAYER = 3


class Confidence(StrEnum):
    """The likelihood that a leak is real: `chance` is at most 1 %, at most 10 %, or more."""

    HARDLY_LUCK = "hardly-luck"
    PROBABLY_REAL = "probably-real"
    COULD_BE_LUCK = "could-be-luck"


# The probabilities are for all of a player's tests combined: if there are no real leaks, one player
# in a hundred gets HARDLY_LUCK.
SURE = ((Confidence.HARDLY_LUCK, 0.01), (Confidence.PROBABLY_REAL, 0.10))


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """What a choice costs a player. `game` is "" if the choice applies to all games.

    `kind` is "declared" (`which` is the declaration), "stayed" (to the end), "dealt" (the player's
    own call), "seat" (`which` counts from the dealer) or "hour" (`which` is the hour of the night,
    from 0). `nights` counts nights with such a hand. `per_night` is the net per night; for a seat,
    it is compared with the other players, because players do not choose their seats. `chance` is
    the probability that chance alone gives such a result, corrected for all tests of this player.
    """

    player: UUID
    name: str
    game: str
    game_name: str
    kind: str
    which: str
    hands: int
    nights: int
    net: int
    per_night: float
    chance: float
    confidence: str

    @property
    def sentence(self) -> str:
        """The sentence that describes the leak."""
        return sentence(
            kind=self.kind,
            which=self.which,
            game=self.game_name,
            name=self.name,
            chips=-round(self.per_night),
        )

    @property
    def how_sure(self) -> str:
        """The likelihood that the leak is real, in words."""
        return str(HOW_SURE[self.confidence])


class _Cell(NamedTuple):
    """Sums over a player's nights with a choice.

    In the names `xx`, `hx` and `hh`, h means hands and x means net.
    """

    player: UUID
    name: str
    game: str
    choice: str
    nights: int
    hands: int
    net: int
    xx: float
    hx: float
    hh: float


def leaks(scope: Scope, *, player: UUID | None = None, game: str | None = None) -> list[Leak]:
    """Return a few of each player's costliest choices, surest first. Runs two queries."""
    cells = _cells(scope)
    others = _means_at_seats(cells)
    by_player: dict[UUID, list[_Cell]] = defaultdict(list)
    for cell in cells:
        if cell.nights >= LEAST_NIGHTS and cell.hands >= LEAST_HANDS:
            by_player[cell.player].append(cell)
    chosen = [
        leak
        for key, mine in by_player.items()
        if player in {None, key}
        for leak in _chosen(mine, others)
    ]
    names = game_names(scope.league, {cell.game for cell, *_ in chosen if cell.game})
    rows = []
    for cell, per_night, chance in chosen:
        if game not in {None, cell.game}:
            continue
        kind, which = split_choice(cell.choice)
        rows.append(
            Leak(
                player=cell.player,
                name=cell.name,
                game=cell.game,
                game_name=names.get(cell.game, ""),
                kind=kind,
                which=which,
                hands=cell.hands,
                nights=cell.nights,
                net=cell.net,
                per_night=round(per_night, 2),
                chance=round(chance, 4),
                confidence=(*(word for word, _ in SURE), Confidence.COULD_BE_LUCK)[_rank(chance)],
            )
        )
    return rows


def _cells(scope: Scope) -> list[_Cell]:
    # squares of chips may exceed the database's integer range
    number = "CAST({} AS double precision)".format
    hands, net = number("n.hands"), number("n.net")
    rows = query(
        "SELECT p.id, p.name, n.game, n.choice, count(*), sum(n.hands), sum(n.net),"
        f" sum({net} * {net}), sum({hands} * {net}), sum({hands} * {hands})"
        " FROM (SELECT t.night_id, t.player_id, t.game, t.choice, sum(t.hands) AS hands,"
        f" sum(t.net) AS net FROM league_choicetally t WHERE {scope.where()}"
        " GROUP BY t.night_id, t.player_id, t.game, t.choice) n"
        " JOIN league_player p ON p.id = n.player_id"
        " GROUP BY p.id, p.name, n.game, n.choice ORDER BY lower(p.name), p.id, n.game, n.choice",
        scope.values,
    )
    return [
        _Cell(as_uuid(key), name, game, choice, nights, int(hands), int(net), *map(float, rest))
        for key, name, game, choice, nights, hands, net, *rest in rows
    ]


def _means_at_seats(cells: Iterable[_Cell]) -> dict[tuple[UUID, str], float]:
    """Return the other players' mean net per hand in each seat.

    Because of blinds, some seats cost every player chips.
    """
    seats = [cell for cell in cells if split_choice(cell.choice)[0] == SEAT]
    hands: dict[str, int] = defaultdict(int)
    net: dict[str, int] = defaultdict(int)
    for cell in seats:
        hands[cell.choice] += cell.hands
        net[cell.choice] += cell.net
    return {
        (cell.player, cell.choice): (net[cell.choice] - cell.net) / left
        for cell in seats
        if (left := hands[cell.choice] - cell.hands)
    }


def _chosen(
    cells: Sequence[_Cell], others: dict[tuple[UUID, str], float]
) -> Iterator[tuple[_Cell, float, float]]:
    """Yield a player's surest and costliest leaks, at most one per game.

    Each has its net per night, and the probability that it is due to chance. A single leak often
    shows up in several choices for the same game.
    """
    means = [others.get((cell.player, cell.choice), 0.0) for cell in cells]
    nets = [cell.net - mean * cell.hands for cell, mean in zip(cells, means, strict=True)]
    chances = [
        chance_of(cell.nights, net, cell.xx - 2 * mean * cell.hx + mean * mean * cell.hh)
        for cell, net, mean in zip(cells, nets, means, strict=True)
    ]
    costs = [
        (cell, net / cell.nights, chance)
        for cell, net, chance in zip(cells, nets, corrected(chances), strict=True)
        if round(net / cell.nights) < 0
    ]
    games: set[str] = set()
    for leak in sorted(costs, key=lambda leak: (_rank(leak[2]), leak[1])):
        if leak[0].game not in games and len(games) < MOST_OF_A_PLAYER:
            games.add(leak[0].game)
            yield leak


def _rank(chance: float) -> int:
    return sum(chance > most for _, most in SURE)

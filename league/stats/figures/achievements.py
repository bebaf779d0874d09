"""Player achievements.

Achievements are computed and never stored, so voiding a hand also removes the achievements that
depend on it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TypeVar
from uuid import UUID

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.common.text import name_order
from league.models.nights import name_in_words
from league.stats.figures.records import Notable, Shown
from league.stats.figures.results_by_night import Attended, forms_of
from league.stats.figures.season_facts import Feats, SeasonFacts, season_facts
from league.stats.league_state import LeagueState, league_state
from league.stats.scopes import Scope
from ledger.sql import as_uuid
from rules.presentation.hand_words import hand_phrase

FEWEST_IN_A_ROW = 3
FEWEST_GAMES = 3
FEWEST_HANDS = 10  # minimum number of hands at a game, in a seat or on a night
HANDS_REACHED = (1000, 500, 100)
RIGHT_OF_TEN = 7
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Award:
    """An achievement earned by a player.

    `facts` fill in the sentence, and `hand` and `cards` show the hand, if any.
    """

    player: UUID
    facts: dict[str, str | int] = field(default_factory=dict)
    hand: UUID | None = None
    cards: tuple[str, ...] = ()
    plays_as: dict[str, str] = field(default_factory=dict)


Rule = Callable[[SeasonFacts], Iterator[Award]]


def first_night(season: SeasonFacts) -> Iterator[Award]:
    for each in season.evenings.players:
        yield Award(each.player, {"night": season.evenings.nights[each.at[0]].name})


def first_win(season: SeasonFacts) -> Iterator[Award]:
    nights = season.evenings.nights
    for attended in season.evenings.players:
        for at, net in zip(attended.at, attended.nets, strict=True):
            if net > 0 and nights[at].closed:  # the winner of an open night is not known yet
                yield Award(attended.player, {"night": nights[at].name, "chips": net})
                break


def hands_reached(season: SeasonFacts) -> Iterator[Award]:
    for attended in season.evenings.players:
        dealt = sum(attended.hands)
        if reached := next((number for number in HANDS_REACHED if dealt >= number), 0):
            yield Award(attended.player, {"hands": reached})


def nights_in_a_row(season: SeasonFacts) -> Iterator[Award]:
    for form in forms_of(season.evenings):
        if form.won >= FEWEST_IN_A_ROW:
            yield Award(form.player, {"nights": form.won})


def never_missed(season: SeasonFacts) -> Iterator[Award]:
    for form in forms_of(season.evenings):
        if form.nights == form.of_nights >= FEWEST_IN_A_ROW:
            yield Award(form.player, {"nights": form.nights})


def best_night(season: SeasonFacts) -> Iterator[Award]:
    won = [each for each in _nights(season) if each[2] > 0]
    for player, night, net in _with_highest(won, lambda each: each[2]):
        yield Award(player.player, {"night": night, "chips": net})


def worst_night(season: SeasonFacts) -> Iterator[Award]:
    lost = [each for each in _nights(season) if each[2] < 0]
    for player, night, net in _with_highest(lost, lambda each: -each[2]):
        yield Award(player.player, {"night": night, "chips": -net})


def even_night(season: SeasonFacts) -> Iterator[Award]:
    for attended in season.evenings.players:
        nights = zip(attended.at, attended.hands, attended.nets, strict=True)
        even = [(at, hands) for at, hands, net in nights if net == 0 and hands >= FEWEST_HANDS]
        if even:
            at, hands = max(even, key=itemgetter(1))
            night = season.evenings.nights[at].name
            yield Award(attended.player, {"night": night, "hands": hands})


def hands_in_a_row(season: SeasonFacts) -> Iterator[Award]:
    long = [pair for pair in season.feats_in_order if pair[1].run >= FEWEST_IN_A_ROW]
    runs = _best_of_each(long, lambda feats: feats.run)
    for night, each in _with_highest(runs, lambda pair: pair[1].run):
        yield Award(as_uuid(each.player), {"night": night, "hands": each.run})


def games_in_a_night(season: SeasonFacts) -> Iterator[Award]:
    many = [pair for pair in season.feats_in_order if len(pair[1].games_won) >= FEWEST_GAMES]
    most = _best_of_each(many, lambda feats: len(feats.games_won))
    for night, each in _with_highest(most, lambda pair: len(pair[1].games_won)):
        yield Award(as_uuid(each.player), {"night": night, "games": len(each.games_won)})


def comeback(season: SeasonFacts) -> Iterator[Award]:
    climbed = [pair for pair in season.feats_in_order if pair[1].climbed_from]
    for night, night_feats in _best_of_each(climbed, lambda feats: feats.climbed_from):
        facts: dict[str, str | int] = {"night": night, "chips": night_feats.net}
        yield Award(as_uuid(night_feats.player), facts | {"down": night_feats.climbed_from})


def both_ways(season: SeasonFacts) -> Iterator[Award]:
    both = [pair for pair in season.feats_in_order if pair[1].scoops]
    for night, night_feats in _best_of_each(both, lambda feats: max(feats.scoops)[0]):
        scoop = max(night_feats.scoops)
        game = season.games.get(scoop.game, scoop.game)
        facts: dict[str, str | int] = {"night": night, "game": game, "chips": scoop.chips}
        yield Award(as_uuid(night_feats.player), facts, as_uuid(scoop.hand))


def best_hand(season: SeasonFacts) -> Iterator[Award]:
    strong = [notable for notable in season.records.best if notable.strength is not None]
    for notable in _with_highest(strong, lambda notable: notable.strength or 0):
        for shown in notable.shown:
            yield _with_cards(notable, shown)


def worst_beat(season: SeasonFacts) -> Iterator[Award]:
    for beat in season.records.beats[:1]:
        for lost in beat.shown[:1]:
            yield _with_cards(beat, lost)


def survived_beat(season: SeasonFacts) -> Iterator[Award]:
    """Yield players who lost with one of the strongest hands and still won that night."""
    seen = set()
    for beat in season.records.beats:
        for lost in beat.shown[:1]:
            net = season.net_at.get((beat.night, lost.player), 0)
            if net > 0 and lost.player not in seen:
                seen.add(lost.player)
                facts: dict[str, str | int] = {"called": lost.called, "chips": net}
                yield Award(lost.player, facts, beat.hand)


def biggest_pot(season: SeasonFacts) -> Iterator[Award]:
    for pot in season.records.pots[:1]:
        winners = [player for player, _name, _chips in pot.winners]
        # the award of each winner names all of them
        names = get_text_list([season.names[player] for player in winners], gettext("and"))
        for player in winners:
            facts: dict[str, str | int] = {"chips": pot.chips, "game": pot.game_name}
            yield Award(player, facts | {"names": names}, pot.hand)


def dealers_luck(season: SeasonFacts) -> Iterator[Award]:
    dealt = [
        seat
        for seat in season.seats
        if seat.position == 0 and seat.hands >= FEWEST_HANDS and seat.net > 0
    ]
    for seat in _with_highest(dealt, lambda seat: seat.net):
        yield Award(seat.player, {"hands": seat.hands, "chips": seat.net})


def landlord(season: SeasonFacts) -> Iterator[Award]:
    flows = [flow for flow in season.flows if flow.chips]
    for flow in _with_highest(flows, lambda flow: flow.chips):
        yield Award(flow.winner, {"other": season.names[flow.loser], "chips": flow.chips})


def specialist(season: SeasonFacts) -> Iterator[Award]:
    won = [
        at_game
        for at_game in season.at_games
        if at_game.sums[0] >= FEWEST_HANDS and at_game.sums[1] > 0
    ]
    for at_game in _with_highest(won, lambda at_game: at_game.sums[1]):
        hands, net = at_game.sums[:2]
        game = season.games.get(at_game.game, at_game.game)
        yield Award(at_game.player, {"game": game, "hands": hands, "chips": net})


def mind_reader(season: SeasonFacts) -> Iterator[Award]:
    sums: dict[UUID, list[int]] = {}
    for row in season.declares:
        mine = sums.setdefault(row.player, [0, 0])
        mine[0] += row.hands
        mine[1] += row.right
    for player, (hands, right) in sums.items():
        if hands >= FEWEST_HANDS and 10 * right >= RIGHT_OF_TEN * hands:
            yield Award(player, {"right": right, "hands": hands})


def _nights(season: SeasonFacts) -> Iterator[tuple[Attended, str, int]]:
    """Yield (player, night's name, net) for each night of each player."""
    for attended in season.evenings.players:
        for at, net in zip(attended.at, attended.nets, strict=True):
            yield attended, season.evenings.nights[at].name, net


def _with_highest(rows: Sequence[T], value: Callable[[T], int]) -> list[T]:
    highest = max(map(value, rows), default=0)
    return [each for each in rows if value(each) == highest]


def _best_of_each(
    rows: Iterable[tuple[str, Feats]], value: Callable[[Feats], int]
) -> list[tuple[str, Feats]]:
    """Return each player's best night. If nights tie, the first one counts."""
    by_player: dict[str, tuple[str, Feats]] = {}
    for night, feats in rows:
        best = by_player.get(feats.player)
        if best is None or value(feats) > value(best[1]):
            by_player[feats.player] = (night, feats)
    return list(by_player.values())


def _with_cards(notable: Notable, shown: Shown) -> Award:
    facts: dict[str, str | int] = {"called": shown.called, "game": notable.game_name}
    return Award(shown.player, facts, notable.hand, shown.cards, shown.plays_as)


@dataclass(frozen=True, slots=True)
class Definition:
    """An achievement's definition. `takes` describes the requirements.

    An achievement that is `of_the_table` goes only to the best players. All players can earn the
    other achievements.
    """

    code: str
    title: str | Promise
    sentence: str | Promise
    takes: str | Promise
    badge: str
    rule: Rule
    of_the_table: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Achievement:
    """A player's achievement. `facts` fill in the sentence, and `cards` are the cards to show."""

    code: str
    title: str
    sentence: str
    takes: str
    badge: str
    player: UUID
    name: str
    facts: dict[str, str | int]
    of_the_table: bool
    hand: UUID | None = None
    cards: tuple[str, ...] = ()
    plays_as: dict[str, str] = field(default_factory=dict)


DEFINITIONS = (
    Definition(
        "best-hand",
        _("Best hand"),
        _("%(name)s showed the best hand: %(called)s, at %(game)s."),
        _("show the strongest hand in a game without wild cards"),
        "crown",
        best_hand,
        of_the_table=True,
    ),
    Definition(
        "both-ways",
        _("Both ways"),
        _("%(name)s declared both ways at %(game)s and scooped %(chips)s chips."),
        _("declare both ways and take the whole pot"),
        "arrows",
        both_ways,
    ),
    Definition(
        "comeback",
        _("Back from the dead"),
        _("At %(night)s, %(name)s was %(down)s chips down and finished first."),
        _("be last halfway through a night and finish first"),
        "phoenix",
        comeback,
    ),
    Definition(
        "hands-in-a-row",
        _("On a rush"),
        _("%(name)s won %(hands)s hands in a row at %(night)s."),
        _("win the most hands in a row in one night, at least three"),
        "flame",
        hands_in_a_row,
        of_the_table=True,
    ),
    Definition(
        "best-night",
        _("Night of the season"),
        _("%(name)s carried %(chips)s chips home from %(night)s."),
        _("win the most in one night"),
        "moon",
        best_night,
        of_the_table=True,
    ),
    Definition(
        "worst-night",
        _("Table sponsor"),
        _("%(name)s lost %(chips)s chips at %(night)s. The table says thank you."),
        _("lose the most in one night"),
        "pizza",
        worst_night,
        of_the_table=True,
    ),
    Definition(
        "biggest-pot",
        _("Biggest pot"),
        _("%(names)s won the biggest pot: %(chips)s chips at %(game)s."),
        _("win the biggest pot"),
        "chips",
        biggest_pot,
        of_the_table=True,
    ),
    Definition(
        "bad-beat",
        _("Bad beat"),
        _("%(name)s had %(called)s at %(game)s and lost."),
        _("show the strongest losing hand in a game without wild cards"),
        "bolt",
        worst_beat,
        of_the_table=True,
    ),
    Definition(
        "beat-survived",
        _("Unbroken"),
        _("%(name)s lost with %(called)s and still won %(chips)s chips that night."),
        _("lose with one of the strongest hands and still end the night ahead"),
        "shield",
        survived_beat,
    ),
    Definition(
        "landlord",
        _("Landlord"),
        _("%(name)s collected %(chips)s chips of rent from %(other)s."),
        _("win the most from one player"),
        "key",
        landlord,
        of_the_table=True,
    ),
    Definition(
        "specialist",
        _("House speciality"),
        _("%(name)s owns %(game)s: %(chips)s chips over %(hands)s hands."),
        _("win the most at one game, over at least ten hands"),
        "star",
        specialist,
        of_the_table=True,
    ),
    Definition(
        "dealers-luck",
        _("Dealer's luck"),
        _("%(name)s dealt %(hands)s hands and won %(chips)s chips in them."),
        _("win the most as dealer, over at least ten hands"),
        "clover",
        dealers_luck,
        of_the_table=True,
    ),
    Definition(
        "mind-reader",
        _("Mind reader"),
        _("%(name)s declared right %(right)s times out of %(hands)s."),
        _("get at least seven of ten declarations right"),
        "eye",
        mind_reader,
    ),
    Definition(
        "games-in-a-night",
        _("Dealer's choice, my chips"),
        _("%(name)s won at %(games)s different games at %(night)s."),
        _("win at the most different games in one night, at least three"),
        "fan",
        games_in_a_night,
        of_the_table=True,
    ),
    Definition(
        "nights-in-a-row",
        _("Winning streak"),
        _("%(name)s won %(nights)s nights in a row."),
        _("win three nights in a row"),
        "flame",
        nights_in_a_row,
    ),
    Definition(
        "even-night",
        _("Much ado about nothing"),
        _("%(name)s played %(hands)s hands at %(night)s and went home even."),
        _("end a night of at least ten hands exactly even"),
        "scales",
        even_night,
    ),
    Definition(
        "never-missed",
        _("Part of the furniture"),
        _("%(name)s was there for all %(nights)s nights."),
        _("play every night (three or more)"),
        "chair",
        never_missed,
    ),
    Definition(
        "hands",
        _("Hands dealt"),
        _("%(name)s has been dealt %(hands)s hands."),
        _("play 100, 500 or 1,000 hands"),
        "fan",
        hands_reached,
    ),
    Definition(
        "first-win",
        _("First win"),
        _("%(name)s won a night for the first time: %(chips)s chips at %(night)s."),
        _("end a night ahead"),
        "moon",
        first_win,
    ),
    Definition(
        "first-night",
        _("First night"),
        _("%(name)s played for the first time at %(night)s."),
        _("play your first hand"),
        "chair",
        first_night,
    ),
)


def achievements(scope: Scope, *, state: LeagueState | None = None) -> list[Achievement]:
    """Return all achievements in the order of DEFINITIONS, then by player name."""
    state = state or league_state(scope.league)
    return list(awarded(season_facts(scope, state)))


def awarded(season: SeasonFacts) -> Iterator[Achievement]:
    names = season.names
    for definition in DEFINITIONS:
        first: dict[UUID, Award] = {}  # an achievement that is repeated is listed only once
        for award in definition.rule(season):
            first.setdefault(award.player, award)
        for player in sorted(first, key=lambda player: (name_order(names[player]), player)):
            award = first[player]
            words = {
                key: f"{value:,}" if isinstance(value, int) else value
                for key, value in award.facts.items()
            }
            if "called" in words:
                words["called"] = hand_phrase(words["called"])
            if "night" in words:
                words["night"] = name_in_words(words["night"])
            yield Achievement(
                code=definition.code,
                title=str(definition.title),
                sentence=str(definition.sentence) % {"name": names[player], **words},
                takes=str(definition.takes),
                badge=definition.badge,
                player=player,
                name=names[player],
                facts=award.facts,
                of_the_table=definition.of_the_table,
                hand=award.hand,
                cards=award.cards,
                plays_as=award.plays_as,
            )

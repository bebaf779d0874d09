"""Achievements of players: computed from counted hands, never stored, so a void removes them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.stats.figures import award_rules as rules
from league.stats.figures.award_rules import Award, Rule
from league.stats.figures.season_facts import SeasonFacts, season_facts
from league.stats.league_state import LeagueState, league_state
from league.stats.scopes import Scope


@dataclass(frozen=True, slots=True)
class Definition:
    """An achievement: its title, the sentence for whoever has it, what it takes, its badge.

    There is one `of_the_table` to win, shared by those who are equal; others are anybody's.
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
    """A player's achievement. `facts` are what the sentence is made of; `cards` what was shown."""

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
        _("the strongest hand shown at any game in which nothing is wild"),
        "crown",
        rules.best_hand,
        of_the_table=True,
    ),
    Definition(
        "both-ways",
        _("Both ways"),
        _("%(name)s declared both ways at %(game)s and scooped %(chips)s chips."),
        _("declare both ways and take the whole pot"),
        "arrows",
        rules.both_ways,
    ),
    Definition(
        "comeback",
        _("Back from the dead"),
        _("%(name)s was last at %(night)s, %(down)s chips down, and went home first."),
        _("be the lowest of the table after half of a night and end it as the highest"),
        "phoenix",
        rules.comeback,
    ),
    Definition(
        "hands-in-a-row",
        _("On a rush"),
        _("%(name)s won %(hands)s hands in a row at %(night)s."),
        _("the most hands won in a row within a night, three at least"),
        "flame",
        rules.hands_in_a_row,
        of_the_table=True,
    ),
    Definition(
        "best-night",
        _("Night of the season"),
        _("%(name)s carried %(chips)s chips home from %(night)s."),
        _("the most won in one night"),
        "moon",
        rules.best_night,
        of_the_table=True,
    ),
    Definition(
        "worst-night",
        _("Paid for the pizza"),
        _("%(name)s left %(chips)s chips on the table at %(night)s. Thank you."),
        _("the most lost in one night"),
        "pizza",
        rules.worst_night,
        of_the_table=True,
    ),
    Definition(
        "biggest-pot",
        _("Biggest pot"),
        _("%(name)s dragged in the biggest pot: %(chips)s chips at %(game)s."),
        _("win of the biggest pot"),
        "chips",
        rules.biggest_pot,
        of_the_table=True,
    ),
    Definition(
        "bad-beat",
        _("Bad beat"),
        _("%(name)s held %(called)s at %(game)s, and lost."),
        _("the strongest hand that lost, where nothing is wild"),
        "bolt",
        rules.worst_beat,
        of_the_table=True,
    ),
    Definition(
        "beat-survived",
        _("Unbroken"),
        _("%(name)s lost with %(called)s and still won %(chips)s chips that night."),
        _("take one of the worst beats and end the night ahead"),
        "shield",
        rules.survived_beat,
    ),
    Definition(
        "landlord",
        _("Landlord"),
        _("%(name)s collected %(chips)s chips of rent from %(other)s."),
        _("the most won from one other player"),
        "key",
        rules.landlord,
        of_the_table=True,
    ),
    Definition(
        "specialist",
        _("House specialty"),
        _("%(name)s owns %(game)s: %(chips)s chips over %(hands)s hands."),
        _("the most won at one game, over ten hands at least"),
        "star",
        rules.specialist,
        of_the_table=True,
    ),
    Definition(
        "dealers-luck",
        _("Dealer's luck"),
        _("%(name)s dealt %(hands)s hands and won %(chips)s chips at them."),
        _("the most won as the dealer, over ten hands at least"),
        "clover",
        rules.dealers_luck,
        of_the_table=True,
    ),
    Definition(
        "mind-reader",
        _("Mind reader"),
        _("%(name)s declared right %(right)s times of %(hands)s."),
        _("seven declares of ten right, over ten at least"),
        "eye",
        rules.mind_reader,
    ),
    Definition(
        "games-in-a-night",
        _("Dealer's choice, my chips"),
        _("%(name)s won at %(games)s different games at %(night)s."),
        _("hands won at the most different games in one night, three at least"),
        "fan",
        rules.games_in_a_night,
        of_the_table=True,
    ),
    Definition(
        "nights-in-a-row",
        _("Winning streak"),
        _("%(name)s won %(nights)s nights in a row."),
        _("win three nights in a row"),
        "flame",
        rules.nights_in_a_row,
    ),
    Definition(
        "even-night",
        _("Much ado about nothing"),
        _("%(name)s played %(hands)s hands at %(night)s and went home even."),
        _("end a night of ten hands with exactly nothing"),
        "scales",
        rules.even_night,
    ),
    Definition(
        "never-missed",
        _("Part of the furniture"),
        _("%(name)s was there at every one of %(nights)s nights."),
        _("miss no night, of three at least"),
        "chair",
        rules.never_missed,
    ),
    Definition(
        "hands",
        _("Hands dealt"),
        _("%(name)s has been dealt %(hands)s hands."),
        _("be dealt 100, 500 or 1,000 hands"),
        "fan",
        rules.hands_reached,
    ),
    Definition(
        "first-win",
        _("First win"),
        _("%(name)s won a night for the first time: %(chips)s chips at %(night)s."),
        _("end a night ahead"),
        "moon",
        rules.first_win,
    ),
    Definition(
        "first-night",
        _("Took a seat"),
        _("%(name)s first sat down at %(night)s."),
        _("be dealt a hand"),
        "chair",
        rules.first_night,
    ),
)


def achievements(scope: Scope, *, state: LeagueState | None = None) -> list[Achievement]:
    """Return all achievements, in the order of the definitions, then by name."""
    state = state or league_state(scope.league)
    return list(awarded(season_facts(scope, state)))


def awarded(told: SeasonFacts) -> Iterator[Achievement]:
    """Yield what everybody achieved of what is counted."""
    for definition in DEFINITIONS:
        first: dict[UUID, Award] = {}  # a repeated achievement is listed once
        for award in definition.rule(told):
            first.setdefault(award.player, award)
        awards = first.values()
        for award in sorted(awards, key=lambda each: _place(told, each)):
            yield _achievement(definition, award, told.names[award.player])


def _place(told: SeasonFacts, award: Award) -> tuple[str, UUID]:
    return told.names[award.player].lower(), award.player


def _achievement(definition: Definition, award: Award, name: str) -> Achievement:
    return Achievement(
        code=definition.code,
        title=str(definition.title),
        sentence=str(definition.sentence) % {"name": name, **_written(award)},
        takes=str(definition.takes),
        badge=definition.badge,
        player=award.player,
        name=name,
        facts=award.facts,
        of_the_table=definition.of_the_table,
        hand=award.hand,
        cards=award.cards,
        plays_as=award.plays_as,
    )


def _written(award: Award) -> dict[str, str]:
    return {
        key: f"{value:,}" if isinstance(value, int) else value for key, value in award.facts.items()
    }

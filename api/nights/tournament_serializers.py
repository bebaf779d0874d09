"""The request and response bodies for tournaments: settings, events, seats, clock and results."""

from typing import Any

from rest_framework import serializers

from api.http.fields import (
    Id,
    InputSerializer,
    OutputSerializer,
    RowSerializer,
    StrictBoolean,
    StrictInteger,
    Text,
    created_field,
    name_field,
)
from league.models import (
    LONGEST_GAME_NAME,
    LONGEST_NAME,
    MOST_CHIPS,
    Tournament,
    TournamentEvent,
)
from league.tournaments.clock import MOST_LEVELS
from league.tournaments.events import MOST_KNOCKERS
from league.tournaments.making import MOST_PARTS, MOST_SEATS_AT_A_TABLE
from league.tournaments.seating import MOST_TABLES

SEATING_METHODS = [("draw", "draw"), ("balance", "balance")]
LONGEST_LEVEL = 240 * 60  # seconds per level
PAYOUTS = "percent of the pool by place, first place first; the default if empty"
MOST_PLAYERS = MOST_TABLES * MOST_SEATS_AT_A_TABLE


class LevelSerializer(OutputSerializer):
    """A level, or a break without blinds. `game_name` is empty for dealer's choice."""

    duration_seconds = serializers.IntegerField(source="seconds")
    small = serializers.IntegerField()
    big = serializers.IntegerField()
    ante = serializers.IntegerField()
    game_name = serializers.CharField(source="game")


class TournamentPlayerSerializer(OutputSerializer):
    """A player who has entered. `table` and `seat` are set once drawn."""

    player = serializers.UUIDField()
    player_name = serializers.CharField()
    playing = serializers.BooleanField()
    rebuys = serializers.IntegerField()
    add_ons = serializers.IntegerField()
    bounties = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)


class TournamentResultSerializer(OutputSerializer):
    """The league chips that a player paid and won."""

    player = serializers.UUIDField()
    player_name = serializers.CharField()
    place = serializers.IntegerField()
    paid = serializers.IntegerField()
    prize = serializers.IntegerField()
    bounties = serializers.IntegerField()
    net = serializers.IntegerField()


class TournamentEventSerializer(RowSerializer[TournamentEvent]):
    player_name = name_field("player", nullable=True)
    created_at = created_field()

    class Meta:
        model = TournamentEvent
        fields = (
            "id",
            "number",
            "kind",
            "player",
            "player_name",
            "knocked_out_by",
            "table",
            "seat",
            "undoes",
            "created_at",
        )


class TournamentSerializer(RowSerializer[Tournament]):
    """A tournament's settings. It has a `charge` once it is over."""

    levels = LevelSerializer(many=True, read_only=True)
    late_entry_levels = serializers.IntegerField(source="late_until", read_only=True)
    payouts = serializers.ListField(
        source="parts", child=serializers.IntegerField(), read_only=True, help_text=PAYOUTS
    )
    seats_per_table = serializers.IntegerField(source="seats", read_only=True)
    cancelled_at = serializers.DateTimeField(
        source="called_off_at", allow_null=True, read_only=True
    )
    created_at = created_field()

    class Meta:
        model = Tournament
        fields: tuple[str, ...] = (
            "id",
            "night",
            "name",
            "entry",
            "rebuy",
            "add_on",
            "bounty",
            "stack",
            "rebuy_stack",
            "add_on_stack",
            "levels",
            "late_entry_levels",
            "payouts",
            "round_to",
            "seats_per_table",
            "cancelled_at",
            "charge",
            "created_at",
        )


class TournamentDetailSerializer(TournamentSerializer):
    """A tournament with its state. Times are in whole seconds, and levels start at 0.

    `late_entry` is true while players can still enter. `prizes` are listed by place, based on the
    current pool.
    """

    running = serializers.BooleanField(read_only=True)
    elapsed_seconds = serializers.IntegerField(read_only=True)
    level = serializers.IntegerField(read_only=True)
    level_left_seconds = serializers.IntegerField(read_only=True)
    late_entry = serializers.BooleanField(read_only=True)
    pool = serializers.IntegerField(read_only=True)
    prizes = serializers.ListField(child=serializers.IntegerField(), read_only=True)
    chips_in_play = serializers.IntegerField(read_only=True)
    average_stack = serializers.IntegerField(read_only=True)
    players = TournamentPlayerSerializer(many=True, read_only=True)
    events = TournamentEventSerializer(many=True, read_only=True)
    results = TournamentResultSerializer(many=True, read_only=True)

    class Meta(TournamentSerializer.Meta):
        fields = (
            *TournamentSerializer.Meta.fields,
            *("running", "elapsed_seconds", "level", "level_left_seconds", "late_entry"),
            *("pool", "prizes", "chips_in_play", "average_stack", "players", "events", "results"),
        )


class LevelInputSerializer(InputSerializer):
    duration_seconds = StrictInteger(source="seconds", min_value=60, max_value=LONGEST_LEVEL)
    small = StrictInteger(default=0, min_value=0, max_value=MOST_CHIPS)
    big = StrictInteger(default=0, min_value=0, max_value=MOST_CHIPS, help_text="0: a break")
    ante = StrictInteger(default=0, min_value=0, max_value=MOST_CHIPS)
    game_name = Text(source="game", default="", allow_blank=True, max_length=LONGEST_GAME_NAME)


def _chips(least: int = 0, **options: Any) -> StrictInteger:
    return StrictInteger(min_value=least, max_value=MOST_CHIPS, **options)


class TournamentUpdateInputSerializer(InputSerializer):
    name = Text(default="", allow_blank=True, max_length=LONGEST_NAME)
    entry = _chips(1, help_text="price in chips of the league, like all prices and prizes")
    rebuy = _chips(default=0)
    add_on = _chips(default=0)
    bounty = _chips(default=0, help_text="added to the entry, for the player who knocks one out")
    stack = _chips(1, help_text="chips of the tournament")
    rebuy_stack = _chips(default=0)
    add_on_stack = _chips(default=0)
    levels = serializers.ListField(
        child=LevelInputSerializer(), min_length=1, max_length=MOST_LEVELS
    )
    late_entry_levels = StrictInteger(
        source="late_until",
        default=0,
        min_value=0,
        max_value=MOST_LEVELS,
        help_text="levels during which players may enter; 0: all",
    )
    payouts = serializers.ListField(
        source="parts",
        child=StrictInteger(min_value=1, max_value=100),
        default=list,
        max_length=MOST_PARTS,
        help_text=PAYOUTS,
    )
    round_to = _chips(1, default=1, help_text="prizes are multiples of this number of chips")
    seats_per_table = StrictInteger(
        source="seats", default=9, min_value=2, max_value=MOST_SEATS_AT_A_TABLE
    )


class TournamentInputSerializer(TournamentUpdateInputSerializer):
    id = Id()


class TournamentEventInputSerializer(InputSerializer):
    """An event. `out` uses the players in `knocked_out_by`, `undo` uses the event it `undoes`."""

    id = Id()
    kind = serializers.ChoiceField(TournamentEvent.Kind.choices)
    player = Id(required=False)
    knocked_out_by = serializers.ListField(child=Id(), default=list, max_length=MOST_KNOCKERS)
    table = StrictInteger(required=False, min_value=1, max_value=MOST_TABLES)
    seat = StrictInteger(required=False, min_value=1, max_value=MOST_SEATS_AT_A_TABLE)
    undoes = Id(required=False)


class ClockInputSerializer(InputSerializer):
    """`level` sets the clock to the start of that level, where 0 is the first level."""

    running = StrictBoolean(required=False)
    level = StrictInteger(required=False, min_value=0, max_value=MOST_LEVELS)


class SeatingInputSerializer(InputSerializer):
    """`draw` all seats, or `balance` the tables with as few moves as possible."""

    id = Id()
    method = serializers.ChoiceField(SEATING_METHODS)


class DealPartSerializer(InputSerializer):
    player = Id()
    chips = _chips()


class TournamentEndInputSerializer(InputSerializer):
    """`deal` is each remaining player's share, first place first. It is empty for one player."""

    deal = serializers.ListField(child=DealPartSerializer(), default=list, max_length=MOST_PLAYERS)


class StacksInputSerializer(InputSerializer):
    stacks = serializers.ListField(
        child=DealPartSerializer(), min_length=2, max_length=MOST_PLAYERS
    )


class DealPartOutputSerializer(OutputSerializer):
    """A player's share, in the form that `end` accepts."""

    player = serializers.UUIDField()
    chips = serializers.IntegerField()


class DealsSerializer(OutputSerializer):
    """Ways to split the remaining pool among the remaining players: by chips and by ICM."""

    chips = DealPartOutputSerializer(many=True)
    icm = DealPartOutputSerializer(many=True)

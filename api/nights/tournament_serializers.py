"""What is sent and answered about tournaments."""

from typing import Any

from rest_framework import serializers

from api.http.fields import (
    Id,
    InputSerializer,
    OutputSerializer,
    StrictBoolean,
    StrictInteger,
    Text,
)
from league.models import (
    LONGEST_GAME_NAME,
    LONGEST_NAME,
    MOST_CHIPS,
    Tournament,
    TournamentEvent,
)
from league.tournaments.events import MOST_KNOCKERS
from league.tournaments.levels import MOST_LEVELS
from league.tournaments.making import MOST_PARTS, MOST_SEATS_AT_A_TABLE
from league.tournaments.seating import MOST_TABLES

SEATING_METHODS = [("draw", "draw"), ("balance", "balance")]
LONGEST_LEVEL = 240 * 60  # seconds
MOST_PLAYERS = MOST_TABLES * MOST_SEATS_AT_A_TABLE


class LevelSerializer(OutputSerializer):
    """A level, or a break: then there are no blinds. `game` is empty for dealer's choice."""

    seconds = serializers.IntegerField()
    small = serializers.IntegerField()
    big = serializers.IntegerField()
    ante = serializers.IntegerField()
    game = serializers.CharField()


class TournamentPlayerSerializer(OutputSerializer):
    """Somebody who has entered; `table` and `seat` once they are drawn."""

    player = serializers.UUIDField()
    name = serializers.CharField()
    playing = serializers.BooleanField()
    rebuys = serializers.IntegerField()
    add_ons = serializers.IntegerField()
    bounties = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)


class TournamentResultSerializer(OutputSerializer):
    """What a player paid and won, in chips of the league."""

    player = serializers.UUIDField()
    place = serializers.IntegerField()
    paid = serializers.IntegerField()
    prize = serializers.IntegerField()
    bounties = serializers.IntegerField()
    net = serializers.IntegerField()


class TournamentEventSerializer(serializers.ModelSerializer[TournamentEvent]):
    class Meta:
        model = TournamentEvent
        fields = (
            "id",
            "number",
            "kind",
            "player",
            "knocked_out_by",
            "table",
            "seat",
            "undoes",
            "made_at",
        )
        read_only_fields = fields


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    """A tournament as it was made. It is over where a `charge` stands for its result."""

    levels = LevelSerializer(many=True, read_only=True)
    parts = serializers.ListField(child=serializers.IntegerField(), read_only=True)

    class Meta:
        model = Tournament
        fields = (
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
            "late_until",
            "parts",
            "round_to",
            "seats",
            "called_off_at",
            "charge",
            "made_at",
        )
        read_only_fields = fields


class TournamentStateSerializer(OutputSerializer):
    """How a tournament stands. The clock has `passed` so many milliseconds, as the answer left.

    `late`: whoever comes may still enter. `prizes` are those by place as the pool is now.
    """

    tournament = TournamentSerializer()
    runs = serializers.BooleanField()
    passed = serializers.IntegerField()
    level = serializers.IntegerField(source="moment.number")
    level_left = serializers.IntegerField(source="moment.left")
    late = serializers.BooleanField(source="may_enter")
    pool = serializers.IntegerField(source="field.pool")
    prizes = serializers.ListField(child=serializers.IntegerField())
    chips_in_play = serializers.IntegerField(source="field.chips_in_play")
    average = serializers.IntegerField(source="field.average")
    players = TournamentPlayerSerializer(many=True)
    events = TournamentEventSerializer(many=True)
    results = TournamentResultSerializer(many=True)


class LevelInputSerializer(InputSerializer):
    seconds = StrictInteger(min_value=60, max_value=LONGEST_LEVEL)
    small = StrictInteger(default=0, min_value=0, max_value=MOST_CHIPS)
    big = StrictInteger(default=0, min_value=0, max_value=MOST_CHIPS, help_text="0: a break")
    ante = StrictInteger(default=0, min_value=0, max_value=MOST_CHIPS)
    game = Text(default="", allow_blank=True, max_length=LONGEST_GAME_NAME)


def _chips(least: int = 0, **options: Any) -> StrictInteger:
    return StrictInteger(min_value=least, max_value=MOST_CHIPS, **options)


class TournamentDetailsSerializer(InputSerializer):
    name = Text(default="", allow_blank=True, max_length=LONGEST_NAME)
    entry = _chips(1, help_text="chips of the league, as all that is paid and won")
    rebuy = _chips(default=0)
    add_on = _chips(default=0)
    bounty = _chips(default=0, help_text="paid beside the entry, to whoever knocks one out")
    stack = _chips(1, help_text="chips of the tournament")
    rebuy_stack = _chips(default=0)
    add_on_stack = _chips(default=0)
    levels = serializers.ListField(
        child=LevelInputSerializer(), min_length=1, max_length=MOST_LEVELS
    )
    late_until = StrictInteger(
        default=0, min_value=0, max_value=MOST_LEVELS, help_text="levels; 0: always"
    )
    parts = serializers.ListField(
        child=StrictInteger(min_value=1, max_value=100),
        default=list,
        max_length=MOST_PARTS,
        help_text="percent of the pool by place; the usual ones where none are told",
    )
    round_to = _chips(1, default=1)
    seats = StrictInteger(default=9, min_value=2, max_value=MOST_SEATS_AT_A_TABLE)


class TournamentInputSerializer(TournamentDetailsSerializer):
    id = Id()


class TournamentEventInputSerializer(InputSerializer):
    """`out` names who did it in `knocked_out_by`; `undo` names the event that was wrong."""

    id = Id()
    kind = serializers.ChoiceField(TournamentEvent.Kind.choices)
    player = Id(required=False)
    knocked_out_by = serializers.ListField(child=Id(), default=list, max_length=MOST_KNOCKERS)
    table = StrictInteger(required=False, min_value=1, max_value=MOST_TABLES)
    seat = StrictInteger(required=False, min_value=1, max_value=MOST_SEATS_AT_A_TABLE)
    undoes = Id(required=False)


class ClockInputSerializer(InputSerializer):
    """`level`: set the clock to the beginning of that level, the first one being 0."""

    runs = StrictBoolean(required=False)
    level = StrictInteger(required=False, min_value=0, max_value=MOST_LEVELS)


class SeatingInputSerializer(InputSerializer):
    """`draw`: all sit anew; `balance`: as few move as make the tables even."""

    id = Id()
    how = serializers.ChoiceField(SEATING_METHODS)


class DealPartSerializer(InputSerializer):
    player = Id()
    chips = _chips()


class TournamentEndInputSerializer(InputSerializer):
    """`deal`: what each one gets who is still in, the first place first; none where one is left."""

    deal = serializers.ListField(child=DealPartSerializer(), default=list, max_length=MOST_PLAYERS)


class StacksInputSerializer(InputSerializer):
    stacks = serializers.ListField(
        child=DealPartSerializer(), min_length=2, max_length=MOST_PLAYERS
    )


class DealPartOutputSerializer(OutputSerializer):
    player = serializers.UUIDField()
    chips = serializers.IntegerField()


class DealsSerializer(OutputSerializer):
    """What those who are in would get of what is left of the pool: by chips, and by ICM."""

    chips = DealPartOutputSerializer(many=True)
    icm = DealPartOutputSerializer(many=True)

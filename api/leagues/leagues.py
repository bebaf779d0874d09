"""Leagues, their settings and their activity log."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from api.http import paging
from api.http.authentication import visitor_of
from api.http.errors import BadQueryError
from api.http.fields import (
    DateTime,
    Id,
    InputSerializer,
    OutputSerializer,
    RowSerializer,
    StrictBoolean,
    StrictInteger,
    Text,
    name_field,
)
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource
from api.leagues.players import league_player
from api.openapi.schema import operation
from league.access import (
    Action,
    Bearer,
    find_league,
    leagues_of,
    may_invite,
    with_roles,
)
from league.audit_log import LoggedAction, logged_actions
from league.chips import COLOUR_NAMES, MOST_PIECES
from league.common.errors import problem
from league.models import (
    LONGEST_NAME,
    MOST_CHIPS,
    Corrections,
    Inviters,
    JoinedAccess,
    League,
    LeftoverPolicy,
    LimitPolicy,
    SettlementPeriod,
    UncountedPolicy,
)
from league.options import (
    MOST_BETWEEN_BOMB_POTS,
    MOST_DENOMINATIONS,
    MOST_LEAVE_NOTICE,
    MOST_REBUYS,
    change,
)
from league.people.leagues import make_league


class ChipColourSerializer(OutputSerializer):
    """The chips of one colour: `count` pieces, each worth `value` of the smallest chip."""

    colour = serializers.ChoiceField(COLOUR_NAMES)
    value = serializers.IntegerField()
    count = serializers.IntegerField()


class ChipColourInputSerializer(InputSerializer):
    colour = serializers.ChoiceField(COLOUR_NAMES)
    value = StrictInteger(min_value=1, max_value=MOST_CHIPS)
    count = StrictInteger(min_value=1, max_value=MOST_PIECES)


class LeagueSerializer(RowSerializer[League]):
    """A league. `chip_value` is the value of the smallest chip in minor currency units.

    `code` is null for members who may not invite.
    """

    code = serializers.SerializerMethodField()
    settlement = serializers.ChoiceField(SettlementPeriod.choices, source="settles", read_only=True)
    uncounted_chips_policy = serializers.ChoiceField(
        UncountedPolicy.choices, source="uncounted", read_only=True
    )
    carried_pot_policy = serializers.ChoiceField(
        LeftoverPolicy.choices, source="leftover", read_only=True
    )
    banker_name = name_field("banker", nullable=True)
    joined_access = serializers.ChoiceField(JoinedAccess.choices, source="joined", read_only=True)
    requires_approval = serializers.BooleanField(source="approves", read_only=True)
    denominations = serializers.ListField(child=serializers.IntegerField(), read_only=True)
    chip_set = ChipColourSerializer(many=True, read_only=True)
    minimum_payment = serializers.IntegerField(source="waits_below", read_only=True)
    fund_contribution = serializers.IntegerField(source="fund_each", read_only=True)
    fund_keeper_name = name_field("fund_keeper", nullable=True)

    class Meta:
        model = League
        fields = (
            "id",
            "name",
            "currency",
            "time_zone",
            "chip_value",
            "code",
            "closing_hour",
            "settlement",
            "uncounted_chips_policy",
            "carried_pot_policy",
            "banker",
            "banker_name",
            "joined_access",
            "corrections",
            "inviters",
            "requires_approval",
            "denominations",
            "chip_set",
            "charge_limit",
            "minimum_payment",
            "seven_deuce",
            "high_hand",
            "season_high_hand",
            "bad_beat",
            "fund_contribution",
            "fund_keeper",
            "fund_keeper_name",
            "stand_up",
            "bomb_pot_every",
            "bomb_pot_ante",
            "least_buy_in",
            "most_buy_in",
            "most_rebuys",
            "match_biggest_stack",
            "leave_notice",
            "limits",
            "created_at",
        )

    def get_code(self, league: League) -> str | None:
        return league.code if may_invite(visitor_of(self.context["request"]), league) else None


class LeagueInputSerializer(InputSerializer):
    name = Text(max_length=LONGEST_NAME)
    currency = serializers.RegexField("^[A-Z]{3}$", default="USD", help_text="three letters")
    time_zone = Text(default="UTC", max_length=64, help_text="as Europe/Berlin")
    chip_value = StrictInteger(default=1, min_value=1, max_value=MOST_CHIPS)


def _chips(help_text: str, **options: Any) -> StrictInteger:
    return StrictInteger(
        required=False, min_value=0, max_value=MOST_CHIPS, help_text=help_text, **options
    )


class LeagueSettingsInputSerializer(InputSerializer):
    """The settings to change. Omitted fields keep their values."""

    closing_hour = StrictInteger(required=False, min_value=0, max_value=23)
    settlement = serializers.ChoiceField(
        SettlementPeriod.choices,
        source="settles",
        required=False,
        help_text="when payments are planned",
    )
    uncounted_chips_policy = serializers.ChoiceField(
        UncountedPolicy.choices,
        source="uncounted",
        required=False,
        help_text="whether uncounted chips wait for a count, or are as the hands leave them",
    )
    carried_pot_policy = serializers.ChoiceField(
        LeftoverPolicy.choices,
        source="leftover",
        required=False,
        help_text="whether a carried pot goes back to its players or stays for the next night",
    )
    banker = Id(required=False, allow_null=True)
    time_zone = Text(required=False, max_length=64)
    currency = serializers.RegexField("^[A-Z]{3}$", required=False)
    chip_value = StrictInteger(required=False, min_value=1, max_value=MOST_CHIPS)
    joined_access = serializers.ChoiceField(
        JoinedAccess.choices,
        source="joined",
        required=False,
        help_text="what devices that joined by the code may do",
    )
    corrections = serializers.ChoiceField(
        Corrections.choices, required=False, help_text="who corrects hands of closed nights"
    )
    inviters = serializers.ChoiceField(
        Inviters.choices, required=False, help_text="who may see the join code besides hosts"
    )
    requires_approval = StrictBoolean(
        source="approves",
        required=False,
        help_text="a host accepts devices that join by the code",
    )
    denominations = serializers.ListField(
        child=StrictInteger(min_value=1, max_value=MOST_CHIPS),
        required=False,
        min_length=1,
        max_length=MOST_DENOMINATIONS,
        help_text="values of the chips on the table, in the smallest chip",
    )
    chip_set = serializers.ListField(
        child=ChipColourInputSerializer(),
        required=False,
        max_length=len(COLOUR_NAMES),
        help_text="the chips by colour, each colour and value once; empty for no set",
    )
    charge_limit = _chips(
        "larger charges on another player must be accepted by that player or a host"
    )
    minimum_payment = _chips(
        "smaller payments are carried over to the next night", source="waits_below"
    )
    seven_deuce = _chips(
        "chips that each other player in the hand pays to a player who wins with 7-2"
    )
    high_hand = _chips("chips that each player of a night pays to its high hand")
    season_high_hand = _chips("chips that the fund pays to the high hand of an ended season")
    bad_beat = _chips(
        "chips that the fund pays to a player who loses with four of a kind or better"
    )
    fund_contribution = _chips(
        "chips that each player pays into the season's fund each night", source="fund_each"
    )
    fund_keeper = Id(
        required=False, allow_null=True, help_text=("the player who keeps the fund's money")
    )
    stand_up = _chips(
        "chips that the last player standing in the stand-up game pays to each of the others"
    )
    bomb_pot_every = StrictInteger(
        required=False,
        min_value=0,
        max_value=MOST_BETWEEN_BOMB_POTS,
        help_text="number of hands from one bomb pot to the next; 0 for no bomb pots",
    )
    bomb_pot_ante = _chips("ante of each player in a bomb pot, in chips")
    least_buy_in = _chips("smallest stack after a buy-in, in chips; 0 for no limit")
    most_buy_in = _chips("largest stack after a buy-in, in chips; 0 for no limit")
    most_rebuys = StrictInteger(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_REBUYS,
        help_text="maximum number of rebuys per player and night; null for no limit",
    )
    match_biggest_stack = StrictBoolean(
        required=False,
        help_text="a buy-in may match the biggest stack at the table",
    )
    leave_notice = StrictInteger(
        required=False,
        min_value=0,
        max_value=MOST_LEAVE_NOTICE,
        help_text="minutes of notice before a player leaves; 0 for none",
    )
    limits = serializers.ChoiceField(
        LimitPolicy.choices,
        required=False,
        help_text="who may exceed the limits with `beyond_limits`: everyone, or only hosts",
    )


class Leagues(ListResource[League]):
    """The caller's leagues."""

    operation_id = "list_leagues"
    serializer_class = LeagueSerializer
    pagination_class = paging.ByName
    queryset = League.objects.none()

    def get_queryset(self) -> QuerySet[League]:
        rows = leagues_of(self.visitor).select_related("banker", "fund_keeper")
        return with_roles(self.visitor, rows)

    @operation(
        "create_league",
        "Create a league with the caller as host",
        LeagueSerializer,
        body=LeagueInputSerializer,
        status=201,
    )
    @idempotent
    def post(self, request: Request) -> Response:
        if isinstance(self.visitor, Bearer):
            raise PermissionDenied("A token can only be used for its own league.")
        league = make_league(self.user, **self.validated_body(LeagueInputSerializer))
        at = reverse("api:league", args=[league.pk])
        return self.created(LeagueSerializer, league, at)


class LeagueDetail(Resource):
    @operation("get_league", "A league", LeagueSerializer)
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.VIEW, league_id)
        return Response(self.serialize(LeagueSerializer, league))

    @operation(
        "update_league",
        "Change the league's settings",
        LeagueSerializer,
        body=LeagueSettingsInputSerializer,
    )
    def patch(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        body: dict[str, Any] = self.validated_body(LeagueSettingsInputSerializer)
        for name in ("banker", "fund_keeper"):
            if body.get(name) is not None:
                body[name] = league_player(league, body[name], name)
        chosen = change(league, body, by=self.user)
        return Response(self.serialize(LeagueSerializer, chosen))


BEFORE, CURSOR, PAGE_SIZE = "before", "cursor", "page_size"
USUAL_SIZE, LARGEST_SIZE = 100, 200
LEAST_TIME = timedelta(microseconds=1)
LATEST = datetime(9999, 12, 30, tzinfo=UTC)
MOST_AT_ONE_TIME = 10_000  # maximum number of actions with the same timestamp
PARAMETERS = (
    OpenApiParameter(BEFORE, datetime, description="Only actions before this time."),
    OpenApiParameter(CURSOR, str, description="The cursor in `next` of the previous page."),
    OpenApiParameter(PAGE_SIZE, int, description=f"{USUAL_SIZE}, at most {LARGEST_SIZE}."),
)


class ActivitySerializer(OutputSerializer):
    """An action. `by` and `of` are user names or null."""

    created_at = serializers.DateTimeField()
    kind = serializers.CharField()
    by = serializers.CharField(allow_null=True)
    of = serializers.CharField(allow_null=True)
    about = serializers.DictField()


class ActivityPages(paging.Pages):
    page_size = USUAL_SIZE
    max_page_size = LARGEST_SIZE


class ActivityLog(Resource):
    """Actions of users, latest first. Pages can only be read forward."""

    parameters = frozenset((BEFORE, CURSOR, PAGE_SIZE))

    @operation(
        "list_activity",
        "The actions of users, latest first",
        paging.page_of(ActivitySerializer),
        parameters=PARAMETERS,
    )
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        size = ActivityPages().get_page_size(request)
        before, skipped = self._before(), 0
        if (cursor := self._cursor()) is not None:
            at, skipped = cursor
            before = min(at + LEAST_TIME, before or at + LEAST_TIME)
        actions = logged_actions(league, before=before, most=skipped + size + 1)
        read = actions[: skipped + size]
        rows = [
            {
                "created_at": action.at,
                "kind": action.kind,
                "about": action.about,
                "by": str(action.by) if action.by else None,
                "of": str(action.of) if action.of else None,
            }
            for action in read[skipped:]
        ]
        page = paging.single_page(self.serialize(ActivitySerializer, rows, many=True))
        if len(actions) > len(read):
            page["next"] = self._next(read)
        return Response(page)

    def _next(self, read: list[LoggedAction]) -> str:
        """Return the URL of the next page, with the number of actions read at the last time."""
        last = read[-1].at
        count = sum(action.at == last for action in read)
        cursor = paging.encode_cursor([last.isoformat(), count])
        return str(replace_query_param(self.request.build_absolute_uri(), CURSOR, cursor))

    def _cursor(self) -> tuple[datetime, int] | None:
        text = self.request.query_params.get(CURSOR)
        if text is None:
            return None
        try:
            at, count = paging.decode_cursor(text)
            moment = datetime.fromisoformat(at).astimezone(UTC)
            if not isinstance(count, int) or not 0 <= count <= MOST_AT_ONE_TIME:
                raise paging.BadCursorError
            return min(moment, LATEST), count
        except (ValueError, TypeError, OverflowError, RecursionError):
            raise paging.BadCursorError from None

    def _before(self) -> datetime | None:
        text = self.request.query_params.get(BEFORE)
        if text is None:
            return None
        try:
            before: datetime = DateTime().run_validation(text)
        except serializers.ValidationError as error:
            message = "this must be a time with its offset, such as 2026-11-21T20:00:00Z"
            raise BadQueryError([problem(BEFORE, "bad-time", message)]) from error
        return before

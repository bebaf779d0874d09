"""The figures of a league, a season or a player: the numbers on the statistics pages."""

from collections.abc import Callable, Iterable
from dataclasses import fields
from types import UnionType
from typing import Any, get_args, get_type_hints
from uuid import UUID

from drf_spectacular.utils import (
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
    extend_schema_view,
)
from rest_framework import serializers
from rest_framework.response import Response

from api.feeds.stats.scope import SEASON, Owner, ScopedResource
from api.http.fields import OutputSerializer
from api.http.resource import FIELDS
from league.models import League, Player
from league.stats.figures.all_ins import AllInFigures, all_ins
from league.stats.figures.betting import BettingFigures, betting, betting_seats
from league.stats.figures.games import BankFigures, Called, GameFigures, banks, by_dealer, games
from league.stats.figures.leaks import Leak, leaks
from league.stats.figures.players import (
    DeclarationFigures,
    Flow,
    LuckFigures,
    PlayerFigures,
    SeasonFigures,
    SeatFigures,
    declaration_figures,
    flows,
    luck,
    players,
    seasons,
    seats,
)
from league.stats.figures.records import (
    Notable,
    best_hands,
    biggest_pots,
    biggest_scoops,
    worst_beats,
)
from league.stats.figures.results_by_night import Form, forms
from league.stats.scopes import Scope

FIELD_OF: dict[type, Callable[..., Any]] = {
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    UUID: serializers.UUIDField,
}


def serializer_of(kind: type, component: str, *properties: str) -> type[OutputSerializer]:
    """Return a serializer for a class of figures, with its fields and the given properties.

    `name` becomes `player_name` or `game_name`. `moved` becomes the number of chips paid by
    mistake, either to the wrong players of a game or to the player.
    """
    hints = get_type_hints(kind)
    wanted = {each.name: hints[each.name] for each in fields(kind)}
    wanted |= {name: get_type_hints(getattr(kind, name).fget)["return"] for name in properties}
    read = {name: _field(hint) for name, hint in wanted.items() if name not in {"name", "moved"}}
    owner = "player" if "player" in wanted else "game"
    if "moved" in wanted:
        chips = "overpaid_chips" if owner == "player" else "mispaid_chips"
        read[chips] = _field(wanted["moved"], source="moved")
    if "name" in wanted:
        read[f"{owner}_name"] = _field(wanted["name"], source="name")
    return type(f"{component}Serializer", (OutputSerializer,), {"__doc__": kind.__doc__, **read})


def _field(hint: Any, **options: Any) -> serializers.Field[Any, Any, Any, Any]:
    maybe = isinstance(hint, UnionType)
    plain = get_args(hint)[0] if maybe else hint
    field: serializers.Field[Any, Any, Any, Any] = FIELD_OF[plain](allow_null=maybe, **options)
    return field


class WinnerSerializer(OutputSerializer):
    player = serializers.UUIDField()
    player_name = serializers.CharField()
    chips = serializers.IntegerField()


class ShownHandSerializer(OutputSerializer):
    """A hand as shown by a player. `plays_as` maps wild cards to the cards they represent."""

    player = serializers.UUIDField()
    player_name = serializers.CharField(source="name")
    way = serializers.CharField()
    cards = serializers.ListField(child=serializers.CharField())
    plays_as = serializers.DictField(child=serializers.CharField())
    called = serializers.CharField()


class NotableHandSerializer(OutputSerializer):
    """A record: the `chips` in a pot or scoop, and the hands involved."""

    hand = serializers.UUIDField()
    night = serializers.UUIDField()
    number = serializers.IntegerField()
    played_at = serializers.DateTimeField()
    game = serializers.CharField()
    game_name = serializers.CharField()
    chips = serializers.IntegerField()
    winners = serializers.SerializerMethodField()
    shown = ShownHandSerializer(many=True)

    @extend_schema_field(WinnerSerializer(many=True))
    def get_winners(self, row: Notable) -> list[dict[str, Any]]:
        named = (
            {"player": key, "player_name": name, "chips": won} for key, name, won in row.winners
        )
        return [dict(WinnerSerializer(each).data) for each in named]


BettingSerializer = serializer_of(
    BettingFigures,
    "BettingFigures",
    "vpip",
    "pfr",
    "three_bet",
    "wtsd",
    "won_at_showdown",
    "aggression",
)


class FiguresSerializer(OutputSerializer):
    """The figures. Rates are null if there was no opportunity.

    For a player, the lists of games and of notable hands are empty.
    """

    players = serializer_of(
        PlayerFigures,
        "PlayerFigures",
        "net_per_100",
        "net_per_hour",
        "showdown_rate",
        "high_rate",
        "low_rate",
        "scoop_rate",
    )(many=True)
    forms = serializer_of(Form, "PlayerForm", "attendance")(many=True)
    games = serializer_of(GameFigures, "GameFigures", "carry_rate", "mean_pot")(many=True)
    called = serializer_of(Called, "CalledGame")(many=True)
    declares = serializer_of(DeclarationFigures, "Declarations", "right_rate")(many=True)
    betting = BettingSerializer(many=True)
    betting_seats = BettingSerializer(many=True)
    seats = serializer_of(SeatFigures, "SeatFigures")(many=True)
    flows = serializer_of(Flow, "ChipFlow")(many=True)
    luck = serializer_of(LuckFigures, "LuckFigures", "luck")(many=True)
    seasons = serializer_of(SeasonFigures, "SeasonFigures", "net_per_night", "net_per_100")(
        many=True
    )
    all_ins = serializer_of(AllInFigures, "AllInFigures", "luck")(many=True)
    leaks = serializer_of(Leak, "Leak", "sentence", "how_sure")(many=True)
    banks = serializer_of(BankFigures, "BankFigures")(many=True)
    biggest_pots = NotableHandSerializer(many=True)
    biggest_scoops = NotableHandSerializer(many=True)
    worst_beats = NotableHandSerializer(many=True)
    best_hands = NotableHandSerializer(many=True)


Read = Callable[[Scope, UUID | None, str | None], Iterable[Any]]
READ: dict[str, Read] = {
    "players": lambda scope, player, game: players(scope, player=player, game=game),
    "forms": lambda scope, player, _: forms(scope, player=player),
    "games": lambda scope, player, game: [] if player else games(scope, game=game),
    "called": lambda scope, player, game: by_dealer(scope, player=player, game=game),
    "declares": lambda scope, player, _: declaration_figures(scope, player=player),
    "betting": lambda scope, player, game: betting(scope, player=player, game=game),
    "betting_seats": lambda scope, player, game: betting_seats(scope, player=player, game=game),
    "seats": lambda scope, player, _: seats(scope, player=player),
    "flows": lambda scope, player, _: flows(scope, player=player),
    "luck": lambda scope, player, _: luck(scope, player=player),
    "seasons": lambda scope, player, _: seasons(scope, player=player),
    "all_ins": lambda scope, player, _: all_ins(scope, player=player),
    "leaks": lambda scope, player, game: leaks(scope, player=player, game=game),
    "banks": lambda scope, player, _: banks(scope, player=player),
    "biggest_pots": lambda scope, player, game: [] if player else biggest_pots(scope, game=game),
    "biggest_scoops": lambda scope, player, _: [] if player else biggest_scoops(scope),
    "worst_beats": lambda scope, player, _: [] if player else worst_beats(scope),
    "best_hands": lambda scope, player, _: [] if player else best_hands(scope),
}


class Figures(ScopedResource):
    """All figures, or the lists named by `fields`. Other lists are not read."""

    def answer(self, league: League) -> Response:
        player = self.found.pk if isinstance(self.found, Player) else None
        scope, game = self.scope(league), self.query_values["game"] or None
        named = self.request.query_params.get(FIELDS)
        wanted = READ if named is None else set(named.split(","))
        read = {
            name: figures(scope, player, game) if name in wanted else []
            for name, figures in READ.items()
        }
        return Response(self.serialize(FiguresSerializer, read))


NOTES = {
    "season": SEASON,
    "game": OpenApiParameter("game", str, description="The slug of a game, for figures by game."),
}


def view_of(owner: Owner) -> type[Figures]:
    view = type(f"{owner.name.title()}Figures", (Figures,), {"owner": owner})
    parameters = [each for name, each in NOTES.items() if name in owner.parameters]
    described = extend_schema(
        operation_id=f"get_{owner.name}_stats",
        summary=f"The figures of a {owner.name}",
        responses=FiguresSerializer,
        parameters=parameters,
    )
    return extend_schema_view(get=described)(view)

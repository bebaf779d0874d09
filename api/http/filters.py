"""List filters. Unknown parameters and values are errors, reported with their parameter."""

from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any
from uuid import UUID

import django_filters
from django.core.exceptions import ValidationError
from django.core.validators import EMPTY_VALUES
from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import QueryDict
from django_filters.fields import IsoDateTimeField
from django_filters.rest_framework.backends import DjangoFilterBackend
from django_filters.rest_framework.filterset import FilterSet
from drf_spectacular.utils import extend_schema_field
from rest_framework.request import Request

from api.http.errors import BadQueryError
from league.access import leagues_of
from league.common.errors import problem
from league.hands.revisions import with_dealer
from league.models import (
    HandFact,
    HouseGame,
    League,
    Night,
    Player,
    Result,
    Revision,
    Season,
    StaleMark,
)
from ledger.models import Account
from rules.documents import catalog


class FilterBackend(DjangoFilterBackend):
    """Apply a list's filters. Raises BadQueryError with all invalid values."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: Any) -> Any:
        filters = self.get_filterset_class(view, queryset)  # type: ignore[no-untyped-call]
        if filters is None:
            return queryset
        values = read_filters(filters, request.query_params)
        if values:
            require_existing(values, leagues_of(view.visitor))
        return filtered(filters, queryset, values)


def read_filters(filters: Any, parameters: QueryDict) -> dict[str, Any]:
    """Return the valid filter values by filter name. Raises BadQueryError with all errors.

    `filters` is a FilterSet class. Creating an instance and its form for every request would take
    longer than the query itself, and most requests have no filters.
    """
    named = {
        name: query_filter
        for name, query_filter in filters.base_filters.items()
        if name in parameters
    }
    empty = [name for name in named if parameters[name] == ""]
    if empty:
        raise BadQueryError(problem(name, "missing", "this must not be empty") for name in empty)
    values, wrong = {}, []
    for name, query_filter in named.items():
        try:
            values[name] = query_filter.field.clean(parameters[name])
        except ValidationError as error:
            wrong += [problem(name, "wrong-type", str(text)) for text in error.messages]
    if wrong:
        raise BadQueryError(wrong)
    return {name: value for name, value in values.items() if value not in EMPTY_VALUES}


def require_existing(values: Mapping[str, Any], leagues: QuerySet[League]) -> None:
    """Raise BadQueryError for ids, games and accounts that do not exist in these leagues."""
    wrong = []
    for name, value in values.items():
        if name in KNOWN and not KNOWN[name](leagues, value):
            kind = "player" if name == "dealer" else name
            wrong.append(problem(name, f"unknown-{kind}", f"your leagues have no such {kind}"))
    if wrong:
        raise BadQueryError(wrong)


def is_known_game(leagues: QuerySet[League], game: str) -> bool:
    """Return whether the catalog or these leagues have this game."""
    return (
        game in catalog.slugs()
        or HouseGame.objects.filter(league__in=leagues, slug=game).exists()
        or HandFact.objects.filter(league__in=leagues, game=game).exists()
        # Hands that are not in the statistics yet, matched by the game in their record.
        or Revision.objects.filter(
            _waiting(record__variant__name=game), hand__night__season__league__in=leagues
        ).exists()
    )


def _is_player(leagues: QuerySet[League], key: UUID) -> bool:
    return Player.objects.filter(league__in=leagues, pk=key).exists()


# For each kind of filter value, a function that checks whether the object it refers to exists.
KNOWN: dict[str, Callable[[QuerySet[League], Any], bool]] = {
    "account": lambda leagues, key: Account.objects.filter(
        book__league__in=leagues, key=key
    ).exists(),
    "dealer": _is_player,
    "game": is_known_game,
    "league": lambda leagues, key: leagues.filter(pk=key).exists(),
    "night": lambda leagues, key: Night.objects.filter(season__league__in=leagues, pk=key).exists(),
    "player": _is_player,
    "season": lambda leagues, key: Season.objects.filter(league__in=leagues, pk=key).exists(),
}


def filtered(filters: Any, rows: QuerySet[Any], values: Mapping[str, Any]) -> QuerySet[Any]:
    """Return the filtered rows. `filters` is a FilterSet class.

    `values` maps filter names to values, or to placeholders for them.
    """
    if values:
        of_these = filters(queryset=rows).filters
        for name, value in values.items():
            rows = of_these[name].filter(rows, value)
    return rows


@extend_schema_field(bool)
class BooleanFilter(django_filters.TypedChoiceFilter):
    """Either true or false."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        choices = (("true", "true"), ("false", "false"))
        options = {"choices": choices, "coerce": lambda text: text == "true"} | kwargs
        super().__init__(*args, **options)  # type: ignore[no-untyped-call]


class DateTimeField(IsoDateTimeField):
    """A time converted to UTC, because PostgreSQL rejects offsets beyond sixteen hours."""

    def clean(self, value: Any) -> Any:
        moment = super().clean(value)
        try:
            return moment and moment.astimezone(UTC)
        except OverflowError:
            raise ValidationError("this time is out of range", "invalid") from None


class DateTimeFilter(django_filters.IsoDateTimeFilter):
    field_class = DateTimeField

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[no-untyped-call]


class NightFilters(FilterSet):
    league = django_filters.UUIDFilter("season__league")
    season = django_filters.UUIDFilter("season")
    state = django_filters.ChoiceFilter(choices=Night.State.choices)
    after = DateTimeFilter("started_at", "gte")
    before = DateTimeFilter("started_at", "lt")


class NightHandFilters(FilterSet):
    """Filters for the hands of a night, by their current revision.

    Counted hands are found through their facts. A fact belongs to one revision, so outdated facts
    never match. The few hands that are not in the statistics yet are found through the
    JSON of their records.
    """

    player = django_filters.UUIDFilter(method="with_player")
    game = django_filters.CharFilter(method="of_game", max_length=200)
    dealer = django_filters.UUIDFilter(method="dealt_by")
    verified = BooleanFilter(method="is_verified")
    voided = BooleanFilter("hand__voided")
    after = DateTimeFilter("hand__made_at", "gte")
    before = DateTimeFilter("hand__made_at", "lt")

    def with_player(self, rows: QuerySet[Revision], name: str, value: UUID) -> QuerySet[Revision]:
        played = Result.objects.filter(fact=OuterRef("pk"), player=value)
        rows = rows.annotate(names_text=Cast("names", TextField()))
        return rows.filter(_counted(Exists(played)) | _waiting(names_text__contains=str(value)))

    def of_game(self, rows: QuerySet[Revision], name: str, value: str) -> QuerySet[Revision]:
        # A game defined in the record has a name but no slug.
        named = Q(record__variant=value) | Q(record__variant__name=value)
        return rows.filter(_counted(game=value) | _waiting(named))

    def dealt_by(self, rows: QuerySet[Revision], name: str, value: UUID) -> QuerySet[Revision]:
        return with_dealer(rows).filter(_counted(dealer=value) | _waiting(dealer=str(value)))

    def is_verified(self, rows: QuerySet[Revision], name: str, value: Any) -> QuerySet[Revision]:
        bare = {"depth": Revision.Depth.RESULT}
        return rows.exclude(**bare) if value else rows.filter(**bare)


class HandFilters(NightHandFilters):
    """Filters for the hands of many nights."""

    league = django_filters.UUIDFilter("hand__night__season__league")
    season = django_filters.UUIDFilter("hand__night__season")
    night = django_filters.UUIDFilter("hand__night")


def _counted(*conditions: Any, **values: Any) -> Q:
    """Return the condition that a revision's fact matches."""
    facts = HandFact.objects.filter(hand=OuterRef("hand"), revision=OuterRef("pk"))
    return Q(Exists(facts.filter(*conditions, **values)))


def _waiting(*conditions: Any, **values: Any) -> Q:
    """Return the condition that a hand is not in the statistics yet and its revision matches."""
    return Q(Exists(StaleMark.objects.filter(hand=OuterRef("hand")))) & Q(*conditions, **values)

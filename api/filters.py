"""What lists are narrowed down to, by django-filter; what is wrong is told with its parameter."""

from datetime import UTC
from typing import Any

import django_filters
from django.core.exceptions import ValidationError
from django.db.models import Exists, F, Func, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django_filters.fields import IsoDateTimeField
from django_filters.rest_framework.backends import DjangoFilterBackend
from django_filters.rest_framework.filterset import FilterSet
from drf_spectacular.utils import extend_schema_field
from rest_framework.request import Request

from api.errors import BadQuery
from league.models import HandFact, Night, Result, Revision, StaleMark
from league.refusals import fault


class Filtering(DjangoFilterBackend):
    """Refuses what a filter can't read, all of it at once."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: Any) -> Any:
        filters = self.get_filterset(request, queryset, view)  # type: ignore[no-untyped-call]
        if filters is None:
            return queryset
        return checked(filters).qs


def checked(filters: Any) -> Any:
    """Return the filters. Raises BadQuery with all that they can't read."""
    empty = [name for name in filters.base_filters if filters.data.get(name) == ""]
    if empty:
        raise BadQuery(fault(name, "missing", "this must not be empty") for name in empty)
    if not filters.is_valid():
        raise BadQuery(
            fault(name, "wrong-type", str(text))
            for name, texts in filters.errors.items()
            for text in texts
        )
    return filters


class Dealer(Func):
    """The id of the player who dealt, from a revision's record: what `names` says of the button."""

    output_field = TextField()

    def __init__(self) -> None:
        super().__init__(F("names"), F("record"))

    def as_sqlite(self, compiler: Any, connection: Any, **_: Any) -> Any:
        return self._sql(
            compiler,
            "(SELECT each.value FROM json_each({names}) each WHERE each.key = json_extract("
            "{record}, '$.players[' || json_extract({record}, '$.button') || '].name'))",
        )

    def as_postgresql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        name = "{record} -> 'players' -> CAST({record} ->> 'button' AS integer) ->> 'name'"
        return self._sql(compiler, f"({{names}} ->> ({name}))")

    def _sql(self, compiler: Any, told: str) -> tuple[str, list[Any]]:
        names, record = (compiler.compile(each)[0] for each in self.get_source_expressions())
        return told.format(names=names, record=record), []


@extend_schema_field(bool)
class TruthFilter(django_filters.TypedChoiceFilter):
    """true or false, and nothing that could be taken for either."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        said = (("true", "true"), ("false", "false"))
        options = {"choices": said, "coerce": lambda text: text == "true"} | kwargs
        super().__init__(*args, **options)  # type: ignore[no-untyped-call]


class MomentField(IsoDateTimeField):
    """A moment in UTC: PostgreSQL takes no offset beyond sixteen hours, and ISO 8601 does."""

    def clean(self, value: Any) -> Any:
        told = super().clean(value)
        try:
            return told and told.astimezone(UTC)
        except OverflowError:
            raise ValidationError("this moment is out of range", "invalid") from None


class MomentFilter(django_filters.IsoDateTimeFilter):
    field_class = MomentField

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[no-untyped-call]


class NightFilters(FilterSet):
    league = django_filters.UUIDFilter("season__league")
    season = django_filters.UUIDFilter("season")
    state = django_filters.ChoiceFilter(choices=Night.State.choices)
    since = MomentFilter("started_at", "gte")
    until = MomentFilter("started_at", "lt")


class NightHandFilters(FilterSet):
    """Of the hands of a night, as their current revision tells them.

    Facts say of counted hands what else stands in JSON; a fact is of one revision, so one that is
    behind says nothing. Hands that wait to be counted, which are few, are read from their JSON.
    """

    player = django_filters.UUIDFilter(method="with_player")
    game = django_filters.CharFilter(method="of_game", max_length=200)
    dealer = django_filters.UUIDFilter(method="dealt_by")
    verified = TruthFilter(method="is_verified")
    voided = TruthFilter("hand__voided")
    since = MomentFilter("hand__made_at", "gte")
    until = MomentFilter("hand__made_at", "lt")

    def with_player(self, rows: QuerySet[Revision], name: str, value: Any) -> QuerySet[Revision]:
        played = Result.objects.filter(fact=OuterRef("pk"), player=value)
        rows = rows.annotate(said=Cast("names", TextField()))
        return rows.filter(_counted(Exists(played)) | _waiting(said__contains=str(value)))

    def of_game(self, rows: QuerySet[Revision], name: str, value: Any) -> QuerySet[Revision]:
        # the hand's own game, whose document stands in its record, goes by its name
        told = Q(record__variant=value) | Q(record__variant__name=value)
        return rows.filter(_counted(game=value) | _waiting(told))

    def dealt_by(self, rows: QuerySet[Revision], name: str, value: Any) -> QuerySet[Revision]:
        rows = rows.annotate(dealer=Dealer())
        return rows.filter(_counted(dealer=value) | _waiting(dealer=str(value)))

    def is_verified(self, rows: QuerySet[Revision], name: str, value: Any) -> QuerySet[Revision]:
        bare = {"depth": Revision.Depth.RESULT}
        return rows.exclude(**bare) if value else rows.filter(**bare)


class HandFilters(NightHandFilters):
    """Of hands of many nights."""

    league = django_filters.UUIDFilter("hand__night__season__league")
    season = django_filters.UUIDFilter("hand__night__season")
    night = django_filters.UUIDFilter("hand__night")


def _counted(*said: Any, **values: Any) -> Q:
    """Return the condition that the fact of a revision says so."""
    facts = HandFact.objects.filter(hand=OuterRef("hand"), revision=OuterRef("pk"))
    return Q(Exists(facts.filter(*said, **values)))


def _waiting(*said: Any, **values: Any) -> Q:
    """Return the condition that a hand is not counted yet, and says so itself."""
    return Q(Exists(StaleMark.objects.filter(hand=OuterRef("hand")))) & Q(*said, **values)

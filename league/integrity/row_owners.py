"""The league that each database row belongs to.

The league is found through the models' relations, so every table is covered.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import Exists, F, ForeignKey, Model, OuterRef, QuerySet

from league.models import League
from ledger.audit import Finding

LINK = "__"
# The last lookup in a path, keyed by model name. Names are used because backups also contain older
# versions of the models.
ENDS = {"league.league": "pk", "ledger.book": "league"}


@cache
def path_to_league(model: type[Model]) -> str:
    """Return the query path from a row to its league, or "" for rows without a league.

    The first foreign key that leads to a league is used. For example, a seat has a night and a
    player, and its path goes through the night.
    """
    if end := ENDS.get(model._meta.label_lower):  # noqa: SLF001 (public)
        return end
    fields = [field for field in foreign_keys(model) if field.related_model is not model]
    ways = (through(field) for field in sorted(fields, key=lambda field: field.null))
    return next(filter(None, ways), "")


def through(field: Any) -> str:
    """Return the path to the league through a field, or ""."""
    on = path_to_league(field.related_model)
    return field.name if on == "pk" else f"{field.name}{LINK}{on}" if on else ""


def owned() -> Iterator[type[Model]]:
    """Yield the models whose rows belong to leagues."""
    models = apps.get_models(include_auto_created=True)
    return (model for model in models if path_to_league(model))


def foreign_keys(model: type[Model]) -> Iterator[Any]:
    fields = model._meta.concrete_fields  # noqa: SLF001 (documented API)
    return (field for field in fields if isinstance(field, ForeignKey))


def rows_of(model: type[Model], league: UUID | None) -> QuerySet[Any]:
    """Return the league's rows in a table.

    If `league` is None, return the rows without a league.
    """
    rows = model._base_manager.all()  # noqa: SLF001 (includes hidden rows)
    if way := path_to_league(model):
        return rows.filter(**{way: league}) if league else rows.filter(**{f"{way}__isnull": True})
    return rows.none() if league else rows


def strays(league: League | None = None) -> Iterator[Finding]:
    """Yield the rows that reference a row of another league, in all leagues or in one league."""
    for model in owned():
        own = path_to_league(model)
        rows = rows_of(model, league.pk) if league else model._base_manager.all()  # noqa: SLF001
        for field in foreign_keys(model):
            other = through(field)
            if not other or other == own or not field.db_constraint:
                continue
            named = rows.exclude(**{own: None}).exclude(**{other: None})
            for key in named.exclude(**{own: F(other)}).order_by("pk").values_list("pk", flat=True):
                table = model._meta.db_table  # noqa: SLF001 (documented API)
                text = (
                    f"row {key} of {table} references a row of another league as its {field.name}"
                )
                yield Finding("stray", text, (str(key),))


def dangling(league: UUID) -> Iterator[Finding]:
    """Yield the rows of a league that reference a missing row."""
    for model in owned():
        for field in foreign_keys(model):
            if not field.db_constraint:
                continue
            there = field.related_model._base_manager.filter(pk=OuterRef(field.attname))  # noqa: SLF001
            rows = rows_of(model, league).exclude(**{f"{field.attname}__isnull": True})
            for key in rows.filter(~Exists(there)).values_list("pk", flat=True):
                table = model._meta.db_table  # noqa: SLF001 (documented API)
                text = f"row {key} of {table} references a missing row as its {field.name}"
                yield Finding("dangling", text, (str(key),))

"""Store rows of a season's file, table by table: each with an id that was made for it.

A row names rows that were stored here before it: that is looked at once more for each foreign key
of each row, whatever was checked before.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model

from league.archive.books import Done, Ids, plans_after
from league.archive.file_format import TABLES
from league.archive.hands import Settled
from league.archive.reading import Row, SeasonContent
from league.integrity.ownership import foreign_keys
from league.models import (
    League,
)
from ledger.models import Posting

AT_ONCE = 200

Key = UUID | int | str
Values = dict[str, Any]
M = TypeVar("M", bound=Model)


class Astray(Exception):
    """A row names another that is not of this file."""


@dataclass(frozen=True)
class Writing:
    """What is written, and what has been: the rows by table and number, the keys by model."""

    league: League
    content: SeasonContent
    ids: Ids
    settled: Mapping[int, Settled]
    done: Done
    rows: dict[str, dict[int, Any]] = field(default_factory=dict)
    keys: dict[type[Model], set[Any]] = field(default_factory=dict)
    postings: dict[tuple[str, int], Posting] = field(default_factory=dict)

    @cached_property
    def planned(self) -> Mapping[int | None, list[Row]]:
        return self.content.grouped("PlannedPayment", "plan")

    @cached_property
    def plans_after(self) -> Mapping[int | None, list[Row]]:
        return plans_after(self.content)


def store_rows(
    writing: Writing,
    model: type[M],
    rows: Iterable[Row],
    also: Callable[[Row], Values] = lambda _: {},
) -> list[M]:
    """Store these rows of a table, with what the file does not say of them."""
    name = model.__name__
    made = {row.number: model(**(_values(writing, model, row) | also(row))) for row in rows}
    _require_own(writing, made.values())
    model._default_manager.bulk_create(made.values(), batch_size=AT_ONCE)  # noqa: SLF001 (public)
    writing.rows.setdefault(name, {}).update(made)
    writing.keys.setdefault(model, set()).update(each.pk for each in made.values())
    return list(made.values())


def _values(writing: Writing, model: type[Model], row: Row) -> Values:
    """Return what the file says of a row, numbers as the ids that were made for them."""
    name = model.__name__
    values = {} if _is_counted(model) else {"id": writing.ids[name][row.number]}
    named = {key.name: key.related_model.__name__ for key in foreign_keys(model)}
    columns = {each.name for each in model._meta.concrete_fields}  # noqa: SLF001 (public)
    for field_name in TABLES[name].fields.keys() & columns:
        value, table = row[field_name], named.get(field_name)
        if table is None:
            values[field_name] = value
        elif table in writing.rows:  # documents are kept by what they say
            values[f"{field_name}_id"] = value and writing.rows[table][value].pk
    return values


def _is_counted(model: type[Model]) -> bool:
    return model._meta.auto_field is not None  # noqa: SLF001 (made to be read)


def _require_own(writing: Writing, rows: Iterable[Model]) -> None:
    """Raise Astray unless every row names the league, or what was stored here before it."""
    for row in rows:
        for key in foreign_keys(type(row)):
            value = getattr(row, key.attname)
            mine = {writing.league.pk} if key.related_model is League else ()
            if value is not None and value not in (mine or writing.keys.get(key.related_model, ())):
                raise Astray(key.name)

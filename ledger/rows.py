"""Models made of columns that were read, as the ORM makes them, without looking at each anew."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db.models import Model
from django.db.models.base import ModelState
from django.db.models.signals import post_init, pre_init

Row = TypeVar("Row", bound=Model)


def row_of(model: type[Row], names: Sequence[str], values: Sequence[Any], database: str) -> Row:
    """Return the row that has these values, as `from_db` does; names are those of all columns.

    To make a model takes Django longer than the database takes to find its row: it asks of each
    value whether it was given, whether it is a relation, and who listens.
    """
    if len(names) < len(model._meta.concrete_fields) or _is_heard(model):  # noqa: SLF001 (made to be read)
        return model.from_db(database, names, values)
    row = model.__new__(model)
    state = ModelState()
    state.adding, state.db = False, database
    row.__dict__.update(zip(names, values, strict=True), _state=state)
    return row


def new_row(model: type[Row], **values: Any) -> Row:
    """Return a new row with these columns, the others as they are by default, as the ORM makes it.

    Relations are told by their keys or by the rows that they lead to, which are saved already or
    know their keys.
    """
    if _is_heard(model):
        return model(**values)
    constant, made = _defaults(model)
    row, state = model.__new__(model), ModelState()
    row.__dict__.update(constant, _state=state)
    for name, make in made:
        if name not in values:
            row.__dict__[name] = make()
    for name, value in values.items():  # last: a relation is by default without its key
        if isinstance(value, Model):
            state.fields_cache[name] = value
            row.__dict__[f"{name}_id"] = value.pk
        else:
            row.__dict__[name] = value
    return row


@cache
def _defaults(model: type[Model]) -> tuple[dict[str, Any], list[tuple[str, Callable[[], Any]]]]:
    """Return what a column is by default: a value, or what makes one each time."""
    fields: Any = model._meta.concrete_fields  # noqa: SLF001 (made to be read)
    made = [(each.attname, each.get_default) for each in fields if callable(each.default)]
    return {each.attname: each.get_default() for each in fields if not callable(each.default)}, made


def _is_heard(model: type[Model]) -> bool:
    return bool(pre_init.receivers or post_init.receivers) and (
        pre_init.has_listeners(model) or post_init.has_listeners(model)
    )

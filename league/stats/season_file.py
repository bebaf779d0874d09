"""What the file of a season holds: a line of JSON for each row, every table after those it names.

Rows name each other by id, postings by key, planned payments by plan and position; who signed in
to do something is left out. Whoever reads the file gives every id a new one.
"""

from typing import Any

from django.db.models import ForeignKey, Model

from league.models import (
    BuyIn,
    CashOut,
    Closing,
    Count,
    GameDocument,
    Hand,
    Line,
    Night,
    Payment,
    PaymentStep,
    Plan,
    PlannedPayment,
    Player,
    Revision,
    Season,
    Seat,
    User,
)
from ledger.models import Posting

MEDIA_TYPE = "application/x-ndjson"
FORMAT = {"format": "dealers-choice season", "version": 1}
# In the order in which they are written and read; postings come before all that names them.
MODELS: tuple[type[Model], ...] = (
    Season,
    Player,
    GameDocument,
    Night,
    Seat,
    Hand,
    Revision,
    BuyIn,
    CashOut,
    Count,
    Closing,
    Line,
    Plan,
    PlannedPayment,
    Payment,
    PaymentStep,
)
BY_NAME = {model.__name__: model for model in MODELS}
# Of the terms of a league those that say what its chips are.
TERMS = ("currency", "time_zone", "chip_value", "closing_hour", "settles", "uncounted", "leftover")


def columns(model: type[Model]) -> list[Any]:
    """Return the fields that a line holds: all but numbers that the database makes, and users."""
    meta = model._meta  # noqa: SLF001 (made to be read)
    return [
        field
        for field in meta.concrete_fields
        if field is not meta.auto_field and field.related_model not in {User, Posting}
    ]


def posting_field(model: type[Model]) -> str:
    """Return the name of the field that names a posting, "" where there is none."""
    fields = model._meta.concrete_fields  # noqa: SLF001 (made to be read)
    named = (field.name for field in fields if field.related_model is Posting)
    return next(named, "")


def is_planned(field: Any) -> bool:
    """Tell whether the field names a planned payment, whose number the database makes."""
    return isinstance(field, ForeignKey) and field.related_model is PlannedPayment

"""Database triggers reject changes to buy-ins, counts, closings and plans by any client."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, models, transaction
from pytest_django import DjangoDbBlocker

from league.closing.cash_outs import cash_out_and_leave
from league.closing.payments import promise
from league.integrity.triggers import league
from league.models import (
    BuyIn,
    CashOut,
    ChipCount,
    Closing,
    ClosingLine,
    Erasure,
    LogbookEntry,
    Night,
    PaymentPlan,
    PaymentStep,
    PlannedPayment,
)
from league.people.leagues import renew_code
from league.privacy.erasure import erase_player
from ledger import guards
from tests.helpers.league.leagues import a_league, a_night, a_user, player
from tests.helpers.league.nights import again, closed, dealt

pytestmark = pytest.mark.django_db

KEPT = (BuyIn, CashOut, ChipCount, Closing, ClosingLine, PaymentPlan, PlannedPayment, PaymentStep)
NOTED = (LogbookEntry, Erasure)


def test_dropped_triggers_are_recreated() -> None:
    with connection.cursor() as cursor:
        on = " ON league_line" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER league_line_kept{on}")
    assert guards.missing(connection, league()) == ["league_line_kept"]
    guards.install(connection, league())
    assert guards.missing(connection, league()) == []


def an_evening() -> Night:
    host = a_user()
    night = a_night(a_league(host))
    dealt(night)
    cash_out_and_leave(night, player(night, "dan"), 100, cash_out_id=uuid4(), by=host)
    closing = closed(night, by=host)
    promise(closing.plan.payments.get(), uuid4(), 10, by=host)
    renew_code(night.league, by=host)
    erase_player(player(night, "dan"), by=host)
    return again(night)


@pytest.fixture(scope="module")
def shared_night(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Night]:
    """The night of `an_evening`, for all tests of this file."""
    with django_db_blocker.unblock(), transaction.atomic():
        night = an_evening()
        connection.check_constraints()  # otherwise PostgreSQL checks them at the end
        yield night
        transaction.set_rollback(True)


@pytest.fixture
def night(shared_night: Night, db: None) -> Night:
    return again(shared_night)


def refused(rows: Any, **change: Any) -> None:
    with pytest.raises(IntegrityError, match="kept as it was"), transaction.atomic():
        rows.update(**change) if change else rows._raw_delete("default")


@pytest.mark.parametrize("model", [*KEPT, *NOTED])
def test_rows_of_a_night_cannot_be_deleted(model: type[models.Model], night: Night) -> None:
    assert model._default_manager.exists()
    refused(model._default_manager.all())


@pytest.mark.parametrize("model", KEPT)
def test_rows_of_a_night_cannot_be_changed(model: type[models.Model], night: Night) -> None:
    numbers = [
        field.name
        for field in model._meta.concrete_fields
        if isinstance(field, models.BigIntegerField | models.PositiveIntegerField)
        and not field.primary_key
    ]
    for name in [*numbers, "state", "number"]:
        if name in {field.name for field in model._meta.concrete_fields}:
            refused(model._default_manager.all(), **{name: 7})


@pytest.mark.parametrize("model", NOTED)
def test_subject_and_time_of_an_action_cannot_be_changed(
    model: type[models.Model], night: Night
) -> None:
    refused(model._default_manager.all(), made_at=night.started_at)
    whom = {"player": player(night, "ann")} if model is Erasure else {"of": a_user()}
    refused(model._default_manager.all(), **whom)


@pytest.mark.parametrize("model", [BuyIn, Closing, PaymentStep, *NOTED])
def test_author_of_an_action_cannot_be_changed(model: type[models.Model], night: Night) -> None:
    rows = model._default_manager.all()
    refused(rows, made_by=a_user("scapegoat"))
    rows.update(made_by=None)
    refused(rows, made_by=a_user("scapegoat"))


def test_seal_cannot_be_changed(night: Night) -> None:
    refused(Closing.objects.all(), hash="0" * 64)
    refused(Closing.objects.all(), previous_hash="0" * 64)


def test_rows_remain_after_their_author_is_deleted(night: Night) -> None:
    night.league.created_by.delete()  # type: ignore[union-attr]
    assert Closing.objects.get().made_by is None

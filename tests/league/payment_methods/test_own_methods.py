"""Payment methods can be added, reordered and removed. They are encrypted."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core import serializers
from django.db import connection
from django.test import override_settings

from league.audit_log import logged_actions
from league.common import row_limits
from league.common.errors import RefusedError
from league.models import LogbookEntry, OutgoingMail, PaymentMethod, User
from league.payment_methods.methods import (
    add_method,
    methods_of,
    move_up,
    remove_method,
)
from league.people.leagues import add_member
from tests.helpers.league.leagues import a_league, a_user
from tests.helpers.league.payment_methods import HOLDER, IBAN, PAYPAL, likes
from tests.helpers.security.people import prove

MOST = row_limits.PAYMENT_METHODS.most

pytestmark = pytest.mark.django_db


def liked(user: User) -> list[tuple[str, str]]:
    return [(each.kind.code, each.handle) for each in methods_of(user)]


def refusal_errors(*given: Any) -> list[tuple[str, str]]:
    with pytest.raises(RefusedError) as refused:
        add_method(*given)
    return [(each["where"], each["code"]) for each in refused.value.errors]


def test_methods_are_stored_in_order() -> None:
    ann = a_user()
    likes(ann)
    add_method(ann, "bizum", "0034 612 345 678")
    assert liked(ann) == [("iban", IBAN), ("paypal", PAYPAL), ("bizum", "+34612345678")]
    [iban, paypal, bizum] = methods_of(ann)
    assert iban.holder == HOLDER
    assert move_up(ann, bizum.number)
    assert move_up(ann, bizum.number)
    assert move_up(ann, bizum.number)  # already the first method
    assert [kind for kind, _ in liked(ann)] == ["bizum", "iban", "paypal"]
    assert remove_method(ann, iban.number)
    assert not remove_method(ann, iban.number)
    assert [kind for kind, _ in liked(ann)] == ["bizum", "paypal"]
    add_method(ann, "upi", "ann@okbank")
    assert [kind for kind, _ in liked(ann)] == ["bizum", "paypal", "upi"]
    assert paypal.handle == PAYPAL


def test_all_errors_are_reported_together() -> None:
    ann = a_user()
    assert refusal_errors(ann, "iban", "DE00", "") == [
        ("handle", "bad-handle"),
        ("holder", "missing"),
    ]
    assert refusal_errors(ann, "iban", "", "x" * 71) == [
        ("handle", "missing"),
        ("holder", "too-long"),
    ]
    assert refusal_errors(ann, "paypal", "a b") == [("handle", "bad-handle")]
    assert refusal_errors(ann, "paypal", "a\0b") == [("handle", "wrong-type")]
    assert refusal_errors(ann, "paypal", "a" * 100_000) == [("handle", "too-long")]
    assert refusal_errors(ann, "cheque", "ann") == [("kind", "unknown")]
    assert not PaymentMethod.objects.exists()


def test_duplicate_method_is_not_stored() -> None:
    ann = a_user()
    likes(ann)
    assert refusal_errors(ann, "paypal", f"paypal.me/{PAYPAL.upper()}") == [("handle", "twice")]
    assert refusal_errors(ann, "iban", IBAN.lower(), HOLDER) == [("handle", "twice")]
    add_method(a_user(), "paypal", PAYPAL)  # a payment method of another account


def test_eleventh_method_is_refused() -> None:
    ann = a_user()
    for number in range(MOST):
        add_method(ann, "paypal", f"ann{number}")
    assert refusal_errors(ann, "paypal", "ann11") == [("kind", "too-many")]


@pytest.mark.django_db(transaction=True)
def test_concurrent_requests_cannot_add_more_than_ten_methods() -> None:
    ann = a_user()

    def add(number: int) -> bool:
        try:
            add_method(ann, "paypal", f"ann{number}")
        except RefusedError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as several:
        added = list(several.map(add, range(MOST + 4)))
    assert sum(added) == MOST == PaymentMethod.objects.count()


def test_other_users_methods_cannot_be_moved_or_removed() -> None:
    ann, bob = a_user(), a_user()
    likes(ann)
    for method in methods_of(ann):
        assert not move_up(bob, method.number)
        assert not remove_method(bob, method.number)
    assert len(methods_of(ann)) == 2


def test_stored_values_are_not_readable() -> None:
    """Values are encrypted with a key derived from the secret, the account and the kind."""
    ann, bob = a_user(), a_user()
    likes(ann)
    kept = serializers.serialize("json", PaymentMethod.objects.all())
    assert not any(each in kept for each in (IBAN, HOLDER, PAYPAL))
    iban, paypal = PaymentMethod.objects.order_by("position")
    PaymentMethod.objects.filter(pk=paypal.pk).update(handle=iban.handle)
    PaymentMethod.objects.filter(pk=iban.pk).update(user=bob)
    assert liked(ann) == [("paypal", "")]
    assert liked(bob) == [("iban", "")]


def test_value_encrypted_with_an_old_secret_stays_readable_while_it_is_configured() -> None:
    ann = a_user()
    with override_settings(SECRET_KEY="an old secret of this service"):
        likes(ann)
    assert liked(ann) == [("iban", ""), ("paypal", "")]
    with override_settings(SECRET_KEY_FALLBACKS=["an old secret of this service"]):
        assert liked(ann) == [("iban", IBAN), ("paypal", PAYPAL)]


def test_log_entries_contain_no_values() -> None:
    ann, league = a_user(), a_league()
    add_member(league, ann, "player")
    prove(ann, "ann@example.org")
    likes(ann)
    remove_method(ann, methods_of(ann)[0].number)
    added, removed = "payment-method-added", "payment-method-removed"
    assert [entry.kind for entry in logged_actions(league)][:3] == [removed, added, added]
    assert [entry.about for entry in LogbookEntry.objects.filter(made_by=ann)] == [{}, {}, {}]
    letters = OutgoingMail.objects.filter(to="ann@example.org")
    assert letters.count() == 2
    assert not any(value in str(list(letters.values())) for value in (IBAN, HOLDER, PAYPAL))


def test_repr_contains_no_value() -> None:
    """Tracebacks in the log show reprs."""
    ann = a_user()
    likes(ann)
    text = f"{methods_of(ann)!r} {list(PaymentMethod.objects.all())!r}"
    assert "iban" in text
    assert not any(each in text for each in (IBAN, HOLDER, PAYPAL))

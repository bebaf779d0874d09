"""A user's payment methods, with the links and codes that payers use.

Only this module writes methods. Methods are stored encrypted. The log records that a method was
added, but not which one. Only the payer and the payee of a planned payment can see methods. Hosts
and API tokens can't.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import segno
from cryptography.fernet import InvalidToken
from django.db import transaction
from django.utils.translation import gettext as _

from league.audit_log import Kind as Noted
from league.audit_log import log_action
from league.common import row_limits
from league.common.crypto import cipher
from league.common.errors import Problem, problem, refuse
from league.common.text import tidy, wrong_text
from league.models import PaymentMethod, PlannedPayment, User
from league.payment_methods.kinds import (
    KINDS,
    LONGEST,
    LONGEST_NAME,
    Kind,
    PaymentDetails,
    epc_qr,
    in_groups,
)
from league.sending import mail

PURPOSE = "payment methods"


@dataclass(frozen=True, slots=True)
class Method:
    """A decrypted payment method. Its `repr` omits values that must not be logged."""

    number: int
    kind: Kind
    handle: str = field(repr=False)
    holder: str = field(repr=False)


@transaction.atomic
def add_method(user: User, kind: str, handle: object, holder: object = "") -> None:
    """Add a method after the existing methods. Raises RefusedError with all problems."""
    locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    refuse(_closed(locked))
    mine = methods_of(locked)
    refuse(_problems(kind, handle, holder, mine))
    method_kind = KINDS[kind]
    rows = PaymentMethod.objects.filter(user=locked)
    last = max(rows.values_list("position", flat=True), default=0)
    row = PaymentMethod(user=locked, kind=kind, position=last + 1)
    row.handle = _encrypted(row, str(method_kind.read(str(handle))))
    row.holder = _encrypted(row, tidy(str(holder))) if method_kind.holder else ""
    row.save()
    mail.write_change(locked, _("A payment method was added to your account."))
    log_action(Noted.PAYMENT_METHOD_ADDED, by=locked)


@transaction.atomic
def remove_method(user: User, number: int) -> bool:
    """Remove a method.

    Return whether the method existed. Raises RefusedError after a host's password link.
    """
    refuse(_closed(User.objects.select_for_update(no_key=True).get(pk=user.pk)))
    gone, _rows = PaymentMethod.objects.filter(user=user, pk=number).delete()
    if gone:
        log_action(Noted.PAYMENT_METHOD_REMOVED, by=user)
    return bool(gone)


@transaction.atomic
def move_up(user: User, number: int) -> bool:
    """Swap a method with the method before it. Return whether the method exists.

    Raises RefusedError after a host's password link.
    """
    refuse(_closed(User.objects.select_for_update(no_key=True).get(pk=user.pk)))
    rows = list(PaymentMethod.objects.filter(user=user).order_by("position", "pk"))
    at = next((place for place, row in enumerate(rows) if row.pk == number), None)
    if at is None:
        return False
    if at:
        rows[at - 1 : at + 1] = [rows[at], rows[at - 1]]
    for place, row in enumerate(rows, start=1):
        row.position = place
    PaymentMethod.objects.bulk_update(rows, ["position"])
    return True


def delete_methods(user: User) -> None:
    """Delete all payment methods from an account that is no longer in use."""
    PaymentMethod.objects.filter(user=user).delete()


def methods_of(user: User) -> list[Method]:
    """Return the user's methods in order, or none after a host's password link."""
    if are_closed(user):
        return []
    rows = PaymentMethod.objects.filter(user=user).order_by("position", "pk")
    return [decrypted(row) for row in rows]


def are_closed(user: User) -> bool:
    """Return whether a host's password link was used, which locks the user's methods."""
    return User.objects.filter(pk=user.pk, host_reset_at__isnull=False).exists()


def _closed(user: User) -> Iterator[Problem]:
    if user.host_reset_at is not None:
        text = _(
            "Your password was set with a host's link. Ask the administrator for a new link first."
        )
        yield problem("kind", "closed", text)


def decrypted(row: PaymentMethod) -> Method:
    """Return the row's method. The handle is empty if SECRET_KEY has changed."""
    handle = _decrypt(row, row.handle)
    return Method(row.pk, KINDS[row.kind], handle, _decrypt(row, row.holder) if row.holder else "")


def _problems(kind: str, handle: object, holder: object, mine: list[Method]) -> Iterator[Problem]:
    method_kind = KINDS.get(kind)
    if method_kind is None:
        yield problem("kind", "unknown", _("Choose a payment method."))
        return
    yield from row_limits.PAYMENT_METHODS.exceeded(len(mine), where="kind")
    if wrong := list(wrong_text("handle", handle, longest=LONGEST)):
        yield from wrong
    elif (read := method_kind.read(str(handle))) is None:
        text = _("This doesn't look right. Enter it like %(example)s.") % {
            "example": method_kind.example
        }
        if method_kind.holder:
            text = _("This isn't a valid IBAN of the SEPA area. Check each digit.")
        yield problem("handle", "bad-handle", text)
    elif any(each.kind is method_kind and each.handle.lower() == read.lower() for each in mine):
        yield problem("handle", "twice", _("You already added this one."))
    if method_kind.holder:
        yield from wrong_text("holder", holder, longest=LONGEST_NAME)


def _encrypted(row: PaymentMethod, text: str) -> str:
    """Return the text, encrypted with SECRET_KEY and bound to the account and kind."""
    return cipher(PURPOSE).encrypt(f"{_encryption_context(row)}{text}".encode()).decode()


def _decrypt(row: PaymentMethod, text: str) -> str:
    try:
        fields = cipher(PURPOSE).decrypt(text.encode()).decode()
    except InvalidToken:
        return ""
    return (
        fields.removeprefix(_encryption_context(row))
        if fields.startswith(_encryption_context(row))
        else ""
    )


def _encryption_context(row: PaymentMethod) -> str:
    return f"{row.user_id} {row.kind} "


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentOption:
    """A payment method filled in for a payment.

    `link` and `code` are empty if the kind does not support them. `fills` is true if the payer does
    not have to type the amount.
    """

    title: str
    handle: str = field(repr=False)
    shown: str = field(repr=False)
    holder: str = field(repr=False)
    link: str = field(repr=False)
    code: segno.QRCode | None = field(repr=False)
    fills: bool

    @property
    def is_page(self) -> bool:
        """Return whether the link opens a web page (in a new tab) instead of an app."""
        return self.link.startswith("https:")


def may_see_methods(user: object, planned: PlannedPayment) -> bool:
    """Return whether the user is the payer or the payee of the payment."""
    return isinstance(user, User) and user.pk in {planned.payer.user_id, planned.payee.user_id}


def methods_of_payees(user: object, payments: Iterable[PlannedPayment]) -> dict[int, list[Method]]:
    """Return the payees' methods, keyed by account, with at most one query.

    Payments that do not involve the user are skipped. The caller passes only unpaid payments.
    """
    payees = {each.payee.user_id for each in payments if may_see_methods(user, each)} - {None}
    methods: dict[int, list[Method]] = defaultdict(list)
    if payees:
        rows = PaymentMethod.objects.filter(user__in=payees).order_by("position", "pk")
        for row in rows:
            if (method := decrypted(row)).handle:
                methods[row.user_id].append(method)
    return dict(methods)


def payment_options(methods: Iterable[Method], payment: PaymentDetails) -> Iterator[PaymentOption]:
    """Yield the filled-in methods that support the currency, in the payee's order."""
    for method in methods:
        kind = method.kind
        if not kind.fits(payment):
            continue
        link = kind.link(method.handle, payment) if kind.link else ""
        code = segno.make(link, error="m", micro=False) if link else None
        if kind.holder:
            code = epc_qr(method.handle, method.holder, payment)
        yield PaymentOption(
            title=kind.title,
            handle=method.handle,
            shown=in_groups(method.handle) if kind.holder else method.handle,
            holder=method.holder,
            link=link,
            code=code,
            fills=kind.fills and bool(link or code),
        )

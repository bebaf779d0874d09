"""Who can see the payment methods for a planned payment, and their links and codes.

Only the payer's and the payee's accounts can. Other users, hosts included, and tokens can't:
handles are for pages only.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import segno

from league.models import PaymentMethod, PlannedPayment, User
from league.payment_methods.kinds import Asked, epc_qr, in_groups
from league.payment_methods.own_methods import Method, decrypted


@dataclass(frozen=True, slots=True, kw_only=True)
class WayToPay:
    """One method, filled in for a payment. `link` and `code` are empty if the kind has none.

    `fills` is true if the payer does not have to type the amount.
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
        """Return whether the link opens in a new tab. An app opens from the current one."""
        return self.link.startswith("https:")


def may_see_ways(user: object, planned: PlannedPayment) -> bool:
    """Return whether the user is the payer or the payee of the payment."""
    return isinstance(user, User) and user.pk in {planned.payer.user_id, planned.payee.user_id}


def methods_of_payees(user: object, payments: Iterable[PlannedPayment]) -> dict[int, list[Method]]:
    """Return the methods of the payees by account, with at most one query.

    Payments that do not involve the user are skipped. The caller passes unpaid ones only.
    """
    payees = {each.payee.user_id for each in payments if may_see_ways(user, each)} - {None}
    found: dict[int, list[Method]] = defaultdict(list)
    if payees:
        rows = PaymentMethod.objects.filter(user__in=payees).order_by("position", "pk")
        for row in rows:
            if (method := decrypted(row)).handle:
                found[row.user_id].append(method)
    return dict(found)


def ways_to_pay(methods: Iterable[Method], asked: Asked) -> Iterator[WayToPay]:
    """Yield the ways that fit the currency, in the payee's order."""
    for method in methods:
        kind = method.kind
        if not kind.fits(asked):
            continue
        link = kind.link(method.handle, asked) if kind.link else ""
        code = segno.make(link, error="m", micro=False) if link else None
        if kind.holder:
            code = epc_qr(method.handle, method.holder, asked)
        yield WayToPay(
            title=kind.title,
            handle=method.handle,
            shown=in_groups(method.handle) if kind.holder else method.handle,
            holder=method.holder,
            link=link,
            code=code,
            fills=kind.fills and bool(link or code),
        )

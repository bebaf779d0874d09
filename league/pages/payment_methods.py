"""The user's payment methods: add, sort and remove them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from league.access import leagues_of
from league.common import row_limits
from league.common.errors import RefusedError
from league.models import User
from league.pages.account.fresh_sign_in import sign_in_again, sign_in_again_url
from league.pages.parts.currencies import own_currency
from league.pages.parts.forms import apply_form, show_errors
from league.pages.parts.visitor import signed_in
from league.payment_methods.kinds import KINDS, Kind, in_groups
from league.payment_methods.methods import (
    add_method,
    are_closed,
    methods_of,
    move_up,
    remove_method,
)
from league.sign_in.authentication import can_sign_in_again, is_fresh

# The field label of each kind, and the kinds that need a phone number.
ASKED: dict[str, Promise] = {
    "iban": gettext_lazy("IBAN"),
    "paypal": gettext_lazy("PayPal.Me name"),
    "revolut": gettext_lazy("Revtag"),
    "wise": gettext_lazy("Wisetag"),
    "venmo": gettext_lazy("Venmo name"),
    "cash-app": gettext_lazy("$Cashtag"),
    "upi": gettext_lazy("UPI address"),
    "zelle": gettext_lazy("E-mail address or phone number"),
    "interac": gettext_lazy("E-mail address or phone number"),
    "payid": gettext_lazy("E-mail address or phone number"),
}
PHONES = {"twint", "bizum", "swish", "vipps", "mobilepay", "blik"}
PHONE = gettext_lazy("Phone number with country code")
PLAIN = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class MethodForm(forms.Form):
    """Form for a handle of one kind and its account holder. `add_method` validates the values."""

    def __init__(self, kind: Kind, data: Any = None) -> None:
        super().__init__(data, auto_id=f"{kind.code}-%s")
        self.kind = kind
        self.currencies = _currencies(kind)
        tel = {"inputmode": "tel", "autocomplete": "tel"} if kind.code in PHONES else {}
        self.fields["handle"] = forms.CharField(
            label=str(ASKED.get(kind.code, PHONE)),
            help_text=_("Such as %(example)s") % {"example": kind.example},
            required=False,
            strip=False,
            widget=forms.TextInput(PLAIN | tel),
        )
        if kind.holder:
            self.fields["holder"] = forms.CharField(
                label=_("Name on the account"),
                help_text=_("Exactly as your bank has it."),
                required=False,
                widget=forms.TextInput({"autocomplete": "name"}),
            )


def _currencies(kind: Kind) -> str:
    """Return the currency of all leagues that show this kind, or the number of their currencies."""
    if len(kind.currencies) == 1:
        return next(iter(kind.currencies))
    return _("%(count)s currencies") % {"count": len(kind.currencies)}


def _usual_kinds(user: User) -> list[Kind]:
    """Return the kinds for the currencies of the user's leagues, or else for the reader's own."""
    currencies = set(leagues_of(user).values_list("currency", flat=True)) or {own_currency()}
    return [kind for kind in KINDS.values() if currencies & kind.currencies]


def _stale(request: HttpRequest) -> bool:
    """Return whether a fresh sign-in is required. Phones that joined with a code are exempt."""
    return can_sign_in_again(signed_in(request)) and not is_fresh(request)


@never_cache
@sensitive_post_parameters("handle", "holder")
@require_http_methods(["GET", "HEAD", "POST"])
def own_methods(request: HttpRequest) -> HttpResponse:
    """Show the payment methods, or add one.

    The submitted handle is not stored in the session if the user has to sign in again.
    """
    tried, stale = None, _stale(request)
    if request.method == "POST":
        kind = KINDS.get(request.POST.get("kind", ""))
        if kind is None:
            raise Http404
        tried = MethodForm(kind, request.POST)
        if _added(request, tried, stale=stale):
            messages.success(request, _("Saved. Shown to people who owe you."))
            return redirect("payment-methods")
    mine, usual = methods_of(signed_in(request)), _usual_kinds(signed_in(request))
    if tried and tried.kind not in usual:
        usual.append(tried.kind)
    context = {
        "methods": [
            {
                "number": method.number,
                "title": method.kind.title,
                "shown": in_groups(method.handle) if method.kind.holder else method.handle,
                "holder": method.holder,
                "currencies": _currencies(method.kind),
            }
            for method in mine
        ],
        "forms": [tried if tried and tried.kind is kind else MethodForm(kind) for kind in usual],
        "other_forms": [MethodForm(kind) for kind in KINDS.values() if kind not in usual],
        "tried": tried,
        "full": any(row_limits.PAYMENT_METHODS.exceeded(len(mine))),
        "again": sign_in_again_url(request) if stale else "",
        "closed": are_closed(signed_in(request)),
    }
    return render(request, "payments/own_methods.html", context, status=400 if tried else 200)


@sensitive_variables("told")
def _added(request: HttpRequest, form: MethodForm, *, stale: bool) -> bool:
    form.is_valid()
    if stale:
        form.add_error(None, _("For your security, sign in again, then add this again."))
        return False
    texts = [form.cleaned_data.get(name, "") for name in ("handle", "holder")]
    return apply_form(form, lambda: add_method(signed_in(request), form.kind.code, *texts))


def _fresh(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def freshly(request: HttpRequest, number: int) -> HttpResponse:
        if _stale(request):
            return sign_in_again(request)
        try:
            return view(request, number)
        except RefusedError as refused:
            show_errors(request, refused)
            return redirect("payment-methods")

    return require_POST(freshly)


@_fresh
def up(request: HttpRequest, number: int) -> HttpResponse:
    return _done(found=move_up(signed_in(request), number))


@_fresh
def remove(request: HttpRequest, number: int) -> HttpResponse:
    return _done(found=remove_method(signed_in(request), number))


def _done(*, found: bool) -> HttpResponse:
    if not found:
        raise Http404
    return redirect("payment-methods")

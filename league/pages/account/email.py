"""The e-mail address of an account: for whoever wants one, proven by a letter."""

from typing import Any

from allauth.account import views
from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.audit_log import Kind, log_action
from league.pages.account.fresh_sign_in import fresh_to_change
from league.pages.parts.visitor import signed_in
from league.sending import mail

FORM = require_http_methods(["GET", "HEAD", "POST"])


@method_decorator([fresh_to_change, FORM], name="dispatch")
class Emails(views.EmailView):
    """Add one, prove it, use another, take one away."""

    template_name = "account/email_addresses.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        before = _addresses(request)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        if _addresses(request) != before:
            log_action(Kind.EMAIL_CHANGED, by=signed_in(request))
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "sends_mail": mail.are_sent()}


@method_decorator([never_cache, FORM], name="dispatch")
class Confirm(views.ConfirmEmailView):
    """Where the letter leads to; a tap there proves the address, looking at it does not."""

    template_name = "account/email_confirmation.html"

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        answer: HttpResponse = super().post(*args, **kwargs)
        log_action(Kind.EMAIL_CHANGED, by=self.object.email_address.user)
        return answer


emails, confirm = Emails.as_view(), Confirm.as_view()
sent = views.EmailVerificationSentView.as_view(template_name="account/email_confirmation_sent.html")


def _addresses(request: HttpRequest) -> list[Any]:
    rows = EmailAddress.objects.filter(user=signed_in(request)).order_by("pk")
    return list(rows.values_list("email", "primary"))

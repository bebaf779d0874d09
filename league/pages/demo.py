"""Try the service without an account: start a demo league and confine its visitor to it."""

from collections.abc import Callable, Mapping

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.common.client_ip import address_of
from league.demo.sandbox import LASTS, DemoFullError, claim_prepared, open_night_of, start_new
from league.models import DemoLeague, User
from league.pages.account.allauth_adapters import BACKEND
from league.sign_in.rate_limits import DEMOS_HERE, count, is_spent

GetResponse = Callable[[HttpRequest], HttpResponse]

# The pages that demo visitors can open. All other pages are denied, so a new page is never exposed
# by accident. The list excludes everything that affects other people or programs: invitations,
# codes, chats, webhooks, keys, notifications, payment methods, planned nights, imports, and the
# account.
READ = frozenset(
    "charges chart chart-picture chip-set conflicts demo-screen forms game game-stats games "
    "games-index hand hands home house-game house-games house-rules league league-pulse logbook "
    "looks manifest money night night-picture offline payments player pulse recap recap-picture "
    "receipt receipt-csv receipt-file replay screen screen-pulse seals season season-file "
    "service-worker shared-receipt shared-receipt-csv shared-receipt-file shared-replay "
    "shared-replay-picture shared-screen some-forms stats table tonight tournament tournaments "
    "what-if what-now".split()
)
CHANGE = frozenset(
    "accept-chips add-cost add-player answer-objection buy-in call-off-night call-off-tournament "
    "change-deal change-tournament charge-bet check check-again check-close check-count close "
    "confirm count deal deal-apart declare declare-again decline-chips delete-game dispute "
    "drop-deal edit-chip-set edit-player end-tournament keep-hand leave leave-notice new-night "
    "new-tournament next-stage object options own-cards pay-prize player-state promise receive "
    "record record-again redraw redraw-again release remove-player reopen reopen-tournament "
    "retire-game rewrite-game season-scoring seat-guest settle-season share-screen sign-out "
    "sign-up star-game star-house-game start-demo starting-cash take-back "
    "take-conflicting-record take-seat tournament-clock tournament-event tournament-seats try-game "
    "try-game-again undo undo-charge undo-hand undo-tournament-event unshare-screen void "
    "withdraw-chips write-game write-house-rule".split()
)
SAFE = ("GET", "HEAD")


class DemoMiddleware:
    """Middleware: reject demo visitors' requests that lead out of the demo league."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, _kwargs: Mapping[str, object]
    ) -> HttpResponse | None:
        """Check a request after its URL is resolved."""
        match, is_api = request.resolver_match, request.path.startswith("/api/")
        # Checked first, so that polling an allowed page does not load the user.
        if match is not None and not is_api:
            name = match.url_name
            if name in CHANGE or (name in READ and request.method in SAFE):
                return None
        user = request.user
        if not isinstance(user, User) or not user.in_demo:
            return None
        if is_api:
            return HttpResponse(_("The demo has no API."), status=403, content_type="text/plain")
        return render(request, "demo/refused.html", status=403)


@login_not_required
@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """Give the visitor a demo league and sign them in as its host."""
    if not settings.DEMO:
        raise Http404
    if request.user.is_authenticated:
        return redirect("home")
    address = address_of(request)
    if is_spent(DEMOS_HERE, address):
        return _full_response(request)
    try:
        demo = claim_prepared() or start_new()
    except DemoFullError:
        return _full_response(request)
    count(DEMOS_HERE, address)
    # Django's `login` takes twice as long: it stores the session twice and clears failed passwords.
    request.session.flush()
    request.session[SESSION_KEY] = str(demo.user.pk)
    request.session[BACKEND_SESSION_KEY] = BACKEND
    request.session[HASH_SESSION_KEY] = demo.user.get_session_auth_hash()
    request.session.set_expiry(LASTS)
    request.user = demo.user
    rotate_token(request)
    return _redirect_to_night("night", demo)


@login_not_required
@require_safe
def screen(request: HttpRequest) -> HttpResponse:
    """Redirect to the TV screen of the visitor's demo night."""
    user = request.user
    if not isinstance(user, User) or not user.in_demo:
        raise Http404
    return _redirect_to_night("screen", user.demo)


def _redirect_to_night(page: str, demo: DemoLeague) -> HttpResponse:
    night = open_night_of(demo)
    if night is None:
        raise Http404
    return redirect(page, night)


def _full_response(request: HttpRequest) -> HttpResponse:
    response = render(request, "demo/full.html", status=429)
    response.headers["Retry-After"] = "600"
    return response

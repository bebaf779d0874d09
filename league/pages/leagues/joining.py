"""Members: invitations, join requests, joining with the code, and the phones that have joined."""

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Action, find_league, may, player_of
from league.change_version import current_league_version
from league.common.client_ip import address_of
from league.common.errors import RefusedError
from league.common.text import by_name
from league.models import LONGEST_NAME, Device, JoinRequest, League, Player, Role, User
from league.nights.nights import newest_open
from league.pages.account.fresh_sign_in import sign_in_again
from league.pages.leagues.members import ROLES, member_rows
from league.pages.parts.forms import PlayerChoice, add_refusal, show_errors
from league.pages.parts.join_code import PROOF, base_address, join_code
from league.pages.parts.visitor import kind_of, signed_in
from league.people import devices, joining
from league.people.devices import remember
from league.people.joining import (
    TRUSTED,
    TooManyGuessesError,
    claim_player,
    find_by_code,
    free_names,
    invitation_of,
    join,
    request_of,
    request_to_join,
    taken_names,
    use,
    use_acceptance,
    waiting,
)
from league.people.leagues import CODE_LENGTH, renew_code
from league.sending import mail
from league.sign_in.authentication import is_fresh

DAYS = (
    (1, gettext_lazy("1 day")),
    (7, gettext_lazy("1 week")),
    (30, gettext_lazy("1 month")),
)


class InviteForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_NAME,
        help_text=gettext_lazy(
            "For your list of invitations. This doesn't add a player. Add them on the "
            "league page first."
        ),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "words"}),
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=[each for each in ROLES if each[0] != Role.HOST],
        initial=Role.PLAYER,
        help_text=gettext_lazy(
            "To add a second host, invite the person first. Then change the role under “Members”."
        ),
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Expires after"), coerce=int, choices=DAYS, initial=7
    )

    def __init__(self, league: League, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="invite_%s")
        self.fields["player"] = PlayerChoice(
            by_name(free_names(league)),
            label=gettext_lazy("Player"),
            required=False,
            empty_label=gettext_lazy("Any player without an account"),
        )
        self.order_fields(("name", "player", "role", "days"))


def door(league: League) -> dict[str, Any]:
    """Return the invitations and join requests shown to hosts."""
    words = dict(ROLES)
    invited = [(each, words[Role(each.role)]) for each in joining.open_invitations(league)]
    return {"join_requests": joining.waiting(league), "invited": invited}


@require_POST
def invite(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    form = InviteForm(league, request.POST)
    link = ""
    if form.is_valid():
        if form.cleaned_data["role"] in TRUSTED and not is_fresh(request):
            return sign_in_again(request)
        try:
            _made, token = joining.invite(league, by=signed_in(request), **form.cleaned_data)
            link = base_address(request) + reverse("invitation", args=[token])
        except RefusedError as refused:
            add_refusal(form, refused)
    context = {"league": league, "form": form, "link": link, "name": form.data.get("name", "")}
    return render(request, "leagues/invitation.html", context, status=200 if link else 400)


@require_POST
def end_invitation(request: HttpRequest, league_id: UUID, invitation_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    joining.end(league, invitation_id, by=signed_in(request))
    messages.success(request, _("Invitation revoked."))
    return redirect("phones", league.pk)


@require_POST
def accept_join_request(request: HttpRequest, league_id: UUID, request_id: UUID) -> HttpResponse:
    return _decide(request, league_id, request_id, joining.accept, _("%(name)s joined."))


@require_POST
def decline_join_request(request: HttpRequest, league_id: UUID, request_id: UUID) -> HttpResponse:
    return _decide(request, league_id, request_id, joining.decline, _("You declined %(name)s."))


def _decide(
    request: HttpRequest,
    league_id: UUID,
    request_id: UUID,
    decide: Callable[..., object],
    text: str,
) -> HttpResponse:
    """Call `decide`, and show its errors or else `text` with the player's name.

    Redirects to the page that the request came from: the night, the league or the phones.
    """
    league = find_league(request.user, Action.MANAGE, league_id)
    rows = league.join_requests.select_related("league", "player", "user")
    join_request = rows.filter(pk=request_id).first()
    if join_request is None:
        raise Http404
    try:
        decide(join_request, by=signed_in(request))
    except RefusedError as refused:
        show_errors(request, refused)
    else:
        messages.success(request, text % {"name": join_request.player})
    night = newest_open(league) if "night" in request.POST else None
    if night is not None:
        return redirect("night", night.pk)
    return redirect("league" if "league" in request.POST else "phones", league.pk)


CODE_FIELD = {"autocapitalize": "characters", "autocomplete": "off", "spellcheck": "false"}


WAITS = "waits"  # session key set while a phone is waiting for a host's approval
WRONG = gettext_lazy("No league has this code. Check it with your host.")
TOO_MANY = gettext_lazy(
    "Too many wrong codes. Try again later, or scan the code on another player's phone."
)


class CodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("League code"),
        max_length=CODE_LENGTH + 6,
        help_text=gettext_lazy("Ask your host."),
        widget=forms.TextInput(CODE_FIELD),
    )


class PickName(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("E-mail (optional)"),
        required=False,
        help_text=gettext_lazy("For results and reminders."),
        widget=forms.TextInput({"inputmode": "email", "autocomplete": "email"}),
    )

    def __init__(self, league: League, *args: Any, only: Player | None = None) -> None:
        """Offer the unused names, or only the name of the invitation."""
        super().__init__(*args)
        if not mail.are_sent():
            del self.fields["email"]
        free = free_names(league)
        self.names = by_name(free.filter(pk=only.pk) if only else free)
        taken_players = by_name(taken_names(league))
        self.taken: Iterable[Player] = () if only else taken_players
        self.fields["player"] = choice = PlayerChoice(self.names)
        picked = self.data.get("player", "")
        if taken := next((each for each in taken_players if str(each.pk) == picked), None):
            text = _(
                "%(name)s is already on another phone. If that's you, ask a host to disconnect "
                "that phone."
            )
            # Django formats the message again.
            text = text % {"name": taken.name.replace("%", "%%")}
            choice.error_messages["invalid_choice"] = text


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def enter_code(request: HttpRequest) -> HttpResponse:
    form = CodeForm(request.POST or None)
    if form.is_bound and form.is_valid():
        try:
            league = find_by_code(form.cleaned_data["code"], address=address_of(request))
        except TooManyGuessesError:
            form.add_error("code", TOO_MANY)
        else:
            if league:
                return redirect("pick-name", league.code)
            form.add_error("code", WRONG)
    return render(
        request, "leagues/join_by_code.html", {"form": form}, status=400 if form.errors else 200
    )


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def pick_name(request: HttpRequest, code: str) -> HttpResponse:
    proof, wrong = request.GET.get(PROOF, ""), WRONG
    try:
        league = find_by_code(code, address=address_of(request), proof=proof)
    except TooManyGuessesError:
        league, wrong = None, TOO_MANY
    if league is None:
        form = CodeForm({"code": code})
        form.add_error("code", wrong)
        return render(request, "leagues/join_by_code.html", {"form": form}, status=404)
    if player_of(request.user, league):
        return _at_the_table(league)
    picked = PickName(league, request.POST or None)
    hosts = may(request.user, Action.MANAGE, league)
    waits = league.approves and not hosts
    if picked.is_bound and picked.is_valid():
        if not waits:
            if joined := _joined(request, picked, _as_host if hosts else _by_code):
                return joined
        else:
            cleaned, user, kind = picked.cleaned_data, _user_of(request), kind_of(request)
            email = cleaned.get("email", "")
            try:
                _request, token = request_to_join(
                    league, cleaned["player"], user=user, email=email, kind=kind
                )
            except RefusedError as refused:
                add_refusal(picked, refused)
            else:
                request.session[WAITS] = token
                return redirect("wait")
    return _names(request, league, picked, waits=waits)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """Join with an invitation: pick a name, or confirm the invitation's name."""
    invitation = invitation_of(token)
    if invitation is None:
        return render(request, "leagues/join_invitation_ended.html", status=404)
    league = invitation.league
    if player_of(request.user, league):
        return _at_the_table(league)
    picked = PickName(league, request.POST or None, only=invitation.player)
    if picked.is_bound and picked.is_valid():

        def come(player: Player, user: User | None, email: str) -> User:
            return use(invitation, player, user=user, email=email)

        if came := _joined(request, picked, come):
            return came
    return _names(request, league, picked)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def wait(request: HttpRequest) -> HttpResponse:
    """Show the waiting page, which polls until a host accepts the request, then sign in.

    POST withdraws the request, so that the phone can pick a different name.
    """
    join_request = request_of(request.session.get(WAITS, ""))
    if join_request is None:
        return redirect("join")
    if join_request.state == JoinRequest.State.ACCEPTED:
        # An acceptance can be used only once, so the session can't be reused.
        user = use_acceptance(join_request)
        request.session.pop(WAITS, None)
        if user is not None:
            _sign_in_phone(request, user, join_request.player)
        return _at_the_table(join_request.league)
    if request.method == "POST":
        joining.withdraw(join_request)
        request.session.pop(WAITS, None)
        return redirect("pick-name", join_request.league.code)
    waits = join_request in waiting(join_request.league)
    return render(
        request, "leagues/join_waiting.html", {"join_request": join_request, "waits": waits}
    )


def _names(
    request: HttpRequest, league: League, picked: PickName, *, waits: bool = False
) -> HttpResponse:
    context = {
        "league": league,
        "form": picked,
        "names": picked.names,
        "taken": picked.taken,
        "waits": waits,
    }
    return render(
        request, "leagues/join_by_name.html", context, status=400 if picked.errors else 200
    )


Come = Callable[[Player, User | None, str], User]


def _by_code(player: Player, user: User | None, email: str) -> User:
    return join(player.league, player, user=user, email=email)


def _as_host(player: Player, user: User | None, email: str) -> User:
    """Add a host to the league. Hosts do not need approval."""
    return claim_player(player.league, player, user=user, email=email)


def _joined(request: HttpRequest, form: PickName, come: Come = _by_code) -> HttpResponse | None:
    cleaned = form.cleaned_data
    player: Player = cleaned["player"]
    try:
        joined = come(player, _user_of(request), cleaned.get("email", ""))
    except RefusedError as refused:
        add_refusal(form, refused)
        return None
    _sign_in_phone(request, joined, player)
    return _at_the_table(player.league)


def _user_of(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _sign_in_phone(request: HttpRequest, user: User, player: Player) -> None:
    """Sign the phone in as this user, and add it to the league's devices.

    Another user may have signed in on the phone while it was waiting.
    """
    if _user_of(request) != user:
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        request.session.save()
    key = request.session.session_key or ""
    remember(player.league, user, player, session_key=key, kind=kind_of(request))


def _at_the_table(league: League) -> HttpResponse:
    """Redirect to the open night, or to the league if no night is open."""
    night = newest_open(league)
    return redirect("night", night.pk) if night else redirect("league", league.pk)


# Phones update their last-seen time every `SEEN_EVERY` seconds. This limit allows for two missed
# updates.
LATELY = timedelta(seconds=2 * devices.SEEN_EVERY)


@require_safe
def phones(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    context = {
        "league": league,
        "devices": devices.joined(league),
        "lately": timezone.now() - LATELY,
        "join": join_code(request, league),
        "invite": InviteForm(league),
        "members": member_rows(league),
        "version": current_league_version(league),
        **door(league),
    }
    return render(request, "leagues/devices.html", context)


@require_POST
def sign_out_phone(request: HttpRequest, device_id: int) -> HttpResponse:
    rows = Device.objects.select_related("player", "user", "league")
    device = rows.filter(pk=device_id).first()
    if device is None:
        raise Http404
    league, by = find_league(request.user, Action.MANAGE, device.league_id), signed_in(request)
    try:
        devices.sign_out(device, by=by)
    except RefusedError as refused:
        show_errors(request, refused)
        return redirect("phones", league.pk)
    text = _("%(name)s was signed out.") % {"name": device.player}
    if "new_code" in request.POST:
        code = {"code": renew_code(league, by=by).code}
        text = f"{text} {_('The new code is %(code)s.') % code}"
    messages.success(request, text)
    return redirect("phones", league.pk)


@require_POST
def new_code(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    league = renew_code(league, by=signed_in(request))
    messages.success(request, _("The new code is %(code)s.") % {"code": league.code})
    return redirect("phones", league.pk)

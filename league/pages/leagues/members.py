"""A league's members, and the form in which a host changes a member's role."""

from typing import NamedTuple
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from league.access import Action, find_league
from league.common.errors import RefusedError
from league.common.text import name_order
from league.models import League, Membership, Role
from league.pages.account.fresh_sign_in import sign_in_again
from league.pages.parts.forms import show_errors
from league.pages.parts.visitor import signed_in
from league.people import members
from league.sign_in.authentication import is_fresh

ROLES = (
    (Role.HOST, gettext_lazy("Host")),
    (Role.SCOREKEEPER, gettext_lazy("Scorekeeper")),
    (Role.PLAYER, gettext_lazy("Player")),
    (Role.VIEWER, gettext_lazy("Viewer")),
)


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ROLES)


class MemberRow(NamedTuple):
    """A member with the name to show. `player` is their player's id, or None without a player."""

    id: int
    name: str
    player: UUID | None
    role: str
    form: RoleForm


def member_rows(league: League) -> list[MemberRow]:
    """Return the members, those with the most rights first, then by name."""
    players = {player.user_id: player for player in league.players.exclude(user=None)}
    titles, order = dict(ROLES), [role for role, _title in ROLES]
    rows = []
    for member in league.memberships.select_related("user"):
        role, player = Role(member.role), players.get(member.user_id)
        form = RoleForm(initial={"role": role}, auto_id=f"member_{member.pk}_%s")
        name = player.name if player else member.user.get_username()
        row = MemberRow(member.pk, name, player.pk if player else None, str(titles[role]), form)
        rows.append((order.index(role), name_order(name), row))
    return [row for _place, _name, row in sorted(rows, key=lambda each: each[:2])]


@require_POST
def change_role(request: HttpRequest, league_id: UUID, member_id: int) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    rows = Membership.objects.filter(league=league).select_related("league", "user")
    member = get_object_or_404(rows, pk=member_id)
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise Http404
    if not is_fresh(request):
        return sign_in_again(request)
    try:
        members.change_role(member, Role(form.cleaned_data["role"]), by=signed_in(request))
    except RefusedError as refused:
        show_errors(request, refused)
    else:
        player = league.players.filter(user=member.user_id).first()
        words = {"name": player or member.user, "role": dict(ROLES)[Role(member.role)]}
        messages.success(request, _("New role of %(name)s: %(role)s.") % words)
    # Hosts who gave up their own role can't open the page with the members.
    left = member.user == request.user and member.role != Role.HOST
    return redirect("league" if left else "phones", league.pk)

"""A league's house rules, and what to do when something goes wrong at the table."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_league, may
from league.common.errors import RefusedError
from league.house_rules import (
    current_rules,
    irregularities,
    option_sentences,
    rule_history,
    title_of,
    write_rule,
)
from league.models import LONGEST_HOUSE_RULES, League
from league.pages.parts.forms import show_errors
from league.pages.parts.images import qr_code
from league.pages.parts.join_code import base_address
from league.pages.parts.visitor import signed_in, table_name


@require_safe
def house_rules(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.VIEW, league_id)
    address = base_address(request) + reverse("house-rules", args=[league.pk])
    own = current_rules(league)
    history = rule_history(league).annotate(by=table_name(league.pk, "made_by"))
    versions = [
        {"title": title_of(rule.topic) or _("Our own rules"), "rule": rule, "by": vars(rule)["by"]}
        for rule in history
    ]
    context = _common(request, league) | {
        "own": own.get(""),
        "sections": option_sentences(league),
        "differing": [(each, own[each.id]) for each in irregularities() if each.id in own],
        "history": versions,
        "address": address,
        "code": qr_code(address),
    }
    return render(request, "leagues/house_rules.html", context)


@require_safe
def what_now(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.VIEW, league_id)
    own = current_rules(league)
    cases = [(each, own.get(each.id)) for each in irregularities()]
    return render(request, "leagues/what_now.html", _common(request, league) | {"cases": cases})


@require_POST
def write(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Save the league's rule on a topic, and return to the page that shows it."""
    league = find_league(request.user, Action.MANAGE, league_id)
    topic, text = request.POST.get("topic", ""), request.POST.get("text", "")
    try:
        write_rule(league, topic, text, by=signed_in(request))
    except RefusedError as refused:
        show_errors(request, refused)
    else:
        messages.success(request, _("House rules saved."))
    if topic and title_of(topic):
        return redirect(f"{reverse('what-now', args=[league.pk])}#{topic}")
    return redirect("house-rules", league.pk)


def _common(request: HttpRequest, league: League) -> dict[str, Any]:
    return {
        "league": league,
        "may_manage": may(request.user, Action.MANAGE, league),
        "longest": LONGEST_HOUSE_RULES,
    }

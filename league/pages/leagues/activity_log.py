"""The activity log of a league, for its hosts."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from league.access import Action, find_league
from league.audit_log import MOST, LoggedAction, logged_actions
from league.common.money import shown
from league.house_rules import title_of
from league.models import Charge, League
from league.options import CHIPS_OR_NONE
from league.pages.leagues.settings import (
    CORRECTIONS,
    INVITERS,
    JOINED,
    LEFTOVER,
    LIMITS,
    SETTLES,
    UNCOUNTED,
    OptionsForm,
)
from league.pages.parts.numbers import number
from league.pages.parts.visitor import player_names
from league.pages.seasons.scoring import SCORINGS, ScoringForm

WORDS: dict[str, Promise] = {
    "signed-in": gettext_lazy("signed in"),
    "wrong-password": gettext_lazy("entered a wrong password"),
    "locked-out": gettext_lazy("locked out after too many wrong passwords"),
    "password-changed": gettext_lazy("changed their password"),
    "password-reset": gettext_lazy("reset their password by e-mail"),
    "password-link-made": gettext_lazy("created a password link for %(of)s"),
    "password-link-used": gettext_lazy("reset their password with a link"),
    "username-changed": gettext_lazy("changed their username"),
    "email-changed": gettext_lazy("changed their e-mail address"),
    "second-factor-added": gettext_lazy("turned on two-factor authentication"),
    "second-factor-removed": gettext_lazy("turned off two-factor authentication"),
    "recovery-codes-made": gettext_lazy("created new recovery codes"),
    "passkey-added": gettext_lazy("added a passkey"),
    "passkey-removed": gettext_lazy("removed a passkey"),
    "push-added": gettext_lazy("turned on notifications on a device"),
    "push-ended": gettext_lazy("turned off notifications on a device"),
    "sessions-ended": gettext_lazy("signed out other devices"),
    "sign-in-linked": gettext_lazy("linked a sign-in service"),
    "sign-in-unlinked": gettext_lazy("unlinked a sign-in service"),
    "payment-method-added": gettext_lazy("added a payment method"),
    "payment-method-removed": gettext_lazy("removed a payment method"),
    "token-made": gettext_lazy("created an API key (%(scope)s)"),
    "token-ended": gettext_lazy("revoked an API key of %(of)s"),
    "link-made": gettext_lazy("created a feed link"),
    "link-ended": gettext_lazy("revoked a feed link"),
    "role-changed": gettext_lazy("changed the role of %(of)s to %(role)s"),
    "member-removed": gettext_lazy("removed %(of)s from the league"),
    "code-renewed": gettext_lazy("created a new league code"),
    "invited": gettext_lazy("created an invitation"),
    "invitation-ended": gettext_lazy("revoked an invitation"),
    "joined": gettext_lazy("joined"),
    "join-asked": gettext_lazy("someone asked to join"),
    "join-refused": gettext_lazy("declined a request to join"),
    "name-released": gettext_lazy("disconnected the phone of %(of)s"),
    "player-added": gettext_lazy("added %(players)s"),
    "player-renamed": gettext_lazy("renamed a player"),
    "player-removed": gettext_lazy("removed a player who had never been at a night"),
    "phone-signed-out": gettext_lazy("signed out a device of %(of)s"),
    "receipt-shared": gettext_lazy("shared the receipt of Night %(night)s"),
    "receipt-unshared": gettext_lazy("stopped sharing the receipt of Night %(night)s"),
    "hand-shared": gettext_lazy("shared hand %(hand)s of Night %(night)s"),
    "hand-unshared": gettext_lazy("stopped sharing hand %(hand)s of Night %(night)s"),
    "screen-shared": gettext_lazy("shared the TV screen of Night %(night)s"),
    "screen-unshared": gettext_lazy("stopped sharing the TV screen of Night %(night)s"),
    "answers-shared": gettext_lazy("created an invite link"),
    "answers-unshared": gettext_lazy("revoked the invite link"),
    "chat-added": gettext_lazy("connected a chat: %(service)s"),
    "chat-ended": gettext_lazy("removed a chat: %(service)s"),
    "webhook-made": gettext_lazy("created a webhook"),
    "webhook-changed": gettext_lazy("changed a webhook: %(changed)s"),
    "webhook-renewed": gettext_lazy("created a new secret for a webhook"),
    "webhook-stopped": gettext_lazy("a webhook that kept failing was turned off"),
    "webhook-started": gettext_lazy("turned a webhook on again"),
    "webhook-retired": gettext_lazy("removed a webhook"),
    "webhook-resent": gettext_lazy(
        "resent %(deliveries)s webhook deliveries, %(since)s to %(until)s"
    ),
    "limits-exceeded": gettext_lazy(
        "sold %(chips)s chips in Night %(night)s, beyond the limits on buy-ins"
    ),
    "left-early": gettext_lazy(
        "cashed out %(chips)s chips in Night %(night)s, before the notice to leave was over"
    ),
    "cash-counted": gettext_lazy(
        "counted %(chips)s chips in the cash box, expected %(expected)s, in Night %(night)s"
    ),
    "tournament-made": gettext_lazy("created %(tournament)s in %(night)s"),
    "tournament-started": gettext_lazy("started the clock of %(tournament)s in %(night)s"),
    "tournament-ended": gettext_lazy("ended %(tournament)s, %(amount)s, in %(night)s"),
    "tournament-resumed": gettext_lazy("undid the end of %(tournament)s in %(night)s"),
    "tournament-cancelled": gettext_lazy("cancelled %(tournament)s in %(night)s"),
    "payouts-changed": gettext_lazy("changed the payouts of %(tournament)s in %(night)s"),
    "options-changed": gettext_lazy("changed settings: %(changed)s"),
    "house-game": gettext_lazy("saved the house game %(game)s"),
    "planned-night": gettext_lazy("planned a night for %(day)s"),
    "night-series": gettext_lazy("planned a series of nights from %(day)s"),
    "house-rules": gettext_lazy("changed the house rules: %(topic)s"),
    "imported": gettext_lazy("imported hands: %(recorded)s new, %(refused)s refused"),
    "season-imported": gettext_lazy("imported a season from a file"),
    "erased": gettext_lazy("deleted a player's name"),
    "audit-failed": gettext_lazy("the audit found %(findings)s errors"),
    "hand-revised": gettext_lazy("corrected hand %(hand)s of %(night)s"),
    "hand-voided": gettext_lazy("undid hand %(hand)s of %(night)s"),
    "hand-objected": gettext_lazy("disputed hand %(hand)s of %(night)s"),
    "objection-stands": gettext_lazy("kept hand %(hand)s of %(night)s after a dispute"),
    "objection-corrected": gettext_lazy(
        "answered the dispute of hand %(hand)s of %(night)s with a correction"
    ),
    "objection-withdrawn": gettext_lazy("withdrew the dispute of hand %(hand)s of %(night)s"),
    "night-closed": gettext_lazy("closed %(night)s"),
    "night-reopened": gettext_lazy("reopened %(night)s"),
    "buy-in": gettext_lazy("recorded %(player)s's buy-in of %(amount)s in %(night)s"),
    "buy-in-undone": gettext_lazy("undid %(player)s's buy-in of %(amount)s in %(night)s"),
    "cash-out": gettext_lazy("recorded %(player)s's cash-out of %(amount)s in %(night)s"),
    "cash-out-undone": gettext_lazy("undid %(player)s's cash-out of %(amount)s in %(night)s"),
    "chip-count": gettext_lazy("counted %(amount)s for %(player)s in %(night)s"),
    "count-removed": gettext_lazy("removed %(player)s's chip count in %(night)s"),
    "charge": gettext_lazy("charged %(amount)s in %(night)s: %(charge)s"),
    "charge-undone": gettext_lazy("undid a charge of %(amount)s in %(night)s: %(charge)s"),
    "season-planned": gettext_lazy("planned the payments of %(season)s"),
    "payment-promised": gettext_lazy(
        "marked the payment of %(amount)s from %(payer)s to %(payee)s as sent"
    ),
    "payment-confirmed": gettext_lazy(
        "marked the payment of %(amount)s from %(payer)s to %(payee)s as received"
    ),
    "payment-disputed": gettext_lazy(
        "marked the payment of %(amount)s from %(payer)s to %(payee)s as not received"
    ),
    "payment-withdrawn": gettext_lazy(
        "undid “sent” for the payment of %(amount)s from %(payer)s to %(payee)s"
    ),
}
# If more is known about the action
DETAILED: dict[str, Promise] = {
    "player-renamed": gettext_lazy("renamed %(old)s to %(new)s"),
    "payment-withdrawn": gettext_lazy(
        "undid “received” for the payment of %(amount)s from %(payer)s to %(payee)s"
    ),
}
# The league's settings, as named on the settings page.
CHOICES: dict[str, Any] = {
    **{name: field.label for name, field in OptionsForm.base_fields.items() if name != "chip"},
    "chip_value": gettext_lazy("Value of one chip"),
    "chip_set": gettext_lazy("Chip set"),
    "banker": gettext_lazy("Payments"),
    "fund_keeper": gettext_lazy("Fund keeper"),
}
# The settings of a season's scoring.
SCORING = {name: field.label for name, field in ScoringForm.base_fields.items()}


NIGHT = "%(night)s"  # the page links to it

# The values of settings that are choices.
LABELS = {
    "settles": SETTLES,
    "uncounted": UNCOUNTED,
    "leftover": LEFTOVER,
    "joined": JOINED,
    "corrections": CORRECTIONS,
    "inviters": INVITERS,
    "limits": LIMITS,
    "scoring": SCORINGS,
}


@require_safe
def page(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    only_money = request.GET.get("only") == "money"
    text = request.GET.get("before", "")
    try:
        before = datetime.fromisoformat(text) if text else None
    except ValueError:
        raise Http404 from None
    if before and before.tzinfo is None:
        raise Http404
    done = logged_actions(league, before=before, only_money=only_money)
    users = {user for action in done for user in (action.by, action.of) if user}
    players = player_names(league, users)
    lines = []
    for action in done:
        values = _values(action, players, league)
        nights = action.about.get("nights")
        if action.kind == "imported" and nights and not action.about["recorded"]:
            words = ngettext("imported %(nights)s night", "imported %(nights)s nights", nights)
        else:
            words = str((DETAILED if action.detail else WORDS)[action.kind])
        start, _, end = words.partition(NIGHT) if "night_id" in values else (words, "", "")
        line = {
            "at": action.at,
            "by": players.get(action.by) or _called(action.by) if action.by else "",
            "before": start % values,
            "after": end % values,
            "about": action.about,
        }
        lines.append(line)
    context = {
        "league": league,
        "lines": lines,
        "only_money": only_money,
        "more": done[-1].at.isoformat() if len(done) == MOST else "",
    }
    return render(request, "leagues/activity_log.html", context)


def _values(action: LoggedAction, players: Mapping[object, str], league: League) -> dict[str, Any]:
    """Return the values that the description of the action contains, as the page shows them."""
    values = action.about | action.detail | {"of": players.get(action.of) or _called(action.of)}
    if action.worth:
        amount = ngettext("%(n)s chip (%(worth)s)", "%(n)s chips (%(worth)s)", values["chips"])
        values["amount"] = amount % {"n": number(values["chips"]), "worth": action.worth}
    if "charge" in values:
        kind = Charge.Kind(values["charge"])
        values["charge"] = gettext("7-2 bonus") if kind == Charge.Kind.BOUNTY else kind.label
    if action.kind == "options-changed":
        names = str(values["changed"]).split(", ")
        pairs = values.get("values", {})
        values["changed"] = ", ".join(_change(name, pairs.get(name), league) for name in names)
    if "day" in values:
        values["day"] = date_format(date.fromisoformat(values["day"]), "D j M Y")
    if action.kind == "house-rules":
        values["topic"] = title_of(values["topic"]) or gettext_lazy("our own rules")
    return values


def _change(name: str, values: Sequence[Any] | None, league: League) -> str:
    """Return the setting with its values before and after, such as "Rebuys: no limit → 2"."""
    title = str(CHOICES.get(name) or SCORING.get(name, name))
    if values is None:  # an older entry, or a value that the log doesn't store
        return title
    if name == "chip_value":
        texts = [shown(value, league.currency) for value in values]
    else:
        points = [" ".join(map(str, each)) if isinstance(each, list) else each for each in values]
        texts = [_value(name, each) for each in points]
    return f"{title}: {texts[0]} → {texts[1]}"


def _value(name: str, value: Any) -> str:
    """Return a setting's value in words, with its unit."""
    labels: dict[Any, Any] = dict(LABELS.get(name, ()))
    if value in labels:
        return str(labels[value])
    if isinstance(value, bool) or (
        value in {0, ""} and name not in {"most_rebuys", "closing_hour"}
    ):
        return gettext("on") if value else gettext("off")
    if value is None:
        return gettext("no limit")
    if name == "closing_hour":
        return f"{value}:00"
    if name == "leave_notice":
        return ngettext("%(n)s minute", "%(n)s minutes", value) % {"n": value}
    if name == "bomb_pot_every":
        return ngettext("%(n)s hand", "%(n)s hands", value) % {"n": value}
    if name in CHIPS_OR_NONE:
        return ngettext("%(n)s chip", "%(n)s chips", value) % {"n": number(value)}
    return str(value)


def _called(user: object) -> str:
    """Return the phone's player name, or else the username."""
    return str(getattr(user, "first_name", "") or user or gettext_lazy("a former member"))

"""The activity log of a league, for its hosts."""

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from league.access import Action, find_league
from league.audit_log import MOST, LoggedAction, logged_actions

WORDS: dict[str, Promise] = {
    "signed-in": gettext_lazy("signed in"),
    "wrong-password": gettext_lazy("somebody tried a wrong password"),
    "locked-out": gettext_lazy("too many wrong passwords: locked out for a while"),
    "password-changed": gettext_lazy("changed the password"),
    "password-reset": gettext_lazy("set a new password by a letter"),
    "password-link-made": gettext_lazy("made a link by which %(of)s sets a new password"),
    "password-link-used": gettext_lazy("set a new password by a link"),
    "username-changed": gettext_lazy("changed the name to sign in by"),
    "email-changed": gettext_lazy("changed the e-mail address"),
    "second-factor-added": gettext_lazy("asks for a code when signing in"),
    "second-factor-removed": gettext_lazy("asks for no code any more when signing in"),
    "recovery-codes-made": gettext_lazy("made new recovery codes"),
    "passkey-added": gettext_lazy("added a passkey"),
    "passkey-removed": gettext_lazy("took a passkey away"),
    "push-added": gettext_lazy("lets a phone take notices"),
    "push-ended": gettext_lazy("lets a phone take no notices any more"),
    "sessions-ended": gettext_lazy("signed out elsewhere"),
    "sign-in-linked": gettext_lazy("linked a way to sign in"),
    "sign-in-unlinked": gettext_lazy("unlinked a way to sign in"),
    "payment-method-added": gettext_lazy("added a way to be paid"),
    "payment-method-removed": gettext_lazy("took a way to be paid away"),
    "token-made": gettext_lazy("made a token that may %(scope)s"),
    "token-ended": gettext_lazy("ended a token of %(of)s"),
    "link-made": gettext_lazy("made a feed link"),
    "link-ended": gettext_lazy("ended a feed link"),
    "role-changed": gettext_lazy("made %(of)s %(role)s"),
    "member-removed": gettext_lazy("took %(of)s out of the league"),
    "code-renewed": gettext_lazy("issued a new code"),
    "invited": gettext_lazy("made an invitation"),
    "invitation-ended": gettext_lazy("ended an invitation"),
    "joined": gettext_lazy("joined"),
    "join-asked": gettext_lazy("a phone asked to join"),
    "join-refused": gettext_lazy("turned away a phone that asked to join"),
    "name-released": gettext_lazy("freed the name of %(of)s"),
    "phone-signed-out": gettext_lazy("signed a phone of %(of)s out"),
    "receipt-shared": gettext_lazy("made a link to the receipt of night %(night)s"),
    "receipt-unshared": gettext_lazy("ended the links to the receipt of night %(night)s"),
    "hand-shared": gettext_lazy("made a link to hand %(hand)s of night %(night)s"),
    "hand-unshared": gettext_lazy("ended the links to hand %(hand)s of night %(night)s"),
    "screen-shared": gettext_lazy("made a link to the table screen of night %(night)s"),
    "screen-unshared": gettext_lazy("ended the links to the table screen of night %(night)s"),
    "answers-shared": gettext_lazy("made a link to answer by"),
    "answers-unshared": gettext_lazy("ended the link to answer by"),
    "chat-added": gettext_lazy("has a chat told of the nights: %(service)s"),
    "chat-ended": gettext_lazy("has a chat told no more: %(service)s"),
    "webhook-made": gettext_lazy("made a webhook"),
    "webhook-changed": gettext_lazy("changed of a webhook: %(changed)s"),
    "webhook-renewed": gettext_lazy("made the secret of a webhook anew"),
    "webhook-stopped": gettext_lazy("a webhook that took nothing any more was switched off"),
    "webhook-started": gettext_lazy("switched a webhook on again"),
    "webhook-retired": gettext_lazy("put a webhook out of use"),
    "webhook-resent": gettext_lazy(
        "had a webhook told again of %(since)s to %(until)s: %(deliveries)s"
    ),
    "options-changed": gettext_lazy("changed the choices: %(changed)s"),
    "imported": gettext_lazy("imported hands: %(recorded)s new, %(refused)s refused"),
    "season-imported": gettext_lazy("brought a season from a file"),
    "erased": gettext_lazy("erased a name"),
    "audit-failed": gettext_lazy("the audit found %(findings)s things that do not hold"),
    "hand-revised": gettext_lazy("corrected hand %(hand)s of %(night)s"),
    "hand-voided": gettext_lazy("took hand %(hand)s of %(night)s back"),
    "night-closed": gettext_lazy("closed %(night)s"),
    "night-reopened": gettext_lazy("opened %(night)s again"),
    "payment-promised": gettext_lazy("%(payer)s to %(payee)s, %(chips)s chips: sent"),
    "payment-confirmed": gettext_lazy("%(payer)s to %(payee)s, %(chips)s chips: confirmed"),
    "payment-disputed": gettext_lazy("%(payer)s to %(payee)s, %(chips)s chips: disputed"),
    "payment-withdrawn": gettext_lazy("%(payer)s to %(payee)s, %(chips)s chips: undone"),
}
# The league's settings, as the settings page names them.
CHOICES: dict[str, Promise] = {
    "currency": gettext_lazy("the currency"),
    "time_zone": gettext_lazy("the time zone"),
    "chip_value": gettext_lazy("the smallest chip"),
    "closing_hour": gettext_lazy("the closing hour"),
    "settles": gettext_lazy("when payments are planned"),
    "uncounted": gettext_lazy("nights that nobody counted"),
    "leftover": gettext_lazy("pots that nobody won"),
    "banker": gettext_lazy("whom payments go through"),
    "joined": gettext_lazy("what phones may that joined"),
    "corrections": gettext_lazy("who corrects closed nights"),
    "inviters": gettext_lazy("who is shown the code"),
    "approves": gettext_lazy("whether a host says yes to phones"),
    "denominations": gettext_lazy("the chips on the table"),
    "charge_limit": gettext_lazy("which charges wait for a yes"),
    "waits_below": gettext_lazy("which payments wait"),
    "seven_deuce": gettext_lazy("the bounty of 7-2"),
    "high_hand": gettext_lazy("the high hand of the night"),
    "season_high_hand": gettext_lazy("the high hand of the season"),
    "bad_beat": gettext_lazy("what a bad beat brings"),
    "fund_each": gettext_lazy("what goes into the fund"),
    "fund_keeper": gettext_lazy("who keeps the fund"),
}


@login_required
@require_safe
def page(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    done = logged_actions(league, before=_before(request))
    context = {
        "league": league,
        "lines": list(_lines(done)),
        "more": done[-1].at.isoformat() if len(done) == MOST else "",
    }
    return render(request, "leagues/activity_log.html", context)


def _before(request: HttpRequest) -> datetime | None:
    text = request.GET.get("before", "")
    try:
        before = datetime.fromisoformat(text) if text else None
    except ValueError:
        raise Http404 from None
    if before and before.tzinfo is None:
        raise Http404
    return before


def _lines(done: list[LoggedAction]) -> Iterator[dict[str, object]]:
    for action in done:
        values = action.about | {"of": _called(action.of)}
        if action.kind == "options-changed":
            names = str(values["changed"]).split(", ")
            values["changed"] = ", ".join(str(CHOICES.get(name, name)) for name in names)
        yield {
            "at": action.at,
            "by": _called(action.by) if action.by else "",
            "said": str(WORDS[action.kind]) % values,
            "reason": action.about.get("reason", ""),
        }


def _called(user: object) -> str:
    """Return the name of the phone's player, or else the username."""
    return str(getattr(user, "first_name", "") or user or gettext_lazy("somebody who is gone"))

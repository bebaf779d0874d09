"""Who did what in a league, for its hosts."""

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from league.access import Action, find_league
from league.audit_log import MOST, LoggedAction, logged_actions

WORDS: dict[str, Promise] = {
    "signed-in": _("signed in"),
    "wrong-password": _("somebody tried a wrong password"),
    "locked-out": _("too many wrong passwords: locked out for a while"),
    "password-changed": _("changed the password"),
    "password-reset": _("set a new password by a letter"),
    "password-link-made": _("made a link by which %(of)s sets a new password"),
    "password-link-used": _("set a new password by a link"),
    "username-changed": _("changed the name to sign in by"),
    "email-changed": _("changed the e-mail address"),
    "second-factor-added": _("asks for a code when signing in"),
    "second-factor-removed": _("asks for no code any more when signing in"),
    "recovery-codes-made": _("made new recovery codes"),
    "passkey-added": _("added a passkey"),
    "passkey-removed": _("took a passkey away"),
    "push-added": _("lets a phone take notices"),
    "push-ended": _("lets a phone take no notices any more"),
    "sessions-ended": _("signed out elsewhere"),
    "sign-in-linked": _("linked a way to sign in"),
    "sign-in-unlinked": _("unlinked a way to sign in"),
    "payment-method-added": _("added a way to be paid"),
    "payment-method-removed": _("took a way to be paid away"),
    "token-made": _("made a token that may %(scope)s"),
    "token-ended": _("ended a token of %(of)s"),
    "link-made": _("made a feed link"),
    "link-ended": _("ended a feed link"),
    "role-changed": _("made %(of)s %(role)s"),
    "member-removed": _("took %(of)s out of the league"),
    "code-renewed": _("issued a new code"),
    "invited": _("made an invitation"),
    "invitation-ended": _("ended an invitation"),
    "joined": _("joined"),
    "join-asked": _("a phone asked to join"),
    "join-refused": _("turned away a phone that asked to join"),
    "name-released": _("freed the name of %(of)s"),
    "phone-signed-out": _("signed a phone of %(of)s out"),
    "receipt-shared": _("made a link to the receipt of night %(night)s"),
    "receipt-unshared": _("ended the links to the receipt of night %(night)s"),
    "hand-shared": _("made a link to hand %(hand)s of night %(night)s"),
    "hand-unshared": _("ended the links to hand %(hand)s of night %(night)s"),
    "screen-shared": _("made a link to the table screen of night %(night)s"),
    "screen-unshared": _("ended the links to the table screen of night %(night)s"),
    "answers-shared": _("made a link to answer by"),
    "answers-unshared": _("ended the link to answer by"),
    "chat-added": _("has a chat told of the nights: %(service)s"),
    "chat-ended": _("has a chat told no more: %(service)s"),
    "webhook-made": _("made a webhook"),
    "webhook-changed": _("changed of a webhook: %(changed)s"),
    "webhook-renewed": _("made the secret of a webhook anew"),
    "webhook-stopped": _("a webhook that took nothing any more was switched off"),
    "webhook-started": _("switched a webhook on again"),
    "webhook-retired": _("put a webhook out of use"),
    "webhook-resent": _("had a webhook told again of %(since)s to %(until)s: %(deliveries)s"),
    "options-changed": _("changed the choices: %(changed)s"),
    "imported": _("imported hands: %(recorded)s new, %(refused)s refused"),
    "season-imported": _("brought a season from a file"),
    "erased": _("erased a name"),
    "audit-failed": _("the audit found %(findings)s things that do not hold"),
    "hand-revised": _("corrected hand %(hand)s of %(night)s"),
    "hand-voided": _("took hand %(hand)s of %(night)s back"),
    "night-closed": _("closed %(night)s"),
    "night-reopened": _("opened %(night)s again"),
    "payment-promised": _("%(payer)s to %(payee)s, %(chips)s chips: sent"),
    "payment-confirmed": _("%(payer)s to %(payee)s, %(chips)s chips: confirmed"),
    "payment-disputed": _("%(payer)s to %(payee)s, %(chips)s chips: disputed"),
    "payment-withdrawn": _("%(payer)s to %(payee)s, %(chips)s chips: undone"),
}
# What a league chooses, as it is called in its own page.
CHOICES: dict[str, Promise] = {
    "currency": _("the currency"),
    "time_zone": _("the time zone"),
    "chip_value": _("the smallest chip"),
    "closing_hour": _("the closing hour"),
    "settles": _("when payments are planned"),
    "uncounted": _("nights that nobody counted"),
    "leftover": _("pots that nobody won"),
    "banker": _("whom payments go through"),
    "joined": _("what phones may that joined"),
    "corrections": _("who corrects closed nights"),
    "inviters": _("who is shown the code"),
    "approves": _("whether a host says yes to phones"),
    "denominations": _("the chips on the table"),
    "charge_limit": _("which charges wait for a yes"),
    "waits_below": _("which payments wait"),
    "seven_deuce": _("the bounty of 7-2"),
    "high_hand": _("the high hand of the night"),
    "season_high_hand": _("the high hand of the season"),
    "bad_beat": _("what a bad beat brings"),
    "fund_each": _("what goes into the fund"),
    "fund_keeper": _("who keeps the fund"),
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
    told = request.GET.get("before", "")
    try:
        before = datetime.fromisoformat(told) if told else None
    except ValueError:
        raise Http404 from None
    if before and before.tzinfo is None:
        raise Http404
    return before


def _lines(done: list[LoggedAction]) -> Iterator[dict[str, object]]:
    for each in done:
        told = each.about | {"of": _called(each.of)}
        if each.kind == "options-changed":
            names = str(told["changed"]).split(", ")
            told["changed"] = ", ".join(str(CHOICES.get(name, name)) for name in names)
        yield {
            "at": each.at,
            "by": _called(each.by) if each.by else "",
            "said": str(WORDS[each.kind]) % told,
            "reason": each.about.get("reason", ""),
        }


def _called(user: object) -> str:
    """Return the name of a phone's player, else the name by which somebody signs in."""
    return str(getattr(user, "first_name", "") or user or _("somebody who is gone"))

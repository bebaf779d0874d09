"""Name the game of the next deal: three proposals, then all games, those that do not fit dimmed."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from league.access import Action, find_night, may_deal
from league.deals import proposals
from league.deals.open_deal import is_playable, name_game, open_deal
from league.deals.proposals import Choices
from league.deals.rules_card import NamedGame, read_game
from league.games.odds import players_of
from league.models import Deal, Night, Player, User
from league.nights import nights
from league.pages.deals.views import done
from league.pages.parts.visitor import signed_in

WHY: dict[str, Promise] = {
    "again": gettext_lazy("Deal again: the pot is carried"),
    "not-lately": gettext_lazy("Not dealt lately"),
    "often": gettext_lazy("Dealt here most"),
}


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A game that can be named; `why` says why it is proposed, or does not fit."""

    slug: str
    name: str
    also: str
    why: str
    fits: bool


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.LOOK, night_id)
    dealer = _dealer(night)
    if not may_deal(request.user, dealer, night.league):
        raise PermissionDenied
    if request.method == "POST":
        return _name(request, night, dealer)
    standing = open_deal(night)
    if standing and is_playable(standing):
        return redirect("night", night.pk)
    found = proposals.choices(night)
    context = {
        "night": night,
        "league": night.league,
        "dealer": dealer,
        "key": uuid4(),
        "proposals": [_proposed(found, each.slug, each.why) for each in found.proposals],
        "games": [_choice(found, slug) for slug in _in_order(found)],
        "seated": found.seated,
    }
    return render(request, "deals/choose.html", context)


def _name(request: HttpRequest, night: Night, dealer: Player | None) -> HttpResponse:
    slug = request.POST.get("variant", "")
    try:
        key = UUID(request.POST.get("key", ""))
    except ValueError:
        key = uuid4()
    return done(request, night, _named, key, slug, dealer=dealer, by=signed_in(request))


def _named(night: Night, key: UUID, slug: str, *, dealer: Player | None, by: User) -> Deal:
    return name_game(night, key, _with_usual(night, slug), dealer=dealer, by=by)


def _with_usual(night: Night, slug: str) -> NamedGame:
    """Return the game with the choices that the league made when it last played it.

    Facts are asked anew with every hand, and a choice that the game has no more is left out.
    """
    form = read_game(night, NamedGame(slug)).form
    words = {
        option["name"]: {choice["name"] for choice in option.get("choices", ())}
        for option in form["options"]
        if not option["asked"]
    }
    usual = proposals.usual(night, slug)
    return NamedGame(slug, (), {n: word for n, word in usual.items() if word in words.get(n, ())})


def _dealer(night: Night) -> Player | None:
    seat = nights.dealer(night)
    return Player.objects.get(pk=seat.player_id) if seat else None


def _in_order(found: Choices) -> list[str]:
    """Return all games: tonight's, what the league deals most, the rest by name."""
    named = sorted(found.documents, key=lambda slug: str(found.documents[slug]["name"]).lower())
    first = [each for each in (*found.dealt.tonight, *found.dealt.often) if each in found.documents]
    return list(dict.fromkeys([*first, *named]))


def _proposed(found: Choices, slug: str, why: str) -> GameChoice:
    seated = ngettext("Fits %(n)s player", "Fits %(n)s players", found.seated)
    text = str(WHY[why]) if why in WHY else seated % {"n": found.seated}
    return GameChoice(slug, str(found.documents[slug]["name"]), "", text, True)


def _choice(found: Choices, slug: str) -> GameChoice:
    document, fits = found.documents[slug], found.fits(slug)
    meant_for = players_of(document)
    told = {"least": meant_for.start, "most": meant_for.stop - 1}
    why = "" if fits else _("for %(least)s to %(most)s players") % told
    return GameChoice(
        slug, str(document["name"]), ", ".join(document.get("aliases", ())), why, fits
    )

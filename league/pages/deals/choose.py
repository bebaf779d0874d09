"""Name the game of the next deal: a search, what was dealt lately, all games by family."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.access import Action, find_night, may_deal
from league.deals import proposals
from league.deals.open_deal import is_playable, name_game
from league.deals.proposals import SEEDS, Choices, Why, family_of
from league.deals.table import NamedGame, Table, read_game
from league.games import titles
from league.games.odds import players_of
from league.models import Deal, Hand, Night, Player, User
from league.pages.deals.views import done
from league.pages.games import finder
from league.pages.parts.dealt_here import dealt_here
from league.pages.parts.visitor import signed_in

MOST_LATELY = 8  # games on the first shelf
WHY: dict[str, Promise] = {
    "match": gettext_lazy("The match goes on"),
    "again": gettext_lazy("Deal again: the pot is carried"),
}
SUGGESTED: dict[Why, Promise] = {
    Why.FAVOURITE: gettext_lazy("A favourite"),
    Why.DEALT: gettext_lazy("Not dealt lately"),
    Why.NEW: gettext_lazy("Never dealt here"),
}


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A game to choose. `why` is the reason why it is suggested or does not fit.

    `told` is the text that scripts search. `dealt` is how often the league has dealt it.
    """

    slug: str
    name: str
    why: str
    also: str = ""
    fits: bool = True
    told: str = ""
    starred: bool = False
    dealt: int = 0


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.LOOK, night_id)
    table = Table(night)
    dealer = _dealer(table)
    if not may_deal(request.user, dealer, night.league):
        raise PermissionDenied
    if request.method == "POST":
        return _name(request, night, dealer)
    standing = table.open_deal
    if standing and is_playable(standing):
        return redirect("night", night.pk)
    found = proposals.choices(table, dealt_here(night, signed_in(request)))
    seed = _seed(request, night)
    context = {
        "night": night,
        "league": night.league,
        "dealer": dealer,
        "key": uuid4(),
        "proposals": [_proposed(found, each.slug, WHY[each.why]) for each in found.proposals],
        "suggested": [
            _proposed(found, each.slug, SUGGESTED[each.why]) for each in found.suggested(seed)
        ],
        "why": {why.value: text for why, text in SUGGESTED.items()},
        "seed": f"{seed:04}",
        "shaken": f"{(seed + 1) % SEEDS:04}",
        "shelves": _shelves(found),
        "finder": finder.chips(finder.known_kinds(found.dealt), found.seated),
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
    """Return the game with the choices of the current match, or of the last time it was played.

    Facts are left out, as they differ by hand. Choices that the game no longer has are dropped.
    """
    match = Table(night).match
    goes_on = match if match and match.variant == slug else None
    form = read_game(night, NamedGame(slug)).form
    words = {
        option["name"]: {choice["name"] for choice in option.get("choices", ())}
        for option in form["options"]
        if not option["asked"]
    }
    if goes_on:
        options = goes_on.next["options"]
        return NamedGame(slug, goes_on.modifiers, {n: options[n] for n in options if n in words})
    usual = proposals.usual(night, slug)
    return NamedGame(slug, (), {n: word for n, word in usual.items() if word in words.get(n, ())})


def _dealer(table: Table) -> Player | None:
    seat = table.dealer
    return seat.player if seat else None


def _seed(request: HttpRequest, night: Night) -> int:
    """Return the number that the address asks for; else the one of this hand, on every phone."""
    asked = request.GET.get("draw", "")
    if asked.isascii() and asked.isdigit() and len(asked) <= len(str(SEEDS - 1)):
        return int(asked)
    last = Hand.objects.filter(night=night).aggregate(last=Max("number"))["last"]
    return proposals.seed_of(night, last or 0)


def _shelves(found: Choices) -> list[tuple[str, list[GameChoice]]]:
    """Return all games, each once: what was dealt lately first, favourites, then by family."""
    known, documents = found.dealt, found.documents
    named = sorted(documents, key=lambda slug: str(documents[slug]["name"]).lower())
    families = {slug: family_of(slug, documents[slug]) for slug in named}
    lately = list(dict.fromkeys([*known.tonight, *known.latest, *known.hands]))[:MOST_LATELY]
    shelves: list[tuple[str, Iterable[str]]] = [
        (_("Dealt lately"), lately),
        (_("Favourites"), [slug for slug in named if slug in known.starred]),
        (_("Dealt everywhere"), known.everywhere),
        *(
            (titles.family(family), [slug for slug in named if families[slug] == family])
            for family in sorted({*families.values()}, key=titles.family_place)
        ),
    ]
    drawn, placed = [], set[str]()
    for title, slugs in shelves:
        left = [slug for slug in slugs if slug in documents and slug not in placed]
        placed.update(left)
        drawn.extend([(title, [_choice(found, slug) for slug in left])] if left else [])
    return drawn


def _proposed(found: Choices, slug: str, why: str | Promise) -> GameChoice:
    return GameChoice(slug, str(found.documents[slug]["name"]), str(why))


def _choice(found: Choices, slug: str) -> GameChoice:
    document, fits, known = found.documents[slug], found.fits(slug), found.dealt
    meant_for = players_of(document)
    counted = {"least": meant_for.start, "most": meant_for.stop - 1}
    return GameChoice(
        slug=slug,
        name=str(document["name"]),
        why="" if fits else _("for %(least)s to %(most)s players") % counted,
        also=", ".join(document.get("aliases", ())),
        fits=fits,
        told=finder.row_of(slug, document, known),
        starred=slug in known.starred,
        dealt=known.hands.get(slug, 0),
    )

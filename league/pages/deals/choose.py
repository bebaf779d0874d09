"""Choose the next deal's game: a search, recent games, and all games by family."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.access import Action, find_night, may_deal
from league.charges import side_games
from league.common.text import name_order
from league.deals import proposals
from league.deals.open_deal import is_playable, name_game, replace_game
from league.deals.proposals import SEEDS, Choices, Why, family_of
from league.deals.table import NamedGame, Table, is_dealt_again, read_game
from league.games import titles
from league.games.odds import players_of
from league.models import Deal, Hand, Night, Player, User
from league.nights.nights import DOCUMENT, hands
from league.pages.deals.views import act_on_deal
from league.pages.games import finder
from league.pages.parts.visitor import signed_in

MOST_LATELY = 8  # maximum number of games in the first group
WHY: dict[str, Promise] = {
    "match": gettext_lazy("Continue the match"),
    "again": gettext_lazy("Deal again: the pot carries over"),
}
SUGGESTED: dict[Why, Promise] = {
    Why.FAVOURITE: gettext_lazy("Favourite"),
    Why.DEALT: gettext_lazy("Not played lately"),
    Why.NEW: gettext_lazy("New to this league"),
}


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A game to choose. `why` explains why it is suggested or does not fit.

    `search_text` is the text that scripts search. `dealt` is how often the game was
    dealt in the league.
    """

    slug: str
    name: str
    why: str
    also: str = ""
    fits: bool = True
    search_text: str = ""
    starred: bool = False
    dealt: int = 0


@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.VIEW, night_id)
    table = Table(night)
    current = table.open_deal
    dealer: Player | None = current.dealer if current else None
    if dealer is None and table.dealer:
        dealer = table.dealer.player
    instead = current if current and _id_in(request, "instead") == current.pk else None
    if not may_deal(request.user, dealer, night.league):
        raise PermissionDenied
    if request.method == "POST":
        slug = request.POST.get("variant", "")
        key, by = _id_in(request, "key") or uuid4(), signed_in(request)
        dealer_or_deal = {"instead": instead.pk} if instead else {"dealer": dealer}
        return act_on_deal(request, night, _name_as_usual, key, slug, by=by, **dealer_or_deal)
    if current and not instead and is_playable(current):
        return redirect("night", night.pk)
    choices = proposals.choices(table, finder.dealt_here(night, signed_in(request)))
    draw = request.GET.get("draw", "")
    if draw.isascii() and draw.isdigit() and len(draw) <= len(str(SEEDS - 1)):
        seed = int(draw)
    else:  # this hand's seed, which is the same on all phones
        last = Hand.objects.filter(night=night).aggregate(last=Max("number"))["last"]
        seed = proposals.seed_of(night, last or 0)
    context = {
        "night": night,
        "league": night.league,
        "dealer": dealer,
        "instead": instead,
        "key": uuid4(),
        "proposals": [
            *_bomb_pot(choices, table),
            *(_proposed(choices, game.slug, WHY[game.why]) for game in choices.proposals),
        ],
        "suggested": [
            _proposed(choices, game.slug, SUGGESTED[game.why]) for game in choices.suggested(seed)
        ],
        "why": {why.value: text for why, text in SUGGESTED.items()},
        "seed": f"{seed:04}",
        "shaken": f"{(seed + 1) % SEEDS:04}",
        "shelves": _games_by_group(choices),
        "finder": finder.chips(finder.known_kinds(choices.dealt), choices.seated),
        "seated": choices.seated,
    }
    return render(request, "deals/choose.html", context)


def _id_in(request: HttpRequest, name: str) -> UUID | None:
    """Return the id that the form or the address contains."""
    try:
        return UUID(request.POST.get(name) or request.GET.get(name, ""))
    except ValueError:
        return None


def _bomb_pot(choices: Choices, table: Table) -> list[GameChoice]:
    """Return the bomb pot, if it is due and no match is running."""
    night = table.night
    if not night.league.bomb_pot_every or table.match:
        return []
    newest_first = hands(night).defer(DOCUMENT, "answer", "names").order_by("-hand__number")
    if not side_games.is_bomb_pot_due(night.league, newest_first):
        return []
    slug = side_games.best_known_bomb_pot()
    fits = choices.fits(slug)
    return [_proposed(choices, slug, side_games.bomb_pot_reminder(night.league))] if fits else []


def _name_as_usual(
    night: Night,
    key: UUID,
    slug: str,
    *,
    by: User,
    dealer: Player | None = None,
    instead: UUID | None = None,
) -> Deal:
    """Name the game with the choices from the current match, or from when it was last played.

    If the last game is dealt again, its variations are kept. Facts are left out because they differ
    between hands. Choices that no longer exist in the game are dropped. The deal `instead` is
    cancelled.
    """
    table = Table(night)
    match, last = table.match, table.last_hand
    form = read_game(night, NamedGame(slug)).form
    words = {
        option["name"]: {choice["name"] for choice in option.get("choices", ())}
        for option in form["options"]
        if not option["asked"]
    }
    modifiers: Sequence[str] = ()
    if match and match.variant == slug:
        modifiers = match.modifiers
        options = {n: word for n, word in match.next["options"].items() if n in words}
    else:
        usual = proposals.usual_options(night, slug)
        options = {n: word for n, word in usual.items() if word in words.get(n, ())}
        if last and is_dealt_again(last) and last.record["variant"] == slug:
            modifiers = last.record.get("modifiers", ())
    named = NamedGame(slug, modifiers, options)
    if instead:
        return replace_game(night, instead, key, named, by=by)
    return name_game(night, key, named, dealer=dealer, by=by)


def _games_by_group(choices: Choices) -> list[tuple[str, list[GameChoice]]]:
    """Return all games, keyed by group title.

    Each game is listed only in the first matching group.
    """
    dealt, documents = choices.dealt, choices.documents
    named = sorted(documents, key=lambda slug: name_order(str(documents[slug]["name"])))
    families = {slug: family_of(slug, documents[slug]) for slug in named}
    lately = list(dict.fromkeys([*dealt.tonight, *dealt.latest, *dealt.hands]))[:MOST_LATELY]
    shelves: list[tuple[str, Iterable[str]]] = [
        (_("Played lately"), lately),
        (_("Favourites"), [slug for slug in named if slug in dealt.starred]),
        (_("Popular everywhere"), dealt.everywhere),
        *(
            (titles.family(family), [slug for slug in named if families[slug] == family])
            for family in sorted({*families.values()}, key=titles.family_place)
        ),
    ]
    groups, placed = [], set[str]()
    for title, slugs in shelves:
        left = [slug for slug in slugs if slug in documents and slug not in placed]
        placed.update(left)
        games = []
        for slug in left:
            document, fits = documents[slug], choices.fits(slug)
            meant_for = players_of(document)
            counted = {"least": meant_for.start, "most": meant_for.stop - 1}
            games.append(
                GameChoice(
                    slug=slug,
                    name=str(document["name"]),
                    why="" if fits else _("for %(least)s to %(most)s players") % counted,
                    also=", ".join(document.get("aliases", ())),
                    fits=fits,
                    search_text=finder.row_of(slug, document, dealt),
                    starred=slug in dealt.starred,
                    dealt=dealt.hands.get(slug, 0),
                )
            )
        if games:
            groups.append((title, games))
    return groups


def _proposed(choices: Choices, slug: str, why: str | Promise) -> GameChoice:
    return GameChoice(slug, str(choices.documents[slug]["name"]), str(why))

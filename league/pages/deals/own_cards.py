"""Pages on which players enter their own cards and the board at the showdown."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.access import Action, find_night, may, may_declare_for, player_of
from league.common.errors import NightClosedError, RefusedError
from league.common.text import whole_number
from league.deals.open_deal import open_deal
from league.deals.shown_cards import (
    agreed_cards,
    card_entries,
    choose_version,
    fields_of,
    show_cards,
)
from league.deals.table import HOLDING, Game, game_of
from league.models import Night, Player
from league.pages.deals.panel import drawn_lines
from league.pages.deals.views import act_on_deal, night_and_deal
from league.pages.games.board import board as board_layout
from league.pages.games.board import row_title, slot_letters, slot_turns
from league.pages.parts.answer_view import ZONES, words
from league.pages.parts.forms import NIGHT_CLOSED
from league.pages.parts.visitor import signed_in

SEEN = "seen/"  # before the name of a field: the cards that the form displayed


@dataclass(frozen=True, slots=True, kw_only=True)
class CardField:
    """A card field, filled in with card buttons, and its problems.

    `seen` contains the cards that the form displays first. `turns` contains the places of a board
    row's slots in the order of the deal.
    """

    name: str
    label: str
    text: str
    seen: str
    least: int
    most: int
    group: str = "hand"
    unseen: bool = False
    letters: str = ""
    turns: str = ""
    errors: tuple[str, ...] = ()


@require_http_methods(["GET", "HEAD", "POST"])
def own_cards(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Show the visitor's cards and the board, or store those that are not empty.

    With `?board`, the page shows only the board. The board can be entered by players and by
    recorders who do not play.
    """
    night = find_night(request.user, Action.VIEW, night_id)
    own = player_of(request.user, night.league)
    plays = own is not None and may_declare_for(request.user, own, night.league)
    if not (plays or may(request.user, Action.RECORD_HANDS, night.league)):
        raise PermissionDenied
    if request.method != "POST":
        return _draw(request, night, own, {})
    _night, deal_id = night_and_deal(request, night.pk)
    if "choose" in request.POST:
        return _choose(request, night, deal_id)
    by = signed_in(request)
    typed = {name: str(text) for name, text in request.POST.items()}
    seen = {n.removeprefix(SEEN): text for n, text in typed.items() if n.startswith(SEEN)}
    hand = {name: text for name, text in typed.items() if name in ("down", "up")}
    board = {name: text for name, text in typed.items() if name.startswith("board/")}
    wrong: dict[str, list[str]] = {}
    for player, cards in ((own, hand if own else {}), (None, board)):
        try:
            if any(text.strip() != seen.get(name, "") for name, text in cards.items()):
                show_cards(night, deal_id, player, cards, by=by, seen=seen)
        except RefusedError as refused:
            for error in refused.errors:
                wrong.setdefault(error["where"], []).append(error["text"])
        except NightClosedError:
            wrong.setdefault("cards", []).append(str(NIGHT_CLOSED))
    return _draw(request, night, own, wrong, typed) if wrong else redirect("night", night.pk)


def _choose(request: HttpRequest, night: Night, deal_id: UUID) -> HttpResponse:
    """Choose one of several versions of the board."""
    entry, field = whole_number(request.POST["choose"]), request.POST.get("field", "")
    return act_on_deal(request, night, choose_version, deal_id, entry or 0, field)


def _draw(
    request: HttpRequest,
    night: Night,
    own: Player | None,
    wrong: dict[str, list[str]],
    typed: dict[str, str] | None = None,
) -> HttpResponse:
    deal = open_deal(night)
    if deal is None:
        return redirect("night", night.pk)
    game, entries = game_of(deal), card_entries(deal)
    row = deal.players.filter(player=own).first() if own else None
    holds = row is not None and row.state in HOLDING and "board" not in request.GET
    agreed = agreed_cards(entries)
    names = {row.player_id: row.player.name for row in entries if row.player != own and row.player}
    hand = _fields(game, own, agreed, wrong, typed) if holds else []
    board = _fields(game, None, agreed, wrong, typed)
    context = {
        "night": night,
        "league": night.league,
        "deal": deal,
        "deck": " ".join(game.form["deck"]),
        "name": game.form["name"],
        "own": own,
        "hand": hand,
        "board": board,
        "zones": [*hand, *board],
        "shape": board_layout(game.card["board"], lines) if (lines := drawn_lines(game)) else None,
        # The other players' cards are no longer in the deck.
        "claimed": [
            (name, " ".join(agreed[player].values()))
            for player, name in names.items()
            if player in agreed
        ],
        "errors": wrong.get("cards", ()),
        "words": words(),
    }
    return render(request, "deals/own_cards.html", context)


def _fields(
    game: Game,
    player: Player | None,
    agreed: Mapping[UUID | None, Mapping[str, str]],
    wrong: dict[str, list[str]],
    typed: dict[str, str] | None,
) -> list[CardField]:
    cards = agreed.get(player.pk if player else None, {})
    fields = []
    for name, most in fields_of(game, player).items():
        row = 0 if player else int(name.partition("/")[2])
        if player:
            label = f"{player}, {ZONES[name]}"
        elif len(game.form["board"]) == 1:
            label = _("Board")
        else:
            label = _("Board, %(row)s") % {"row": row_title(game.variant, row + 1).lower()}
        fields.append(
            CardField(
                name=name,
                label=label,
                text=(typed or cards).get(name, ""),
                seen=(typed or {}).get(f"{SEEN}{name}", cards.get(name, "")),
                least=int(game.form[name]["least"]) if player else most,
                most=most,
                letters="" if player else slot_letters(game.form, row),
                turns="" if player else slot_turns(game.variant, game.form, row),
                unseen=name == "down" and bool(game.form["unturned"]),
                errors=tuple(wrong.get(name, ())),
            )
        )
    return fields

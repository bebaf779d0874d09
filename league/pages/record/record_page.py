"""The recording page: what a game's form asks, filled with what is typed so far.

Every field that came in is on the page again, in its place or hidden, so that nothing is lost.
"""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from league.deals.proposals import Dealt
from league.pages.games.finder import chips, known_kinds
from league.pages.parts.match_view import MatchView, match_view
from league.pages.record.field_names import Fields, a_list, rows_of
from league.pages.record.game_part import dealt_in, depths, games, known_by, modifiers, options
from league.pages.record.layout import Game, Page
from league.pages.record.questions import NO_HOUSE, Draft, House, asked, readable
from league.pages.record.read_form import after_showdown
from league.pages.record.seats_part import board, rounds, seat, shape, shared

# Fields that carry no part of the record.
BESIDE = frozenset(
    {
        "csrfmiddlewaretoken",
        "key",
        "deal",
        "drawn",
        "paste",
        "fill",
        "reason",
        "dealt",
        "shown",
        "seen",
        "number",
        "after",
    }
)


def page(
    fields: Fields,
    faults: Mapping[str, Sequence[str]],
    dealt: Dealt,
    house: House = NO_HOUSE,
    *,
    lists_games: bool = True,
) -> Page:
    """Return the page for what is typed so far, with each problem beside its field."""
    fields = after_showdown(fields)
    draft = Draft(fields, asked(fields, house), faults, house)
    drawn = _page(draft, dealt, games(draft, dealt) if lists_games else [])
    return _with_hidden(drawn, draft)


def _page(draft: Draft, dealt: Dealt, games_offered: list[tuple[str, list[Game]]]) -> Page:
    form = draft.form
    return Page(
        games=games_offered,
        known=known_by(dealt),
        finder=chips(known_kinds(dealt), dealt_in(draft)),
        starred=draft.text("variant") in dealt.starred,
        game=form["name"] or draft.text("variant"),
        by=form["by"],
        players=tuple(form["players"]) if draft.text("variant") and "players" in form else None,
        modifiers=modifiers(draft),
        options=list(options(draft)),
        depths=depths(draft.text("depth")),
        deck=" ".join(form["deck"]),
        bank=form["bank"],
        against_pot=form["against_pot"],
        late_folds=form["late_folds"],
        by_chips=form["declare"] == "high-low",
        all_paid=draft.box("all_paid", _("Everyone in for")),
        pot=draft.box("pot", _("The pot")),
        shared=list(shared(draft)),
        shares_cards=bool(form["shared"]),
        shape=shape(draft),
        seats=[seat(draft, row) for row in rows_of(draft.fields)],
        board=list(board(draft)),
        carried_pots=_carried_pots(draft),
        carried=draft.box("carried", _("Carried from an earlier hand")),
        match=_match(draft),
        rounds=list(rounds(draft)),
        more=draft.box("more", _("Other parts of the record, as JSON")),
        errors=draft.errors,
    )


def _carried_pots(draft: Draft) -> list[tuple[int, list[str]]]:
    """Return the carried pots that only some may win, with their names."""
    pots = a_list(readable(draft.fields).get("carried"))
    told = [pot for pot in pots if isinstance(pot, dict) and isinstance(pot.get("for"), list)]
    return [(pot.get("amount", 0), [str(name) for name in pot["for"]]) for pot in told]


def _match(draft: Draft) -> MatchView | None:
    """Return what the deal found of its match; none where the record names none."""
    found = readable(draft.fields).get("match")
    return match_view(found) if isinstance(found, dict) else None


def _with_hidden(drawn: Page, draft: Draft) -> Page:
    """Return the page with every field that it has no place for, hidden."""
    placed = set(_placed(drawn)) | BESIDE
    kept = [
        (name, text) for name, texts in draft.fields.items() if name not in placed for text in texts
    ]
    drawn.hidden.extend(kept)
    return drawn


def _placed(drawn: Page) -> Iterator[str]:
    yield from ("variant", "modifiers", "depth", "all_paid", "carried")
    yield from ("button",) if any(each.deals for each in drawn.seats) else ()
    yield from (option.name for option in drawn.options)
    yield from (zone.name for zone in drawn.board)
    yield from (zone.name for zones in drawn.rounds for zone in zones)
    yield from (name for each in drawn.shared for name in (each.card.name, f"{each.card.name}/for"))
    yield from ("pot",) if drawn.by_result else ()
    yield from ("winner",) if drawn.by_result else ()
    yield from ("showed", "late") if drawn.asks_who_showed else ()
    yield from ("more",) if drawn.more.text else ()
    for each in drawn.seats:
        at = f"players/{each.row}"
        yield from (f"{at}/{part}" for part in ("name", "state", "paid", "dead", "took", "out"))
        yield from (zone.name for zone in each.zones)
        yield from (f"{at}/declared",) if each.declared else ()
        yield from (f"{at}/more",) if each.more.text else ()

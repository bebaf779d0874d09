"""The recording page: what a game's form asks, filled with what is typed so far.

Every field that came in is on the page again, in its place or hidden, so that nothing is lost.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.deals.proposals import Dealt
from league.games import titles
from league.games.odds import players_of
from league.pages.games.board import Board
from league.pages.games.board import board as laid_out
from league.pages.games.finder import chips, known_kinds, row_of
from league.pages.parts.answer_view import ZONES, MatchView, match_view
from league.pages.parts.forms import option_in, word_in_field
from league.pages.record.layout import OUT, Choice, Game, Option, Page, Seat, Shared, Zone
from league.pages.record.questions import NO_HOUSE, Draft, House, asked, misfits, readable
from league.pages.record.read_form import AWAY, Fields, a_list, after_showdown, is_pile, rows_of
from rules.documents import catalog

# The part of the recording page that names the game, its modifiers and its options.


def games(draft: Draft, dealt: Dealt) -> list[tuple[str, list[Game]]]:
    """Return the games to choose from under titles: favourites, tonight's, the usual, all.

    Where none was dealt yet, the usual are those that are dealt everywhere.
    """
    chosen = draft.text("variant")
    known = {slug: catalog.document(slug) for slug in catalog.slugs()} | dict(draft.house)
    named = sorted(known, key=lambda slug: str(known[slug]["name"]).lower())
    tonight = Counter(dealt.tonight)
    shelves: Sequence[tuple[str, Iterable[str], Mapping[str, int]]] = (
        (_("Tonight"), tonight, tonight),
        (_("Favourites"), [slug for slug in named if slug in dealt.starred], dealt.hands),
        (_("Dealt here most"), dealt.often, dealt.hands),
        (_("Dealt everywhere"), dealt.everywhere, dealt.hands),
        (_("All games"), named, dealt.hands),
    )
    offered, placed = [], set[str]()
    for title, slugs, hands in shelves:
        left = [slug for slug in slugs if slug in known and slug not in placed]
        placed.update(left)
        found = [_game(slug, known[slug], draft, hands.get(slug, 0)) for slug in left]
        offered.extend([(title, found)] if found else [])
    if chosen and chosen not in known:
        offered.insert(0, ("", [Game(chosen, chosen, chosen=True)]))
    return offered


def known_by(dealt: Dealt) -> dict[str, str]:
    """Return how the league knows games, for scripts: slugs by the kind that they are of."""
    kinds = {
        "favourite": dealt.starred,
        "loved": dealt.loved,
        "dealt": dealt.ever,
        "lately": dealt.lately,
    }
    return {kind: " ".join(sorted(slugs)) for kind, slugs in kinds.items()}


def _game(slug: str, document: Mapping[str, Any], draft: Draft, hands: int) -> Game:
    """Return a game as it is listed; `hands` is how often it was dealt."""
    is_house, by = slug in draft.house, str(document.get("by") or "")
    origin = by or (_("house game") if is_house else "")
    return Game(
        value=slug,
        label=document["name"],
        chosen=slug == draft.text("variant"),
        hint=f"{hands}×" if hands else origin,
        also=", ".join(document.get("aliases", ())) if is_house else "",
        meant_for=_meant_for(document, draft),
        told=row_of(slug, document, Dealt()) if is_house else "",
    )


def _meant_for(document: Mapping[str, Any], draft: Draft) -> str:
    """Return for how many the game is, where as many are not dealt in."""
    seated, players = dealt_in(draft), players_of(document)
    if not seated or seated in players:
        return ""
    told = {"least": players.start, "most": players.stop - 1}
    return _("for %(least)s to %(most)s") % told


def dealt_in(draft: Draft) -> int:
    """Return how many are dealt in as far as the form says."""
    return sum(draft.text(f"players/{row}/state") != AWAY for row in rows_of(draft.fields))


def depths(chosen: str) -> list[Choice]:
    """Return the depths; the usual one sends nothing."""
    usual = chosen in ("", "showdown")
    depths = [
        Choice(chosen if usual else "", _("Showdown"), usual),
        Choice("result", _("Result only"), chosen == "result"),
    ]
    return depths if usual or chosen == "result" else [*depths, Choice(chosen, chosen, True)]


def modifiers(draft: Draft) -> list[Choice]:
    """Return the modifiers that fit on what is chosen, and whatever is chosen."""
    chosen = [each for each in draft.fields.get("modifiers", ()) if each]
    fitting = [name for name, misfit in misfits(draft.form, chosen).items() if not misfit]
    shown = list(dict.fromkeys([*fitting, *chosen]))
    if [name for name in shown if name in chosen] != chosen:
        shown = list(dict.fromkeys([*chosen, *fitting]))
    return [Choice(name, titles.variation(name), name in chosen) for name in shown]


def options(draft: Draft) -> Iterator[Option]:
    """Yield what the game asks, then what was typed that it does not ask."""
    known = {f"options/{option['name']}": option for option in draft.form["options"]}
    typed = [name for name in draft.fields if name.startswith("options/") and draft.text(name)]
    for name in dict.fromkeys([*known, *typed]):
        box = draft.box(name, titles.option(name.removeprefix("options/")))
        option = known.get(name, {})
        default = "" if option.get("asked") else str(option.get("default", ""))
        default = word_in_field(default) if option.get("choices") else default
        choices = _choices(option, box.text, default)
        yield Option(box.name, box.label, box.text, box.errors, default=default, choices=choices)


def _choices(option: Mapping[str, Any], text: str, default: str) -> list[Choice]:
    """Return the choices; the default one sends nothing, so that it is the game's to change."""
    choices = option.get("choices", ())
    named = {word_in_field(each["name"]): each.get("text", "") for each in choices}
    if option.get("asked"):
        named = {"": ""} | named
    if named and text:
        named.setdefault(text, "")
    wanted = text or default
    return [
        Choice("" if name == default != text else name, _titled(option, name), name == wanted, hint)
        for name, hint in named.items()
    ]


def _titled(option: Mapping[str, Any], name: str) -> str:
    return titles.choice(option.get("name", ""), str(option_in(name)))


# The part of the recording page that says who did what with which cards, and what lay open.


STATES = {
    "in": gettext_lazy("in"),
    "folded": gettext_lazy("folded"),
    "late": gettext_lazy("folded late"),
    "mucked": gettext_lazy("mucked"),
    "all-in": gettext_lazy("all in"),
    AWAY: gettext_lazy("not dealt in"),
}


def seat(draft: Draft, row: int) -> Seat:
    at = f"players/{row}"
    name, state = draft.text(f"{at}/name"), draft.text(f"{at}/state") or "in"
    return Seat(
        row=row,
        name=name,
        state=state,
        states=_states(draft, state),
        deals=draft.text("button") == str(row),
        wins=draft.text("winner") == str(row),
        showed=str(row) in draft.fields.get("showed", ()),
        late=state == "late",
        declared=_declared(draft, f"{at}/declared"),
        paid=draft.box(f"{at}/paid", _("%(name)s paid") % {"name": name}),
        dead=draft.box(f"{at}/dead", _("Fee or penalty of %(name)s") % {"name": name}),
        took=draft.box(f"{at}/took", _("%(name)s took") % {"name": name}),
        more=draft.box(f"{at}/more", _("Other things about %(name)s, as JSON") % {"name": name}),
        zones=list(_zones(draft, at, name)),
        out=_zone(draft, at, "out", name, {"least": 0, "most": 5}, str(ZONES["out"])),
        name_errors=draft.errors.get(f"{at}/name", ()),
        state_errors=draft.errors.get(f"{at}/state", ()),
        declared_errors=draft.errors.get(f"{at}/declared", ()),
    )


def _states(draft: Draft, state: str) -> list[Choice]:
    fit = [each for each in STATES if each != "late" or draft.form["late_folds"] or state == "late"]
    return [Choice(each, str(STATES[each]), each == state) for each in fit]


def _declared(draft: Draft, name: str) -> list[Choice]:
    """Return the declarations in order (no chip, one, two), and whatever else was declared."""
    said = draft.text(name)
    declarations = list(draft.form["declarations"])
    if said and said not in declarations:
        declarations.append(said)
    # A fist names high and low by its chips; a row by where its chip lies.
    chips = draft.form["declare"] == "high-low"
    return [
        Choice(way, way, way == said, "●" * place if chips else "")
        for place, way in enumerate(declarations)
    ]


def _zones(draft: Draft, at: str, name: str) -> Iterator[Zone]:
    """Yield what counts first: of cards turned one by one, those that never were are aside."""
    order = ("up", "down") if draft.form["unturned"] else ("down", "up")
    asked = [z for z in order if draft.form[z]["most"] or draft.text(f"{at}/{z}")]
    for zone in asked:
        short = str(ZONES[zone]) if len(asked) > 1 else ""
        yield _zone(draft, at, zone, name, draft.form[zone], short)
    yield from _piles(draft, f"{at}/piles", name)


def _piles(draft: Draft, at: str, name: str) -> Iterator[Zone]:
    """Yield the piles that the game lays, and others that are typed; what is wrong with all of
    them stands with the first."""
    sizes = {f"{at}/{pile}": size for pile, size in draft.form["piles"].items()}
    typed = [field for field in draft.fields if field.startswith(f"{at}/") and draft.text(field)]
    for field in dict.fromkeys([*sizes, *filter(_is_pile, typed)]):
        pile, size = field.removeprefix(f"{at}/"), sizes.get(field, 0)
        zone = draft.zone(field, f"{name}, {pile}", short=pile, least=size, most=size)
        first = field == next(iter(sizes), None)
        yield replace(zone, errors=(*draft.errors.get(at, ()), *zone.errors)) if first else zone


def _is_pile(field: str) -> bool:
    return is_pile(field.rpartition("/")[2])


def _zone(draft: Draft, at: str, zone: str, name: str, size: Mapping[str, int], short: str) -> Zone:
    label = f"{name}, {ZONES[zone]}"
    unseen = zone == "out" or (zone == "down" and draft.form["unturned"])
    group = "out" if zone == "out" else "hand"
    sizes = {"least": size["least"], "most": size["most"]}
    aside = zone == "down" and draft.form["unturned"]
    return draft.zone(
        f"{at}/{zone}", label, short=short, unseen=unseen, group=group, aside=aside, **sizes
    )


def board(draft: Draft) -> Iterator[Zone]:
    rows = {f"board/{place}": len(row["slots"]) for place, row in enumerate(draft.form["board"])}
    typed = [name for name in draft.fields if name.startswith("board/") and draft.text(name)]
    for name in dict.fromkeys([*rows, *typed]):
        size = rows.get(name, 0)
        short = _("row %(row)s") % {"row": int(name[6:]) + 1} if len(rows) > 1 else ""
        label = _("Row %(row)s") % {"row": int(name[6:]) + 1} if short else _("Board")
        yield draft.zone(name, label, short=short, least=size, most=size)


def shape(draft: Draft) -> Board | None:
    """Return the board as it lies on the table, where its lines make more of it than rows."""
    form = draft.form
    rows = [row["slots"] for row in form["board"]]
    return laid_out(rows, form["lines"]) if form["lines"] != rows else None


def shared(draft: Draft) -> Iterator[Shared]:
    """Yield the cards that some hold together: as many as are sold or typed, at least one."""
    typed = [name for name in draft.fields if name.startswith("shared/") and draft.text(name)]
    last = max((int(name.split("/")[1]) + 1 for name in typed), default=0)
    for place in range(max(last, draft.form["shared"], 1)):
        name = f"shared/{place}"
        label = _("Shared card")
        card = draft.zone(name, label, short=label, least=0, most=1)
        ticked = draft.fields.get(f"{name}/for", ())
        holders = [
            Choice(str(row), draft.text(f"players/{row}/name"), str(row) in ticked)
            for row in rows_of(draft.fields)
        ]
        yield Shared(card, holders, draft.errors.get(f"{name}/for", ()))


def rounds(draft: Draft) -> Iterator[list[Zone]]:
    """Yield the rounds that are typed and, where the game breaks ties so, one to come."""
    size = draft.form["tiebreak"]
    typed = [name for name in draft.fields if name.startswith("tiebreaks/") and draft.text(name)]
    last = max((int(name.split("/")[1]) + 1 for name in typed), default=0)
    for place in range(last + bool(size)):
        yield [_broken(draft, place, row, size) for row in _may_tie(draft, place)]


def _may_tie(draft: Draft, place: int) -> Iterator[int]:
    """Yield the rows of those still in, and of whoever has cards typed in this round."""
    for row in rows_of(draft.fields):
        is_out = draft.text(f"players/{row}/state") in OUT
        if not is_out or draft.text(f"tiebreaks/{place}/{row}"):
            yield row


def _broken(draft: Draft, place: int, row: int, size: int) -> Zone:
    label = _("%(name)s, round %(round)s") % {
        "name": draft.text(f"players/{row}/name"),
        "round": place + 1,
    }
    name = f"tiebreaks/{place}/{row}"
    return draft.zone(name, label, short=label, least=0, most=size, group=f"round {place}")


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

"""The part of the recording page that says who did what with which cards, and what lay open."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.pages.games.board import Board
from league.pages.games.board import board as laid_out
from league.pages.parts.card_view import ZONES
from league.pages.record.field_names import AWAY, is_pile, rows_of
from league.pages.record.layout import OUT, Choice, Seat, Shared, Zone
from league.pages.record.questions import Draft

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

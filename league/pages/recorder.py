"""The recording page: what a game's form asks, filled with what is typed so far.

Every field that came in is on the page again, in its place or hidden, so that nothing is lost.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.pages import record_form
from league.pages.layout import Box, Choice, Option, Page, Seat, Zone
from league.pages.record_form import AWAY, Fields, NotJson, Reading
from league.refusals import Fault
from rules import catalog, documents, forms

STATES = {
    "in": gettext_lazy("in"),
    "folded": gettext_lazy("folded"),
    "late": gettext_lazy("folded late"),
    "mucked": gettext_lazy("mucked"),
    "all-in": gettext_lazy("all in"),
    AWAY: gettext_lazy("not dealt in"),
}
ZONES = {
    "down": gettext_lazy("down"),
    "up": gettext_lazy("up"),
    "out": gettext_lazy("thrown away"),
}
# Problems of a record that is not finished yet, which nobody needs to be told of in red.
UNFINISHED = frozenset({"missing", "not-declared", "took-missing", "tiebreak-lacks-player"})
# Fields that carry no part of the record.
BESIDE = frozenset({"csrfmiddlewaretoken", "key", "drawn", "paste", "reason"})


@dataclass(frozen=True, slots=True)
class Draft:
    """What is typed so far, the form that its game asks for, and what is wrong, field by field."""

    fields: Fields
    form: Mapping[str, Any]
    errors: Mapping[str, Sequence[str]]
    house: Mapping[str, Mapping[str, Any]]

    def text(self, name: str) -> str:
        values = self.fields.get(name) or ("",)
        return values[-1]

    def box(self, name: str, label: str) -> Box:
        return Box(name, label, self.text(name), self.errors.get(name, ()))

    def zone(self, name: str, label: str, **size: Any) -> Zone:
        return Zone(name, label, self.text(name), self.errors.get(name, ()), **size)


NO_GAME: Mapping[str, Any] = {
    "name": "",
    "by": "",
    "deck": [],
    "down": {"least": 0, "most": 0},
    "up": {"least": 0, "most": 0},
    "board": [],
    "options": [],
    "declare": "cards-speak",
    "declarations": [],
    "bank": False,
    "unturned": False,
    "tiebreak": 0,
    "late_folds": False,
}
House = Mapping[str, Mapping[str, Any]]  # the documents of the league's own games, by slug
NO_HOUSE: House = {}


def asked(fields: Fields, house: House = NO_HOUSE) -> Mapping[str, Any]:
    """Return what the typed game asks for; nothing but players and chips if there is none such."""
    record = _record(fields)
    modifiers = [each for each in _list(record.get("modifiers")) if isinstance(each, str)]
    options = record.get("options")
    options = options if isinstance(options, dict) else {}
    variant = _variant(record, house)
    for modified, chosen in ((modifiers, options), (modifiers, {}), ((), {})):
        try:
            return forms.form(variant, modified, chosen) | {"variant": variant}
        except (documents.BadGame, KeyError):
            continue
    return NO_GAME


def _variant(record: Mapping[str, Any], house: House) -> str | Mapping[str, Any]:
    variant = record.get("variant")
    if isinstance(variant, str):
        return house.get(variant, variant)
    return variant if isinstance(variant, dict) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _record(fields: Fields) -> Mapping[str, Any]:
    """Return the record as far as it can be read."""
    try:
        return record_form.read(fields).record
    except NotJson:
        plain = {name: texts for name, texts in fields.items() if name.rpartition("/")[2] != "more"}
        return record_form.read(plain).record


def fitted(fields: Fields, house: House = NO_HOUSE) -> dict[str, Sequence[str]]:
    """Return the fields without the choices that the chosen game does not know."""
    form = asked(fields, house)
    same_game = fields.get("variant") == fields.get("drawn")
    options = {f"options/{option['name']}" for option in form["options"] if same_game}
    fits = {}
    for name, texts in fields.items():
        if name.startswith("options/") and name not in options:
            continue
        if name.endswith("/declared") and texts[-1] not in form["declarations"]:
            continue
        fits[name] = texts
    known = _fits(form, ())
    fits["modifiers"] = [each for each in fields.get("modifiers", ()) if not known.get(each, "no")]
    return fits


def page(
    fields: Fields,
    faults: Mapping[str, Sequence[str]],
    recent: Iterable[str],
    house: House = NO_HOUSE,
) -> Page:
    """Return the page for what is typed so far, with each problem beside its field."""
    draft = Draft(fields, asked(fields, house), faults, house)
    drawn = _page(draft, recent)
    return _with_hidden(drawn, draft)


def is_unfinished(fault: Fault, fields: Fields, reading: Reading, house: House = NO_HOUSE) -> bool:
    """Tell whether the fault is only that something is still to be typed."""
    if fault["code"] in UNFINISHED:
        return True
    if fault["code"] != "card-count":
        return False
    form = asked(fields, house)
    name = record_form.field_of(fault["where"], reading)
    if name.startswith("board"):
        return _count(fields, "board/") < sum(len(row["slots"]) for row in form["board"])
    zone = name.rpartition("/")[2]
    return zone in ("down", "up") and _count(fields, name) < int(form[zone]["least"])


def _count(fields: Fields, head: str) -> int:
    """Return how many cards are typed in the fields whose names begin so."""
    texts = (texts[-1] for name, texts in fields.items() if name.startswith(head) and texts)
    return sum(len(record_form.cards(text)) for text in texts)


# Building


def _page(draft: Draft, recent: Iterable[str]) -> Page:
    form = draft.form
    return Page(
        games=_games(draft, recent),
        game=form["name"] or draft.text("variant"),
        by=form["by"],
        modifiers=_modifiers(draft),
        options=list(_options(draft)),
        depths=_depths(draft.text("depth")),
        deck=" ".join(form["deck"]),
        bank=form["bank"],
        fists=form["declare"] == "high-low",
        all_paid=draft.box("all_paid", _("All paid")),
        seats=[_seat(draft, row) for row in record_form.rows_of(draft.fields)],
        board=list(_board(draft)),
        carried_pots=_carried_pots(draft),
        carried=draft.box("carried", _("Carried from an earlier hand")),
        rounds=list(_rounds(draft)),
        more=draft.box("more", _("Other parts of the record, as JSON")),
        errors=draft.errors,
    )


def _depths(chosen: str) -> list[Choice]:
    """Return the depths; the usual one sends nothing."""
    usual = chosen in ("", "showdown")
    depths = [
        Choice(chosen if usual else "", _("Showdown"), usual),
        Choice("result", _("Result only"), chosen == "result"),
    ]
    return depths if usual or chosen == "result" else [*depths, Choice(chosen, chosen, True)]


def _games(draft: Draft, recent: Iterable[str]) -> list[Choice]:
    """Return the games to choose from: the last ones first, then the house's and the catalog's."""
    chosen = draft.text("variant")
    known = {slug: catalog.document(slug) for slug in catalog.slugs()} | dict(draft.house)
    named = sorted(known, key=lambda slug: str(known[slug]["name"]).lower())
    ordered = dict.fromkeys([*(slug for slug in recent if slug in known), *named])
    offered = [
        Choice(slug, known[slug]["name"], slug == chosen, _origin(slug, known[slug], draft.house))
        for slug in ordered
    ]
    return offered if not chosen or chosen in known else [Choice(chosen, chosen, True), *offered]


def _origin(slug: str, document: Mapping[str, Any], house: House) -> str:
    by = str(document.get("by") or "")
    return by or (_("of this house") if slug in house else "")


def _modifiers(draft: Draft) -> list[Choice]:
    """Return the modifiers that fit on what is chosen, and whatever is chosen."""
    chosen = [each for each in draft.fields.get("modifiers", ()) if each]
    fitting = [name for name, misfit in _fits(draft.form, chosen).items() if not misfit]
    shown = list(dict.fromkeys([*fitting, *chosen]))
    if [name for name in shown if name in chosen] != chosen:
        shown = list(dict.fromkeys([*chosen, *fitting]))
    return [Choice(name, name, name in chosen) for name in shown]


def _fits(form: Mapping[str, Any], chosen: Sequence[str]) -> Mapping[str, str]:
    """Return every modifier with the reason why it does not fit the form's game, or none."""
    if form is NO_GAME:
        return {}
    known = [name for name in chosen if name in forms.modifiers_that_fit(form["variant"])]
    return forms.modifiers_that_fit(form["variant"], known)


def _options(draft: Draft) -> Iterator[Option]:
    """Yield what the game asks, then what was typed that it does not ask."""
    known = {f"options/{option['name']}": option for option in draft.form["options"]}
    typed = [name for name in draft.fields if name.startswith("options/") and draft.text(name)]
    for name in dict.fromkeys([*known, *typed]):
        box = draft.box(name, name.removeprefix("options/").replace("_", " "))
        option = known.get(name, {})
        default = "" if option.get("asked") else str(option.get("default", ""))
        choices = _choices(option, box.text, default)
        yield Option(box.name, box.label, box.text, box.errors, default=default, choices=choices)


def _choices(option: Mapping[str, Any], text: str, default: str) -> list[Choice]:
    """Return the choices; the default one sends nothing, so that it is the game's to change."""
    named = {each["name"]: each.get("text", "") for each in option.get("choices", ())}
    if option.get("asked"):
        named = {"": ""} | named
    if named and text:
        named.setdefault(text, "")
    wanted = text or default
    return [
        Choice("" if name == default != text else name, name, name == wanted, hint)
        for name, hint in named.items()
    ]


def _seat(draft: Draft, row: int) -> Seat:
    at = f"players/{row}"
    name, state = draft.text(f"{at}/name"), draft.text(f"{at}/state") or "in"
    return Seat(
        row=row,
        name=name,
        state=state,
        states=_states(draft, state),
        deals=draft.text("button") == str(row),
        wins=draft.text("winner") == str(row),
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
    """Return the fists in order (no chip, one, two), and whatever else was declared."""
    said = draft.text(name)
    ways = list(draft.form["declarations"])
    if said and said not in ways:
        ways.append(said)
    # A fist names high and low by its chips; a row by where its chip lies.
    chips = draft.form["declare"] == "high-low"
    return [
        Choice(way, way, way == said, "●" * place if chips else "")
        for place, way in enumerate(ways)
    ]


def _zones(draft: Draft, at: str, name: str) -> Iterator[Zone]:
    asked = [z for z in ("down", "up") if draft.form[z]["most"] or draft.text(f"{at}/{z}")]
    for zone in asked:
        short = str(ZONES[zone]) if len(asked) > 1 else ""
        yield _zone(draft, at, zone, name, draft.form[zone], short)


def _zone(draft: Draft, at: str, zone: str, name: str, size: Mapping[str, int], short: str) -> Zone:
    label = f"{name}, {ZONES[zone]}"
    unseen = zone == "out" or (zone == "down" and draft.form["unturned"])
    group = "out" if zone == "out" else "hand"
    sizes = {"least": size["least"], "most": size["most"]}
    return draft.zone(f"{at}/{zone}", label, short=short, unseen=unseen, group=group, **sizes)


def _board(draft: Draft) -> Iterator[Zone]:
    rows = {f"board/{place}": len(row["slots"]) for place, row in enumerate(draft.form["board"])}
    typed = [name for name in draft.fields if name.startswith("board/") and draft.text(name)]
    for name in dict.fromkeys([*rows, *typed]):
        size = rows.get(name, 0)
        short = _("row %(row)s") % {"row": int(name[6:]) + 1} if len(rows) > 1 else ""
        label = _("Board, %(row)s") % {"row": short} if short else _("Board")
        yield draft.zone(name, label, short=short, least=size, most=size)


def _carried_pots(draft: Draft) -> list[tuple[int, list[str]]]:
    """Return the carried pots that only some may win, with their names."""
    pots = _list(_record(draft.fields).get("carried"))
    told = [pot for pot in pots if isinstance(pot, dict) and isinstance(pot.get("for"), list)]
    return [(pot.get("amount", 0), [str(name) for name in pot["for"]]) for pot in told]


def _rounds(draft: Draft) -> Iterator[list[Zone]]:
    """Yield the rounds that are typed and, where the game breaks ties so, one to come."""
    size = draft.form["tiebreak"]
    typed = [name for name in draft.fields if name.startswith("tiebreaks/") and draft.text(name)]
    last = max((int(name.split("/")[1]) + 1 for name in typed), default=0)
    for place in range(last + bool(size)):
        yield [_broken(draft, place, row, size) for row in record_form.rows_of(draft.fields)]


def _broken(draft: Draft, place: int, row: int, size: int) -> Zone:
    label = _("%(name)s, round %(round)s") % {
        "name": draft.text(f"players/{row}/name"),
        "round": place + 1,
    }
    name = f"tiebreaks/{place}/{row}"
    return draft.zone(name, label, short=label, least=0, most=size, group=f"round {place}")


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
    yield from ("button",) if any(seat.deals for seat in drawn.seats) else ()
    yield from (option.name for option in drawn.options)
    yield from (zone.name for zone in drawn.board)
    yield from (zone.name for zones in drawn.rounds for zone in zones)
    yield from ("winner",) if drawn.by_result else ()
    yield from ("more",) if drawn.more.text else ()
    for seat in drawn.seats:
        at = f"players/{seat.row}"
        yield from (f"{at}/{part}" for part in ("name", "state", "paid", "dead", "took", "out"))
        yield from (zone.name for zone in seat.zones)
        yield from (f"{at}/declared",) if seat.declared else ()
        yield from (f"{at}/more",) if seat.more.text else ()

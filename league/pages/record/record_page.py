"""Build the recording page: the chosen game's fields, filled with the current input.

The page contains every submitted field, visible or hidden, so no input is lost.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.common.text import name_order
from league.deals.proposals import Dealt
from league.games import titles
from league.games.odds import players_of
from league.pages.games.board import Board, row_title, slot_letters, slot_turns
from league.pages.games.board import board as laid_out
from league.pages.games.finder import chips, known_kinds, row_of
from league.pages.parts.answer_view import ZONES
from league.pages.parts.forms import option_in, word_in_field
from league.pages.parts.match_view import match_view
from league.pages.record.layout import OUT, Choice, Game, Option, Page, Run, Seat, Shared, Zone
from league.pages.record.questions import NO_HOUSE, Draft, House, form_for, misfits, readable
from league.pages.record.read_form import (
    AWAY,
    Fields,
    after_showdown,
    is_pile,
    list_or_empty,
    rows_of,
    runs_of,
)
from rules.documents import catalog

# --- the game, its modifiers and its options -----------------------------------------------------


def games(draft: Draft, dealt: Dealt) -> list[tuple[str, list[Game]]]:
    """Return the games to choose from, keyed by group title. Each game is in only one group."""
    chosen, seated = draft.text("variant"), dealt_in(draft)
    documents = {slug: catalog.document(slug) for slug in catalog.slugs()} | dict(draft.house)
    named = sorted(documents, key=lambda slug: name_order(str(documents[slug]["name"])))
    tonight = Counter(dealt.tonight)
    shelves: Sequence[tuple[str, Iterable[str], Mapping[str, int]]] = (
        (_("Tonight"), tonight, tonight),
        (_("Favourites"), [slug for slug in named if slug in dealt.starred], dealt.hands),
        (_("Most played here"), dealt.often, dealt.hands),
        (_("Popular everywhere"), dealt.everywhere, dealt.hands),
        (_("All games"), named, dealt.hands),
    )
    offered, placed = [], set[str]()
    for title, slugs, hands in shelves:
        left = [slug for slug in slugs if slug in documents and slug not in placed]
        placed.update(left)
        group = []
        for slug in left:
            document, is_house, count = documents[slug], slug in draft.house, hands.get(slug, 0)
            origin = _("house game") if is_house else ""
            if document.get("by"):
                origin = _("by %(name)s") % {"name": document["by"]}
            players, meant_for = players_of(document), ""
            if seated and seated not in players:
                range_of = {"least": players.start, "most": players.stop - 1}
                meant_for = _("for %(least)s to %(most)s") % range_of
            group.append(
                Game(
                    value=slug,
                    label=document["name"],
                    chosen=slug == chosen,
                    hint=f"{count}×" if count else origin,
                    also=", ".join(document.get("aliases", ())) if is_house else "",
                    meant_for=meant_for,
                    search_text=row_of(slug, document, Dealt()) if is_house else "",
                )
            )
        if group:
            offered.append((title, group))
    if chosen and chosen not in documents:
        offered.insert(0, ("", [Game(chosen, chosen, chosen=True)]))
    return offered


def slugs_by_kind(dealt: Dealt) -> dict[str, str]:
    """Return space-separated game slugs for scripts, keyed by kind (favourite, dealt, ...)."""
    kinds = {
        "favourite": dealt.starred,
        "loved": dealt.loved,
        "dealt": dealt.ever,
        "lately": dealt.lately,
    }
    return {kind: " ".join(sorted(slugs)) for kind, slugs in kinds.items()}


def dealt_in(draft: Draft) -> int:
    """Return the number of players who are dealt in."""
    return sum(draft.text(f"players/{row}/state") != AWAY for row in rows_of(draft.fields))


def depths(chosen: str) -> list[Choice]:
    """Return the detail levels. The default level sends an empty value."""
    usual = chosen in ("", "showdown")
    depths = [
        Choice(chosen if usual else "", _("Showdown"), usual),
        Choice("result", _("Result only"), chosen == "result"),
    ]
    return depths if usual or chosen == "result" else [*depths, Choice(chosen, chosen, True)]


def modifiers(draft: Draft) -> list[Choice]:
    """Return the modifiers that fit the chosen game, and all chosen modifiers."""
    chosen = [name for name in draft.fields.get("modifiers", ()) if name]
    fitting = [name for name, misfit in misfits(draft.form, chosen).items() if not misfit]
    shown = list(dict.fromkeys([*fitting, *chosen]))
    if [name for name in shown if name in chosen] != chosen:
        shown = list(dict.fromkeys([*chosen, *fitting]))
    return [Choice(name, titles.variation(name), name in chosen) for name in shown]


def options(draft: Draft) -> Iterator[Option]:
    """Yield the game's options, then any other options in the input."""
    offered = {f"options/{option['name']}": option for option in draft.form["options"]}
    typed = [name for name in draft.fields if name.startswith("options/") and draft.text(name)]
    names = (name.removeprefix("options/") for name in dict.fromkeys([*offered, *typed]))
    for option_name in sorted(names, key=titles.option_place):
        name = f"options/{option_name}"
        box = draft.box(name, titles.option(option_name))
        option = offered.get(name, {})
        default = "" if option.get("asked") else str(option.get("default", ""))
        default = word_in_field(default) if option.get("choices") else default
        choices = _choices(option, box.text, default)
        yield Option(box.name, box.label, box.text, box.errors, default=default, choices=choices)


def _choices(option: Mapping[str, Any], text: str, default: str) -> list[Choice]:
    """Return the choices. The default sends an empty value, so a changed default applies."""
    choices = option.get("choices", ())
    named = {word_in_field(choice["name"]): choice.get("text", "") for choice in choices}
    if option.get("asked"):
        named = {"": ""} | named
    if named and text:
        named.setdefault(text, "")
    titled = {name: titles.label(option.get("name", ""), str(option_in(name))) for name in named}
    return [
        Choice(
            "" if name == default != text else name,
            titled[name],
            name == (text or default),
            hint,
        )
        for name, hint in named.items()
    ]


# --- players and cards --------------------------------------------------------------------------


STATES = {
    "in": gettext_lazy("in"),
    "folded": gettext_lazy("folded"),
    "late": gettext_lazy("folded late"),
    "mucked": gettext_lazy("mucked"),
    "all-in": gettext_lazy("all in"),
    AWAY: gettext_lazy("not dealt in"),
}
NOT_IN = {"folded": gettext_lazy("out")}  # if players declare whether they stay in


def seat(draft: Draft, row: int) -> Seat:
    at = f"players/{row}"
    name, state = draft.text(f"{at}/name"), draft.text(f"{at}/state") or "in"
    declared = draft.text(f"{at}/declared")
    declarations = list(draft.form["declarations"])
    if declared and declared not in declarations:
        declarations.append(declared)
    # In high-low games, players declare by the number of chips in their hand: 0, 1 or 2.
    by_chips = draft.form["declare"] == "high-low"
    return Seat(
        row=row,
        name=name,
        state=state,
        states=[
            Choice(name, str(title), name == state)
            for name, title in (STATES | (NOT_IN if draft.in_or_out else {})).items()
            if name != "late" or draft.form["late_folds"] or state == "late"
        ],
        deals=draft.text("button") == str(row),
        wins=draft.text("winner") == str(row),
        showed=str(row) in draft.fields.get("showed", ()),
        late=state == "late",
        declared=[
            Choice(way, way, way == declared, "●" * chips if by_chips else "")
            for chips, way in enumerate(declarations)
        ],
        paid=draft.box(f"{at}/paid", _("%(name)s paid") % {"name": name}),
        dead=draft.box(f"{at}/dead", _("Fee or penalty for %(name)s") % {"name": name}),
        took=draft.box(f"{at}/took", _("%(name)s took") % {"name": name}),
        more=draft.box(f"{at}/more", _("Other details of %(name)s, as JSON") % {"name": name}),
        zones=list(_zones(draft, at, name)),
        out=_zone(draft, at, "out", name, {"least": 0, "most": 5}, str(ZONES["out"])),
        name_errors=draft.errors.get(f"{at}/name", ()),
        state_errors=draft.errors.get(f"{at}/state", ()),
        declared_errors=draft.errors.get(f"{at}/declared", ()),
    )


def _zones(draft: Draft, at: str, name: str) -> Iterator[Zone]:
    """Yield the player's zones: cards that count, unturned cards, and piles.

    The piles are those of the game, then any others in the input. Problems that concern all piles
    are shown at the first pile.
    """
    form = draft.form
    order = ("up", "down") if form["unturned"] else ("down", "up")
    zones = [z for z in order if form[z]["most"] or draft.text(f"{at}/{z}")]
    for zone in zones:
        short = str(ZONES[zone]) if len(zones) > 1 else ""
        yield _zone(draft, at, zone, name, form[zone], short)
    head = f"{at}/piles"
    sizes = {f"{head}/{pile}": size for pile, size in form["piles"].items()}
    typed = [
        field
        for field in draft.fields
        if field.startswith(f"{head}/") and draft.text(field) and is_pile(field.rpartition("/")[2])
    ]
    for field in dict.fromkeys([*sizes, *typed]):
        pile, size = field.removeprefix(f"{head}/"), sizes.get(field, 0)
        shown = draft.zone(field, f"{name}, {pile}", short=pile, least=size, most=size)
        if field == next(iter(sizes), None):
            shown = replace(shown, errors=(*draft.errors.get(head, ()), *shown.errors))
        yield shown


def _zone(draft: Draft, at: str, zone: str, name: str, size: Mapping[str, int], short: str) -> Zone:
    label = f"{name}, {ZONES[zone]}"
    unseen = zone == "out" or (zone == "down" and draft.form["unturned"])
    group = "out" if zone == "out" else "hand"
    sizes = {"least": size["least"], "most": size["most"]}
    aside = zone == "down" and draft.form["unturned"]
    extra = "" if zone == "out" else " ".join(draft.form["extra_cards"])
    more = {"unseen": unseen, "group": group, "aside": aside, "extra": extra}
    return draft.zone(f"{at}/{zone}", label, short=short, **more, **sizes)


def board(draft: Draft) -> Iterator[Zone]:
    """Yield the rows of the board. A live deal's cards are entered in the order of the deal."""
    rows = {f"board/{place}": len(row["slots"]) for place, row in enumerate(draft.form["board"])}
    typed = [name for name in draft.fields if name.startswith("board/") and draft.text(name)]
    for name in dict.fromkeys([*rows, *typed]):
        size = rows.get(name, 0)
        row, more = int(name[6:]), {}
        title = row_title(draft.form["variant"], row + 1) if len(rows) > 1 else ""
        if size and draft.text("deal"):
            more["turns"] = slot_turns(draft.form["variant"], draft.form, row)
        more |= {"letters": slot_letters(draft.form, row), "short": title.lower()}
        yield draft.zone(name, title or _("Board"), least=size, most=size, **more)


def board_layout(draft: Draft) -> Board | None:
    """Return the board layout, or None if the lines are the same as the rows."""
    form = draft.form
    rows = [row["slots"] for row in form["board"]]
    return laid_out(rows, form["lines"]) if form["lines"] != rows else None


def shared(draft: Draft) -> Iterator[Shared]:
    """Yield the shared cards from the game and the input, at least one."""
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
    """Yield the tie-break rounds in the input, then an empty round if the game has them.

    A round has fields for players who did not fold, or who have cards in the round.
    """
    size = draft.form["tiebreak"]
    typed = [name for name in draft.fields if name.startswith("tiebreaks/") and draft.text(name)]
    last = max((int(name.split("/")[1]) + 1 for name in typed), default=0)
    text = _("%(name)s, round %(round)s")
    for place in range(last + bool(size)):
        zones, group = [], f"round {place}"
        for row in rows_of(draft.fields):
            field = f"tiebreaks/{place}/{row}"
            if draft.text(f"players/{row}/state") not in OUT or draft.text(field):
                label = text % {"name": draft.text(f"players/{row}/name"), "round": place + 1}
                zones.append(draft.zone(field, label, short=label, least=0, most=size, group=group))
        yield zones


# --- the runs after the first -------------------------------------------------------------------


def run_counts(draft: Draft) -> list[Choice]:
    """Return how often the deal can be run. Games whose pot isn't divided by cards run once."""
    runs = runs_of(draft.fields)
    if draft.text("depth") == "result" or (runs == 1 and not draft.form["run_zones"]):
        return []
    titles = [_("Once"), _("Twice"), _("3 times"), _("4 times")]
    return [
        Choice(str(number) if number > 1 else "", title, number == runs)
        for number, title in enumerate(titles, start=1)
    ]


def run(draft: Draft, index: int) -> Run:
    """Return the fields for the cards of a run after the first."""
    form, head = draft.form, f"runs/{index}"
    typed = [name for name in draft.fields if name.startswith(f"{head}/") and draft.text(name)]
    sizes: dict[str, int] = {}
    if "board" in form["run_zones"]:
        sizes |= {f"{head}/board/{row}": len(b["slots"]) for row, b in enumerate(form["board"])}
    for row in rows_of(draft.fields):
        for zone in [zone for zone in form["run_zones"] if zone in ("down", "up")]:
            if draft.text(f"players/{row}/state") not in OUT:
                sizes[f"{head}/players/{row}/{zone}"] = form[zone]["most"]
    run_title = _("Run %(number)s") % {"number": index + 1}
    board: list[Zone] = []
    hands: list[Zone] = []
    for name in dict.fromkeys([*sizes, *typed]):
        title = _title_in_run(draft, name)
        if not title:
            continue
        in_board, label = "/board/" in name, f"{run_title}, {title}"
        if in_board and len(form["board"]) == 1:
            label = run_title
        shown = draft.zone(
            name,
            label,
            short=title if len(form["board"]) > 1 or not in_board else "",
            least=0,
            most=sizes.get(name, 0),
            # On a board shown as a picture, ?? marks a card that stays the same in this run.
            unseen=in_board and bool(form["lines"]),
        )
        (board if in_board else hands).append(shown)
    return Run(
        number=index + 1,
        name=head,
        board=board,
        hands=hands,
        facts=list(_facts(draft, head)),
        errors=draft.errors.get(head, ()),
    )


def _title_in_run(draft: Draft, name: str) -> str:
    """Return the title of a zone of a run: the row of the board, or the player and the zone."""
    match name.split("/")[2:]:
        case ["board", row]:
            return row_title(draft.form["variant"], int(row) + 1) or _("Board")
        case ["players", row, zone] if zone in ZONES:
            return f"{draft.text(f'players/{row}/name')}, {ZONES[zone]}"
    return ""


def _facts(draft: Draft, head: str) -> Iterator[Option]:
    """Yield the facts of a run's cards, such as the rank that is wild."""
    asked = {option["name"]: option for option in draft.form["options"] if option["asked"]}
    start = f"{head}/options/"
    typed = [name.removeprefix(start) for name in draft.fields if name.startswith(start)]
    for name in dict.fromkeys([*asked, *typed]):
        box = draft.box(f"{start}{name}", titles.option(name))
        choices = _choices(asked.get(name, {}), box.text, "")
        yield Option(box.name, box.label, box.text, box.errors, default="", choices=choices)


# Fields that do not belong to the record.
OTHER_FIELDS = frozenset(
    {
        "csrfmiddlewaretoken",
        "key",
        "deal",
        "drawn",
        "paste",
        "fill",
        "sentence",
        "used_sentence",
        "reason",
        "revision",
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
    runs: int = 1,
) -> Page:
    """Return the page for the current input, with each problem next to its field.

    The page has fields for at least the given number of runs.
    """
    fields = after_showdown(fields)
    draft = Draft(fields, form_for(fields, house), faults, house)
    page = _page(draft, dealt, games(draft, dealt) if lists_games else [])
    if page.run_counts:
        page.runs.extend(run(draft, index) for index in range(1, max(runs, runs_of(fields))))
    placed = set(_placed(page)) | OTHER_FIELDS
    page.hidden.extend(
        (name, text) for name, texts in fields.items() if name not in placed for text in texts
    )
    return page


def _page(draft: Draft, dealt: Dealt, games_offered: list[tuple[str, list[Game]]]) -> Page:
    form, record = draft.form, readable(draft.fields)
    match = record.get("match")
    return Page(
        games=games_offered,
        known=slugs_by_kind(dealt),
        usual=json.dumps(
            {
                slug: {f"options/{name}": word_in_field(word) for name, word in options.items()}
                for slug, options in dealt.usual.items()
                if options
            }
        ),
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
        in_or_out=draft.in_or_out,
        late_folds=form["late_folds"],
        by_chips=form["declare"] == "high-low",
        all_paid=draft.box("all_paid", _("Everyone in for")),
        showed_paid=draft.box("showed_paid", _("Each player who showed paid")),
        pot=draft.box("pot", _("Total pot")),
        shared=list(shared(draft)),
        shares_cards=bool(form["shared"]),
        shape=board_layout(draft),
        seats=[seat(draft, row) for row in rows_of(draft.fields)],
        board=list(board(draft)),
        carried_pots=[
            (pot.get("amount", 0), [str(name) for name in pot["for"]])
            for pot in list_or_empty(record.get("carried"))
            if isinstance(pot, dict) and isinstance(pot.get("for"), list)
        ],
        carried=draft.box("carried", _("Carried over from an earlier hand")),
        match=match_view(match, draft.most_counted) if isinstance(match, dict) else None,
        rounds=list(rounds(draft)),
        run_counts=run_counts(draft),
        runs=[],
        more=draft.box("more", _("Other parts of the record, as JSON")),
        errors=draft.errors,
    )


def _placed(page: Page) -> Iterator[str]:
    """Yield the names of all fields that the page shows."""
    yield from ("variant", "modifiers", "depth", "all_paid", "carried")
    yield from ("button",) if any(seat.deals for seat in page.seats) else ()
    yield from (option.name for option in page.options)
    if page.by_result:  # the form for a result keeps the fields for cards hidden
        yield from ("pot", "winner")
    else:
        yield from (zone.name for zone in page.board)
        yield from (zone.name for zones in page.rounds for zone in zones)
        yield from ("runs",) if page.run_counts else ()
        yield from (each.name for run in page.runs for each in (*run.board, *run.hands, *run.facts))
        for seat in page.seats:
            yield from (zone.name for zone in seat.zones)
            yield from (f"players/{seat.row}/declared",) if seat.declared else ()
    # Cards that a game rarely shares are below the hands, in both forms.
    for shared in () if page.by_result and page.shares_cards else page.shared:
        yield from (shared.card.name, f"{shared.card.name}/for")
    yield from ("showed", "late", "showed_paid") if page.asks_who_showed else ()
    yield from ("more",) if page.more.text else ()
    for seat in page.seats:
        at = f"players/{seat.row}"
        yield from (f"{at}/{part}" for part in ("name", "state", "paid", "dead", "took", "out"))
        yield from (f"{at}/more",) if seat.more.text else ()

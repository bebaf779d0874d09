"""The part of the recording page that names the game, its modifiers and its options."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from league.deals.proposals import Dealt
from league.games import titles
from league.games.odds import players_of
from league.pages.record.field_names import AWAY, rows_of
from league.pages.record.layout import Choice, Game, Option
from league.pages.record.questions import Draft, misfits
from rules.documents import catalog


def games(draft: Draft, dealt: Dealt) -> list[tuple[str, list[Game]]]:
    """Return the games to choose from under their titles: tonight's, the league's usual, all."""
    chosen = draft.text("variant")
    known = {slug: catalog.document(slug) for slug in catalog.slugs()} | dict(draft.house)
    named = sorted(known, key=lambda slug: str(known[slug]["name"]).lower())
    tonight = [slug for slug in dict.fromkeys(dealt.tonight) if slug in known]
    often = [slug for slug in dealt.often if slug in known and slug not in tonight]
    rest = [slug for slug in named if slug not in {*tonight, *often}]
    groups = [(_("Tonight"), tonight), (_("Dealt here most"), often), (_("All games"), rest)]
    offered = [
        (title, [_game(slug, known[slug], draft, chosen) for slug in slugs])
        for title, slugs in groups
        if slugs
    ]
    if chosen and chosen not in known:
        offered.insert(0, ("", [Game(chosen, chosen, True)]))
    return offered


def _game(slug: str, document: Mapping[str, Any], draft: Draft, chosen: str) -> Game:
    by = str(document.get("by") or "")
    origin = by or (_("house game") if slug in draft.house else "")
    also = ", ".join(document.get("aliases", ()))
    meant_for = _meant_for(document, draft)
    return Game(slug, document["name"], slug == chosen, origin, also, meant_for)


def _meant_for(document: Mapping[str, Any], draft: Draft) -> str:
    """Return for how many the game is, where as many are not dealt in."""
    rows = rows_of(draft.fields)
    dealt_in = sum(draft.text(f"players/{row}/state") != AWAY for row in rows)
    players = players_of(document)
    if not rows or dealt_in in players:
        return ""
    told = {"least": players.start, "most": players.stop - 1}
    return _("for %(least)s to %(most)s") % told


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
        Choice("" if name == default != text else name, _titled(option, name), name == wanted, hint)
        for name, hint in named.items()
    ]


def _titled(option: Mapping[str, Any], name: str) -> str:
    return titles.choice(option.get("name", ""), name)

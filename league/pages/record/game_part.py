"""The part of the recording page that names the game, its modifiers and its options."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from league.deals.proposals import Dealt
from league.games import titles
from league.games.odds import players_of
from league.pages.games.finder import row_of
from league.pages.parts.option_text import option_in, word_in_field
from league.pages.record.field_names import AWAY, rows_of
from league.pages.record.layout import Choice, Game, Option
from league.pages.record.questions import Draft, misfits
from rules.documents import catalog


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

"""The fields that the chosen game requires."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from league.games import house_games
from league.games.rules_process import BusyError
from league.matches import most_counted
from league.pages.parts.forms import word_in_field
from league.pages.record.layout import Box, Zone
from league.pages.record.read_form import (
    Fields,
    UnreadableFieldError,
    list_or_empty,
    read,
)
from rules.documents import catalog, documents
from rules.presentation import form as presentation_form

NO_GAME: Mapping[str, Any] = {
    "name": "",
    "by": "",
    "deck": [],
    "down": {"least": 0, "most": 0},
    "up": {"least": 0, "most": 0},
    "piles": {},
    "board": [],
    "lines": [],
    "options": [],
    "declare": "cards-speak",
    "declarations": [],
    "shared": 0,
    "dealt": None,
    "extra_cards": [],
    "bank": False,
    "against_pot": False,
    "run_zones": [],
    "unturned": False,
    "tiebreak": 0,
    "late_folds": False,
}
House = Mapping[str, Mapping[str, Any]]  # documents of the league's house games, keyed by slug
NO_HOUSE: House = {}
COMMON_PAYMENTS = frozenset({"all_paid", "showed_paid"})
NO_CHOICES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Draft:
    """The submitted fields, the chosen game's form, and the problems, keyed by field."""

    fields: Fields
    form: Mapping[str, Any]
    errors: Mapping[str, Sequence[str]]
    house: Mapping[str, Mapping[str, Any]]

    @property
    def most_counted(self) -> dict[str, int]:
        """The legs and lives of a match of this game (`league.matches.most_counted`)."""
        chosen = {"modifiers": self.form.get("modifiers"), "options": self.form.get("chosen")}
        return most_counted(self.form["variant"], chosen) if self.form.get("variant") else {}

    @property
    def in_or_out(self) -> bool:
        """Return whether players declare if they stay in, instead of betting."""
        return bool(self.form.get("in_or_out"))

    def text(self, name: str) -> str:
        values = self.fields.get(name) or ("",)
        return values[-1]

    def box(self, name: str, label: str) -> Box:
        return Box(name, label, self.text(name), self.errors.get(name, ()))

    def zone(self, name: str, label: str, **size: Any) -> Zone:
        return Zone(name, label, self.text(name), self.errors.get(name, ()), **size)


def form_for(fields: Fields, house: House = NO_HOUSE) -> Mapping[str, Any]:
    """Return the chosen game's form. An unknown game's form has only players and chips."""
    record = readable(fields)
    modifiers = [name for name in list_or_empty(record.get("modifiers")) if isinstance(name, str)]
    options = record.get("options")
    options = options if isinstance(options, dict) else {}
    submitted = record.get("variant")
    variant: str | Mapping[str, Any] = ""  # also for a document that can't be dealt
    if isinstance(submitted, str):
        variant = house.get(submitted, submitted)
    elif isinstance(submitted, dict):
        with suppress(BusyError):  # a submitted document has never been checked
            variant = "" if house_games.read(submitted).faults else submitted
    for modified, chosen in ((modifiers, options), (modifiers, {}), ((), {})):
        try:
            form = presentation_form.form(variant, modified, chosen)
        except (documents.GameError, KeyError):
            continue
        document = catalog.document(variant) if isinstance(variant, str) else variant
        in_or_out = catalog.traits_of(document).in_or_out
        return form | {"variant": variant, "in_or_out": in_or_out}
    return NO_GAME


def readable(fields: Fields) -> Mapping[str, Any]:
    """Return the record, without its `more` fields if any field is unreadable."""
    try:
        return read(fields).record
    except UnreadableFieldError:
        plain = {name: texts for name, texts in fields.items() if name.rpartition("/")[2] != "more"}
        return read(plain).record


def fitted(
    fields: Fields, house: House = NO_HOUSE, usual: Mapping[str, str] = NO_CHOICES
) -> dict[str, Sequence[str]]:
    """Return the fields, keeping only choices that exist in the chosen game.

    If the game has changed, its options and its match with the pot are dropped, and the `usual`
    options are filled in.
    """
    form = form_for(fields, house)
    same_game = fields.get("variant") == fields.get("drawn")
    options = {f"options/{option['name']}" for option in form["options"] if same_game}
    fitting: dict[str, Sequence[str]] = {}
    for name, texts in fields.items():
        if name.startswith("options/") and name not in options:
            continue
        if name.split("/")[0] in ("match", "runs") and not same_game:
            continue
        if name == "carried" and "match" in fields and not same_game:
            continue
        if form["bank"] and not same_game and name in COMMON_PAYMENTS:
            continue  # the cards decide what players pay
        if name.endswith("/declared") and texts[-1] not in form["declarations"]:
            continue
        fitting[name] = texts
    if not same_game:
        for option in form["options"]:
            name, choices = option["name"], option.get("choices", ())
            # facts differ from hand to hand, so they have no usual value
            if not option["asked"] and usual.get(name) in [choice["name"] for choice in choices]:
                fitting[f"options/{name}"] = [word_in_field(usual[name])]
    misfit = misfits(form, ())
    fitting["modifiers"] = [
        name for name in fields.get("modifiers", ()) if not misfit.get(name, "no")
    ]
    return fitting


def misfits(form: Mapping[str, Any], chosen: Sequence[str]) -> Mapping[str, str]:
    """Return all modifiers, each with the reason why it does not fit the game, or ""."""
    if form is NO_GAME:
        return {}
    fitting = [
        name for name in chosen if name in presentation_form.modifiers_that_fit(form["variant"])
    ]
    return presentation_form.modifiers_that_fit(form["variant"], fitting)

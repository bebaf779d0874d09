"""When a hand's game and options were announced, and how they changed, in sentences."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.deals.open_deal import announcement_of
from league.games import titles
from league.models import Hand, Revision
from rules.errors import GameError
from rules.presentation.form import form

Chosen = tuple[Sequence[str], Mapping[str, Any]]  # variations and options


def announcement_sentences(hand: Hand, current: Revision) -> list[str]:
    """Return what the hand's deal announced, or [] if it was recorded without a live deal."""
    announcement = announcement_of(hand)
    if announcement is None:
        return []
    zone = ZoneInfo(hand.night.league.time_zone)
    announced = (announcement.modifiers, announcement.options)
    text = _("The game and its options were announced at %(time)s, before the first card.")
    if not announcement.changes:
        text = _(
            "The game and its options were announced at %(time)s, before the first card, and "
            "did not change."
        )
    sentences = [text % {"time": _time(announcement.announced_at, zone)}]
    record = current.record
    is_other = isinstance(record["variant"], str) and record["variant"] != announcement.variant
    known = [] if is_other else _game_options(current.document.document, ()) or []
    defaults = {each["name"]: str(each["default"]) for each in known if not each["asked"]}
    # Each change after the first card contains the state before it.
    states = [(each["modifiers"], each["options"]) for each in announcement.changes]
    states.append(announced)
    text = _("They changed at %(time)s, at step %(step)s of the deal: %(changes)s.")
    for change, before, after in zip(announcement.changes, states, states[1:], strict=False):
        values = {
            "time": _time(datetime.fromisoformat(change["at"]), zone),
            "step": change["step"],
            "changes": _differences(None, before, after, defaults) or _("back to what they were"),
        }
        sentences.append(text % values)
    if is_other:
        return [*sentences, _("The hand was recorded as a different game.")]
    recorded = (record.get("modifiers", []), record.get("options", {}))
    if differences := _differences(current.document.document, announced, recorded, defaults):
        text = _("The hand was recorded with other options: %(changes)s.")
        sentences.append(text % {"changes": differences})
    return sentences


def _differences(document: Any, before: Chosen, after: Chosen, defaults: Mapping[str, str]) -> str:
    """Return the differences, such as "Low: best instead of 8-or-better".

    With a document, options that equal its defaults and facts about the deal are left out.
    """
    old, new = (_options(document, *chosen) for chosen in (before, after))
    parts = [
        _("%(option)s: %(new)s instead of %(old)s")
        % {
            "option": titles.option(name),
            "new": _choice(name, new, defaults),
            "old": _choice(name, old, defaults),
        }
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]
    if list(before[0]) != list(after[0]):
        words = [", ".join(titles.variations(each)) or _("none") for each in (after[0], before[0])]
        text = _("variations: %(new)s instead of %(old)s")
        parts.append(text % {"new": words[0], "old": words[1]})
    return "; ".join(parts)


def _options(document: Any, modifiers: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    game_options = None if document is None else _game_options(document, modifiers)
    if game_options is None:
        return dict(options)
    known = {each["name"]: each for each in game_options}
    return {
        name: value
        for name, value in options.items()
        if name in known and not known[name]["asked"] and value != known[name]["default"]
    }


def _game_options(document: Any, modifiers: Sequence[str]) -> list[dict[str, Any]] | None:
    """Return the game's options, or None if the document predates the current rule terms."""
    try:
        options: list[dict[str, Any]] = form(document, modifiers, {})["options"]
    except GameError:
        return None
    return options


def _choice(name: str, options: Mapping[str, Any], defaults: Mapping[str, str]) -> str:
    word = options.get(name, defaults.get(name))
    return _("the default") if word is None else titles.choice(name, str(word))


def _time(at: datetime, zone: ZoneInfo) -> str:
    return date_format(at.astimezone(zone), "H:i")

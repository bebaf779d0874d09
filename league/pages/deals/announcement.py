"""When a hand's game and options were announced, and how they changed, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.deals.announcements import announcement_of
from league.games import titles
from league.models import Announcement, Hand, Revision
from rules.errors import GameError
from rules.presentation.form import form

Chosen = tuple[Sequence[str], Mapping[str, Any]]  # variations and options


def announcement_sentences(hand: Hand, current: Revision) -> list[str]:
    """Return what the hand's deal announced, or [] if it was recorded without a live deal."""
    announcement = announcement_of(hand)
    zone = ZoneInfo(hand.night.league.time_zone)
    return list(_sentences(announcement, current, zone)) if announcement else []


def _sentences(announcement: Announcement, current: Revision, zone: ZoneInfo) -> Iterator[str]:
    at = {"time": _time(announcement.announced_at, zone)}
    changes = list(_changes(announcement, zone))
    if changes:
        yield _("The game and its options were announced at %(time)s, before the first card.") % at
        yield from changes
    else:
        yield (
            _(
                "The game and its options were announced at %(time)s, before the first card, and "
                "did not change."
            )
            % at
        )
    record = current.record
    if isinstance(record["variant"], str) and record["variant"] != announcement.variant:
        yield _("The hand was recorded as a different game.")
        return
    announced = (announcement.modifiers, announcement.options)
    recorded = (record.get("modifiers", []), record.get("options", {}))
    if differences := _differences(current.document.document, announced, recorded):
        yield _("The hand was recorded with other options: %(changes)s.") % {"changes": differences}


def _changes(announcement: Announcement, zone: ZoneInfo) -> Iterator[str]:
    """Yield a sentence for each change after the first card."""
    states = [(each["modifiers"], each["options"]) for each in announcement.changes]
    states.append((announcement.modifiers, announcement.options))
    for change, before, after in zip(announcement.changes, states, states[1:], strict=False):
        yield _("They changed at %(time)s, at step %(step)s of the deal: %(changes)s.") % {
            "time": _time(datetime.fromisoformat(change["at"]), zone),
            "step": change["step"],
            "changes": _differences(None, before, after) or _("back to what they were"),
        }


def _differences(document: Any, before: Chosen, after: Chosen) -> str:
    """Return the differences, such as "Low: best instead of 8-or-better".

    With a document, options that equal its defaults and facts about the deal are left out.
    """
    old, new = (_options(document, *chosen) for chosen in (before, after))
    parts = [
        _("%(option)s: %(new)s instead of %(old)s")
        % {"option": titles.option(name), "new": _choice(name, new), "old": _choice(name, old)}
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]
    if list(before[0]) != list(after[0]):
        words = [", ".join(titles.variations(each)) or _("none") for each in (after[0], before[0])]
        text = _("variations: %(new)s instead of %(old)s")
        parts.append(text % {"new": words[0], "old": words[1]})
    return "; ".join(parts)


def _options(document: Any, modifiers: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    if document is None:
        return dict(options)
    try:
        known = {each["name"]: each for each in form(document, modifiers, {})["options"]}
    except GameError:
        return dict(options)
    return {
        name: value
        for name, value in options.items()
        if name in known and not known[name]["asked"] and value != known[name]["default"]
    }


def _choice(name: str, options: Mapping[str, Any]) -> str:
    return titles.choice(name, str(options[name])) if name in options else _("as usual")


def _time(at: datetime, zone: ZoneInfo) -> str:
    return date_format(at.astimezone(zone), "H:i")

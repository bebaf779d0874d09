"""Settle a recorded hand under other options, modifiers or another version of its game.

Nothing is stored. One alternative is settled at a time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from league.common.errors import Problem, problem
from league.games import titles
from league.games.lookup import is_listed, replayable
from league.hands.revisions import record_at_the_end
from league.hands.validation import answers_to
from league.models import HouseGameVersion, Revision
from rules.documents import catalog
from rules.errors import GameError
from rules.presentation import form as presentation_form

Document = Mapping[str, Any]
CATALOG_VERSION = 0  # the number of the catalog's current version of a game
MOST_REASONS = 3  # reasons why an alternative can't be settled


@dataclass(frozen=True, slots=True)
class GameVersion:
    """Another version of the game. `written_at` is None for the catalog's current version."""

    number: int
    written_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The options, modifiers and versions of the hand's game. `reason` explains why it has none.

    `options` are as in the form of the game, `chosen` are the recorded choices, and `modifiers` fit
    the game and include the recorded ones.
    """

    options: Sequence[Mapping[str, Any]] = ()
    chosen: Mapping[str, Any] = field(default_factory=dict)
    modifiers: Sequence[str] = ()
    modified: Sequence[str] = ()
    versions: Sequence[GameVersion] = ()
    reason: str = ""

    def changes(self, alternative: "Alternative") -> Iterator[str]:
        """Yield each difference from the recorded game: "With cards speak", "without Miami"."""
        added, removed = [], []
        for name, word in alternative.options.items():
            if word != self.chosen.get(name):
                added.append(titles.chosen(name, str(word)))
        if alternative.modifiers is not None:
            before, after = self.modified, alternative.modifiers
            added += titles.variations(name for name in after if name not in before)
            removed = titles.variations(name for name in before if name not in after)
        if alternative.version == CATALOG_VERSION:
            added.append(_("the current version"))
        elif alternative.version is not None:
            added.append(_("version %(number)s") % {"number": alternative.version})
        yield from (_("With %(choice)s") % {"choice": choice} for choice in added[:1])
        yield from added[1:]
        yield from (_("without %(choice)s") % {"choice": choice} for choice in removed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """What to change. `modifiers` are all modifiers, or None for the recorded ones."""

    options: Mapping[str, Any] = field(default_factory=dict)
    modifiers: Sequence[str] | None = None
    version: int | None = None

    def answer(self, revision: Revision) -> dict[str, Any]:
        """Return the answer to the hand under this alternative."""
        record = dict(record_at_the_end(revision))
        variant: str | Document
        if self.version is None:
            variant = replayable(revision)["variant"]
        elif self.version == CATALOG_VERSION:
            variant = revision.record["variant"]
        else:
            versions = HouseGameVersion.objects.select_related("document")
            variant = versions.get(**_game(revision), number=self.version).document.document
        modifiers = self.modifiers
        if modifiers is None:
            modifiers = list(record.get("modifiers", ()))
        try:
            plain = presentation_form.form(variant, modifiers)
            names = {option["name"] for option in plain["options"]}
            known_options = {
                name: each for name, each in record.get("options", {}).items() if name in names
            }
            options = {**known_options, **self.options}
            ways = presentation_form.form(variant, modifiers, options)["declarations"]
        except GameError as error:
            return {"errors": [each.as_dict() for each in error.problems]}
        players = [  # without declarations that the alternative doesn't have
            {key: value for key, value in player.items() if key != "declared" or value in ways}
            for player in record["players"]
        ]
        changed = {"modifiers": list(modifiers), "options": options, "players": players}
        [answer] = answers_to([record | changed | {"variant": variant}], sent=[record])
        return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The answer to the hand under an alternative, or the errors that prevent one.

    `text` is one line, such as "With cards speak: Bob 45, Cat 45", and `changes` its first part.
    """

    text: str
    changes: str = ""
    answer: dict[str, Any] | None = None
    errors: Sequence[Problem] = ()


def choices(revision: Revision) -> Choices:
    """Return the choices of the game that the hand was dealt under."""
    if revision.depth == Revision.Depth.RESULT:
        text = _("This hand was recorded without cards, so it can't be settled by other rules.")
        return Choices(reason=text)
    record, variant = revision.record, replayable(revision)["variant"]
    modified = list(record.get("modifiers", ()))
    form = presentation_form.form(variant, modified, record.get("options"))
    fitting = presentation_form.modifiers_that_fit(variant, modified)
    names = [name for name, misfit in fitting.items() if not misfit]
    versions, slug = [], record["variant"]
    if isinstance(slug, str):  # the versions other than the one that the hand was dealt under
        rows = HouseGameVersion.objects.filter(**_game(revision))
        rows = rows.exclude(document=revision.document_id).order_by("number")
        versions = [GameVersion(*row) for row in rows.values_list("number", "written_at")]
        if slug in catalog.slugs() and not is_listed(slug, revision.document):
            versions.append(GameVersion(CATALOG_VERSION))
    return Choices(
        options=form["options"],
        chosen=form["chosen"],
        modifiers=list(dict.fromkeys([*modified, *names])),
        modified=modified,
        versions=versions,
    )


def settle_alternative(revision: Revision, alternative: Alternative) -> Outcome:
    """Return the outcome of the hand under the alternative."""
    offered = choices(revision)
    if offered.reason:
        return Outcome(text=offered.reason, errors=[problem("", "no-cards", offered.reason)])
    changes = ", ".join(offered.changes(alternative))
    numbers = [version.number for version in offered.versions]
    answer: dict[str, Any]
    if alternative.version not in (None, *numbers):
        answer = {"errors": [problem("version", "unknown-version", "there is no such version")]}
    else:
        answer = alternative.answer(revision)
    if errors := answer.get("errors"):
        reasons = "; ".join(error["text"] for error in errors[:MOST_REASONS])
        text = _("%(changes)s: this can't be settled, because %(reasons)s.")
        return Outcome(text=text % {"changes": changes, "reasons": reasons}, errors=errors)
    won = sorted(answer["won"].items(), key=lambda row: -row[1])
    results = [f"{name} {chips:,}" for name, chips in won if chips]
    if answer["carry"]:
        results.append(_("%(chips)s carried over") % {"chips": f"{answer['carry']:,}"})
    elif not results:
        results.append(_("no chips won"))
    result = ", ".join(results)
    text = f"{changes}: {result}" if changes else result
    return Outcome(text=text, changes=changes, answer=answer)


def _game(revision: Revision) -> dict[str, Any]:
    league = revision.hand.night.season.league_id
    return {"game__league": league, "game__slug": revision.record["variant"]}

"""Settle a recorded hand under other options, modifiers or another version of its game."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import Action, find_hand
from league.common.text import whole_number
from league.games import titles
from league.hands.what_if import Alternative, Choices, Outcome, choices, settle_alternative
from league.models import LONGEST_REASON, Revision
from league.pages.hands import may_correct_hand
from league.pages.nights.hand_list import hand_line
from league.pages.parts.forms import option_in, word_in_field

OPTION = "options/"
PREFILL = "what-if"  # the field with which the correction form gets an alternative


@dataclass(frozen=True, slots=True)
class OptionField:
    """An option as a select, or as a number with `least` and `most` if it has no `choices`."""

    name: str
    title: str
    value: str
    choices: list[tuple[str, str]]
    least: int | None
    most: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfPage:
    """The form, and the outcome of the chosen alternative.

    `correction` is the query string that opens the correction form with the alternative.
    """

    choices: Choices
    options: list[OptionField]
    modifiers: list[tuple[str, str, bool]]
    version: int | None
    outcome: Outcome | None
    correction: str


@require_safe
def what_if(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    hand = find_hand(request.user, Action.VIEW, hand_id)
    revisions = Revision.objects.select_related("document", "hand__night__season__league")
    current = revisions.get(hand=hand, current=True)
    offered = choices(current)
    alternative = _alternative(offered, request.GET)
    outcome, correction = None, ""
    if alternative != Alternative() and not offered.reason:
        outcome = settle_alternative(current, alternative)
    if outcome and outcome.answer is not None and alternative.version is None:
        query = request.GET.copy()
        query[PREFILL] = "1"
        reason = _("Settled again: %(changes)s") % {"changes": outcome.changes}
        query["reason"] = reason[:LONGEST_REASON]
        correction = query.urlencode()
    modified = offered.modified if alternative.modifiers is None else alternative.modifiers
    context = {
        "hand": hand,
        "night": hand.night,
        "league": hand.night.league,
        "line": hand_line(current),
        "page": WhatIfPage(
            choices=offered,
            options=list(_fields(offered, alternative)),
            modifiers=[
                (name, titles.variation(name), name in modified) for name in offered.modifiers
            ],
            version=alternative.version,
            outcome=outcome,
            correction=correction,
        ),
        "may_correct": may_correct_hand(request, hand),
    }
    partial = request.headers.get("HX-Request")
    template = "hands/what_if_outcome.html" if partial else "hands/what_if.html"
    return render(request, template, context)


def _alternative(offered: Choices, query: QueryDict) -> Alternative:
    """Return the submitted choices that differ from the recorded ones."""
    names = [str(option["name"]) for option in offered.options]
    chosen = {
        name: option_in(str(query[f"{OPTION}{name}"]))
        for name in names
        if query.get(f"{OPTION}{name}", "")
    }
    modifiers = [name for name in offered.modifiers if name in query.getlist("modifiers")]
    same = "drawn" not in query or modifiers == list(offered.modified)
    return Alternative(
        options={
            name: word for name, word in chosen.items() if str(word) != str(offered.chosen[name])
        },
        modifiers=None if same else modifiers,
        version=whole_number(query.get("version", "")),
    )


def _fields(offered: Choices, alternative: Alternative) -> Iterator[OptionField]:
    for option in offered.options:
        name = str(option["name"])
        value = alternative.options.get(name, offered.chosen[name])
        words = [str(choice["name"]) for choice in option.get("choices", ())]
        yield OptionField(
            name=f"{OPTION}{name}",
            title=titles.option(name),
            value=word_in_field(value) if words else str(value),
            choices=[(word_in_field(word), titles.label(name, word)) for word in words],
            least=option.get("least"),
            most=option.get("most"),
        )


def prefilled(
    fields: Mapping[str, Sequence[str]], query: Mapping[str, Any]
) -> dict[str, Sequence[str]]:
    """Return the fields of a hand with the alternative in the query of the correction form."""
    if PREFILL not in query or not isinstance(query, QueryDict):
        return dict(fields)
    options = {name: [str(query[name])] for name in query if name.startswith(OPTION)}
    return {**fields, **options, "modifiers": query.getlist("modifiers")}

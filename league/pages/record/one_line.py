"""Fill in the form from a hand in one line: "ann kings and nines, bob mucks, pot 45".

The field `sentence` contains the text, and `used_sentence` contains the text that last filled in
the form. If the user changes the text, the values from the earlier text are removed from the form.
If the user deletes the text, everything stays in the form, so that a second text can add to it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.pages.record.questions import NO_GAME, House, form_for
from league.pages.record.read_form import (
    AWAY,
    Fields,
    carried_chips,
    read_carried,
    rows_of,
    text_of,
)
from rules.spoken import Entry, Mark, read_hand

SENTENCE, USED = "sentence", "used_sentence"
# Some codes have a more precise reason: "number", "fraction" and "others".
REASONS: Mapping[str, Promise] = {
    "unknown-word": gettext_lazy(
        "“%(text)s” isn't a player, a card or a hand. Example: %(name)s Ah Kh, pot 45."
    ),
    "number": gettext_lazy(
        "What is “%(text)s” for? Write “pot %(text)s”, “%(text)s each” or “%(name)s pays %(text)s”."
    ),
    "fraction": gettext_lazy("“%(text)s” isn't a whole number of chips. Example: pot 45."),
    "ambiguous-name": gettext_lazy("“%(text)s” could be %(names)s. Write the full name."),
    "no-player": gettext_lazy("“%(text)s” has no player. Write a name first: %(name)s %(text)s."),
    "others": gettext_lazy("“%(text)s” works once all other names are clear."),
    "nothing-said": gettext_lazy(
        "What about %(names)s? Add cards, chips or a result. Example: %(names)s folds."
    ),
    "contradiction": gettext_lazy("“%(text)s” doesn't fit an earlier part. Delete one of them."),
    "not-in-game": gettext_lazy("“%(text)s” doesn't fit this game."),
    "no-suits": gettext_lazy(
        "“%(text)s” has no suits. Write them, such as Ah Kh, or choose the cards below."
    ),
    "not-decided": gettext_lazy(
        "“%(text)s” doesn't decide who wins how much. Choose the winner below."
    ),
    "too-long": gettext_lazy("This is too long. Use at most 1,000 characters."),
}
NUMBER = re.compile(r"\d[\d,]*")
FRACTION = re.compile(r"\d+[.,]\d")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the text, and the reason for its mark, if it has one."""

    text: str
    reason: str = ""


def filled(fields: Fields, house: House) -> dict[str, Sequence[str]]:
    """Return the fields after reading the text."""
    text, before = text_of(fields, SENTENCE), text_of(fields, USED)
    unfilled = dict(fields)
    for name, texts in _values(before, fields, house).items() if before else ():
        if list(fields.get(name, ())) == texts:
            del unfilled[name]
    values = _values(text, unfilled, house)
    if "winner" in values:
        unfilled = {name: texts for name, texts in unfilled.items() if not name.endswith("/took")}
    if any(name.endswith("/took") for name in values):
        unfilled.pop("winner", None)
    if "all_paid" in values:
        unfilled.pop("pot", None)
    return unfilled | values | {USED: [text]}


def context(fields: Fields, house: House) -> dict[str, Any]:
    """Return the text, the text that filled in the form, and its pieces if both are the same."""
    sentence, used = text_of(fields, SENTENCE), text_of(fields, USED)
    entry = _entry(sentence, fields, house) if sentence and sentence == used else None
    pieces = []
    if entry:
        end = 0
        for mark in entry.marks:
            text = sentence[mark.start : mark.end]
            example = next(iter(_players(fields)), "Ann")
            names = get_text_list(list(mark.players), _("or"))
            reason = str(REASONS[_reason(mark, text, entry)])
            pieces.append(Piece(sentence[end : mark.start]))
            pieces.append(Piece(text, reason % {"text": text, "names": names, "name": example}))
            end = mark.end
        pieces.append(Piece(sentence[end:]))
    return {"sentence": sentence, "used_sentence": used, "pieces": pieces}


def _reason(mark: Mark, text: str, entry: Entry) -> str:
    """Return the key of the reason for a mark."""
    if mark.code == "unknown-word" and NUMBER.fullmatch(text):
        return "number"
    if mark.code == "unknown-word" and FRACTION.match(text):
        return "fraction"
    others = {(part.start, part.end) for part in entry.sentence.parts if part.key == "others"}
    return "others" if (mark.start, mark.end) in others else mark.code


def _players(fields: Fields) -> dict[str, int]:
    """Return the row of each player who is dealt in."""
    return {
        text_of(fields, f"players/{row}/name"): row
        for row in rows_of(fields)
        if text_of(fields, f"players/{row}/state") != AWAY
    }


def _entry(text: str, fields: Fields, house: House) -> Entry | None:
    form = form_for(fields, house)
    if form is NO_GAME:
        return None
    return read_hand(
        text,
        list(_players(fields)),
        form["variant"],
        form["modifiers"],
        form["chosen"],
        is_result=text_of(fields, "depth") == "result",
        carried=carried_chips(read_carried(text_of(fields, "carried"))),
    )


def _values(text: str, fields: Fields, house: House) -> dict[str, list[str]]:
    """Return the fields that a text fills in."""
    entry = _entry(text, fields, house)
    if entry is None:
        return {}
    rows = _players(fields)
    values: dict[str, list[str]] = {} if entry.depth is None else {"depth": [entry.depth]}
    for place, cards in enumerate(entry.board):
        if cards:
            values[f"board/{place}"] = [" ".join(cards)]
    for key, chips in (("all_paid", entry.all_paid), ("pot", entry.pot)):
        if chips is not None:
            values[key] = [str(chips)]
    if entry.winner:
        values["winner"] = [str(rows[entry.winner])]
    if entry.showed:
        values["showed"] = [str(rows[name]) for name in entry.showed]
    for name, player in entry.players.items():
        at = f"players/{rows[name]}"
        values |= {f"{at}/{zone}": [" ".join(cards)] for zone, cards in player.cards.items()}
        parts = {"state": player.state, "declared": player.declared, "paid": player.paid}
        values |= {
            f"{at}/{key}": [str(value)]
            for key, value in (parts | {"took": player.took}).items()
            if value not in {"", None}
        }
    return values

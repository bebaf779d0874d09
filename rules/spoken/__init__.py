"""Read a hand in one line: "ann kings and nines, bob mucks, pot 45" (docs/one-line.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.presentation import form as presentation_form
from rules.spoken.filling import fill
from rules.spoken.reader import LONGEST, read
from rules.spoken.sentence import MARKS, Entry, Mark, PlayerEntry

__all__ = ["LONGEST", "MARKS", "Entry", "Mark", "PlayerEntry", "read_hand"]


def read_hand(  # noqa: PLR0913 (all that determines a form)
    text: str,
    names: Sequence[str],
    variant: str | Mapping[str, Any],
    modifiers: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    *,
    is_result: bool = False,
    carried: int = 0,
) -> Entry:
    """Return the fields of a game's form that a sentence about these players fills in.

    `is_result` is whether the form only records a result, and `carried` is how many chips an
    earlier hand left in the pot. Raises GameError.
    """
    form = presentation_form.form(variant, modifiers, options)
    game = presentation_form.game_of(variant, modifiers, options)
    sentence = read(text, names)
    return fill(form, game, sentence, names, is_result=is_result, carried=carried)

"""A chip set on pages: the chips of the keypad, what to hand out, and the legend."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from league.chips import COLOURS, ChipColour, Portion, hand_out
from league.models import League, Night


@dataclass(frozen=True, slots=True)
class Keypad:
    """The chips on the keypad: their values, and the colours of the league's set as JSON or ""."""

    values: Sequence[int]
    chip_set: str


@dataclass(frozen=True, slots=True)
class Pieces:
    """A number of pieces of one colour. `face` is the value, shortened to fit on a chip."""

    colour: str
    name: str | Promise
    value: int
    face: str
    number: int


def keypad(league: League) -> Keypad:
    """Return the chips on the keypad. They have no colours if the league has no chip set."""
    if not league.chip_set:
        return Keypad(league.denominations, "")
    rows = [
        {
            "value": chips["value"],
            "colour": chips["colour"],
            "face": _face(chips["value"]),
            "label": _("%(colour)s, %(value)s each")
            % {"colour": COLOURS[chips["colour"]], "value": f"{chips['value']:,}"},
        }
        for chips in league.chip_set
    ]
    return Keypad([chips["value"] for chips in league.chip_set], json.dumps(rows))


def pieces_of(chip_set: Sequence[ChipColour], portion: Portion | None = None) -> list[Pieces]:
    """Return the pieces of a portion, or all pieces of the set."""
    numbers = [chips["count"] for chips in chip_set] if portion is None else portion
    return [
        Pieces(
            chips["colour"],
            COLOURS[chips["colour"]],
            chips["value"],
            _face(chips["value"]),
            number,
        )
        for chips, number in zip(chip_set, numbers, strict=True)
        if number
    ]


def pieces_to_hand_out(league: League, buy_in: int, players: int) -> list[Pieces]:
    """Return what each player gets, or [] if the set can't pay the buy-in."""
    plan = hand_out(league.chip_set, buy_in, max(1, players))
    return pieces_of(league.chip_set, plan.portion) if plan and plan.portion else []


def pieces_for_the_start(night: Night, hands: int, players: int) -> list[Pieces]:
    """Return what each player gets for the usual buy-in, or [] after the night's first hand."""
    if hands or night.state == Night.State.CLOSED:
        return []
    return pieces_to_hand_out(night.league, night.usual_buy_in, players)


def _face(value: int) -> str:
    """Return the value in a short form that fits on a chip: 5, 1000, 25k, 5M."""
    for unit, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if value >= 10 * 10**3 and value % unit == 0:
            return f"{value // unit}{letter}"
    return str(value)

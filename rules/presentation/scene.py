"""One step of a replay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Record = Mapping[str, Any]
Answer = Mapping[str, Any]
Reason = Mapping[str, Any]
Told = tuple[str, Reason]  # a sentence of the story and its reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One step of a replay; places are paths into the record, as "players/0/down/1".

    `kind` is deal, board, turn, change, fact, bet, declare, out, show, tiebreak, share, carry or
    end. Cards come to lie `down` or `up`, or are `turned` up. `lit` maps the place of each card
    that was used to the card it stood for, empty for itself. `says` maps names to what they
    declare, `shows` to the hands they made, `wins` to chips. `pot` is None where nobody knows it.
    Where every action is known, cards may be `gone`, and `stacks` and `bets` are told by seat.
    """

    kind: str
    text: str
    down: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    lit: Mapping[str, str] = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    shows: Mapping[str, Sequence[str]] = field(default_factory=dict)
    wins: Mapping[str, int] = field(default_factory=dict)
    out: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    pot: int | None = None
    gone: tuple[str, ...] = ()
    stacks: tuple[int | None, ...] = ()
    bets: tuple[int, ...] = ()

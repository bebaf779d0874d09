"""What the table plays for: the `stakes` of a record (docs/history.md)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.game import Betting
from rules.grammar import Misread, read_betting
from rules.record import MOST_CHIPS, MOST_PLAYERS, Problem

AMOUNTS = ("bring_in", "small", "big", "min", "unit", "mid", "bomb", "cap")
SWITCHES = ("dead_ante", "short_blind")
KEYS = (*AMOUNTS, *SWITCHES, "ante", "blinds", "betting")


@dataclass(frozen=True, slots=True)
class Stakes:
    """Sizes in chips. Lists go by seat from the dealer's left; heads up they are turned round.

    A blind below zero is a post that does not move who opens. `dead_ante`: antes are no stakes,
    so a short one can win all of them. `short_blind`: a blind that is short lowers the call.
    """

    ante: int = 0
    antes: tuple[int, ...] = ()
    dead_ante: bool = False
    short_blind: bool = False
    blinds: tuple[int, ...] = ()
    bring_in: int = 0
    small: int = 0
    big: int = 0
    min: int = 0
    unit: int = 1
    mid: int = 0
    bomb: int = 0
    cap: int = 0  # the most bets and raises of a round; 0: any number
    betting: Betting | None = None


NO_STAKES = Stakes()


def read_stakes(raw: object) -> tuple[Stakes, list[Problem]]:
    """The stakes of a record, and everything that is wrong with them."""
    if raw is None:
        return NO_STAKES, []
    if not isinstance(raw, Mapping):
        return NO_STAKES, [Problem("stakes", "wrong-type", "stakes are an object")]
    wrong = list(_problems(raw))
    betting = _betting(raw, wrong)
    if wrong:
        return NO_STAKES, wrong
    ante = raw.get("ante", 0)
    whole = type(ante) is int
    return (
        Stakes(
            ante=ante if whole else 0,
            antes=() if whole else tuple(ante),
            dead_ante=raw.get("dead_ante", False),
            short_blind=raw.get("short_blind", False),
            blinds=tuple(raw.get("blinds", ())),
            betting=betting,
            **{name: raw[name] for name in AMOUNTS if name in raw},
        ),
        [],
    )


def _problems(raw: Mapping[str, Any]) -> Iterator[Problem]:
    for key in raw:
        if key not in KEYS:
            yield Problem(f"stakes/{str(key)[:40]}", "unknown-key", f"stakes are {', '.join(KEYS)}")
    for key in AMOUNTS:
        if key in raw and not _is_chips(raw[key], least=1 if key == "unit" else 0):
            yield Problem(f"stakes/{key}", "bad-chips", "a whole number of chips is needed here")
    for key in SWITCHES:
        if type(raw.get(key, False)) is not bool:
            yield Problem(f"stakes/{key}", "wrong-type", "true or false is needed here")
    ante = raw.get("ante", 0)
    if not (_is_chips(ante) or _is_list(ante, least=0)):
        yield Problem("stakes/ante", "bad-chips", "chips, or a list of them by seat")
    if not _is_list(raw.get("blinds", []), least=-MOST_CHIPS):
        yield Problem("stakes/blinds", "bad-chips", "a list of chips by seat is needed here")


def _is_chips(value: object, least: int = 0) -> bool:
    return type(value) is int and least <= value <= MOST_CHIPS


def _is_list(value: object, least: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_PLAYERS
        and all(_is_chips(item, least) for item in value)
    )


def _betting(raw: Mapping[str, Any], wrong: list[Problem]) -> Betting | None:
    text = raw.get("betting")
    if text is None:
        return None
    if not isinstance(text, str) or len(text) > 200:
        wrong.append(Problem("stakes/betting", "wrong-type", "limits are a text, as in a game"))
        return None
    try:
        return read_betting(text)
    except Misread as misread:
        wrong.append(Problem("stakes/betting", "bad-option", f"{text[:60]!r}: {misread}"))
        return None

"""What the table plays for: the `stakes` of a record (docs/history.md)."""

import marshal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from rules.errors import Problem
from rules.game.game import Betting
from rules.game.grammar import GrammarError, read_betting
from rules.game.hand import MOST_CHIPS, MOST_PLAYERS
from rules.game.workload import MOST_PROBLEMS

AMOUNTS = ("bring_in", "small", "big", "min", "unit", "mid", "bomb", "cap")
SWITCHES = ("dead_ante", "short_blind")
MOST_KNOWN = 4096
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
    largest_blind: int = field(init=False)

    def __post_init__(self) -> None:
        largest = max(map(abs, self.blinds), default=0)
        object.__setattr__(self, "largest_blind", largest)


NO_STAKES = Stakes()


# Only good stakes are remembered: a stranger's mistakes may be as long as they like.
_known: dict[bytes, Stakes] = {}


def read_stakes(raw: Any) -> tuple[Stakes, list[Problem]]:
    """The stakes of a record, and everything that is wrong with them; the same are read once."""
    try:
        told = marshal.dumps(raw, 2)  # 1, 1.0 and true are told apart
    except ValueError:
        return _read(raw)
    if told in _known:
        return _known[told], []
    stakes, wrong = _read(raw)
    if not wrong:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[told] = stakes
    return stakes, wrong


def _read(raw: Any) -> tuple[Stakes, list[Problem]]:
    if raw is None:
        return NO_STAKES, []
    if not isinstance(raw, Mapping):
        return NO_STAKES, [Problem("stakes", "wrong-type", "stakes are an object")]
    good = all(map(_is_good, raw, raw.values()))
    wrong = [] if good else list(islice(_problems(raw), MOST_PROBLEMS))
    betting = _betting(raw, wrong)
    if wrong:
        return NO_STAKES, wrong
    told = {**raw, "betting": betting}
    if type(raw.get("ante", 0)) is not int:
        told["antes"] = tuple(told.pop("ante"))
    if "blinds" in raw:
        told["blinds"] = tuple(raw["blinds"])
    return Stakes(**told), []


def _is_good(key: object, value: object) -> bool:
    return key in GOOD and GOOD[key](value)


def _problems(raw: Mapping[str, Any]) -> Iterator[Problem]:
    for key in raw:
        if key not in KEYS:
            yield Problem(f"stakes/{str(key)[:40]}", "unknown-key", f"stakes are {', '.join(KEYS)}")
    for key, (is_good, code, text) in FORMS.items():
        if key in raw and not is_good(raw[key]):
            yield Problem(f"stakes/{key}", code, text)


def _is_chips(value: object, least: int = 0) -> bool:
    return type(value) is int and least <= value <= MOST_CHIPS


def _is_list(value: object, least: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_PLAYERS
        and all(_is_chips(item, least) for item in value)
    )


CHIPS = (_is_chips, "bad-chips", "a whole number of chips is needed here")
SWITCH = (lambda value: type(value) is bool, "wrong-type", "true or false is needed here")
FORMS: dict[str, tuple[Callable[[object], bool], str, str]] = {
    **dict.fromkeys(AMOUNTS, CHIPS),
    "unit": (lambda value: _is_chips(value, least=1), *CHIPS[1:]),
    **dict.fromkeys(SWITCHES, SWITCH),
    "ante": (
        lambda value: _is_chips(value) or _is_list(value, least=0),
        "bad-chips",
        "chips, or a list of them by seat",
    ),
    "blinds": (
        lambda value: _is_list(value, least=-MOST_CHIPS),
        "bad-chips",
        "a list of chips by seat is needed here",
    ),
}


GOOD: dict[object, Callable[[object], bool]] = {key: form[0] for key, form in FORMS.items()}
GOOD["betting"] = lambda value: True  # read at once


def _betting(raw: Mapping[str, Any], wrong: list[Problem]) -> Betting | None:
    text = raw.get("betting")
    if text is None:
        return None
    if not isinstance(text, str) or len(text) > 200:
        wrong.append(Problem("stakes/betting", "wrong-type", "limits are a text, as in a game"))
        return None
    try:
        return read_betting(text)
    except GrammarError as misread:
        wrong.append(Problem("stakes/betting", "bad-option", f"{text[:60]!r}: {misread}"))
        return None

"""What goes into an import and comes out of it: files, wishes, refusals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from league.models import LONGEST_NAME, League
from league.refusals import Fault, fault
from league.texts import shown, tidy
from rules.formats.amounts import MOST_PLACES
from rules.formats.pokernow import AMOUNTS

DATE, FILE = "date", "file"


@dataclass(frozen=True, slots=True)
class Source:
    """A file: its name, the folder it lies in, and what it says."""

    name: str
    folder: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What whoever imports decides.

    `amounts` says what PokerNow's numbers count. `places` are the decimal places of the files' unit
    that a chip stands for: 2 where it is a cent; the finest that is told, for none. `nights` puts
    hands together by date or by file; `called` says who is meant by a name of the files. `close`
    closes the nights as the hands say.
    """

    amounts: str = ""
    places: int | None = None
    nights: str = DATE
    called: Mapping[str, str] = field(default_factory=dict)
    add_players: bool = False
    close: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Something of a file that was not recorded, and why; or that was, and looks wrong.

    Line 0 where none is known; `action` is that of the hand where it happened.
    """

    file: str
    code: str
    text: str
    hand: str = ""
    line: int = 0
    where: str = ""
    action: str = ""

    def as_dict(self) -> dict[str, Any]:
        told = ("file", "line", "hand", "where", "action", "code", "text")
        return {name: getattr(self, name) for name in told}

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        hand = f" hand {self.hand}" if self.hand else ""
        action = f" ({self.action})" if self.action else ""
        return f"{place}:{hand}{' ' + self.where if self.where else ''}{action}: {self.text}"


def refusal(
    each: Fault, *, file: str, hand: object = None, line: int = 0, action: str = ""
) -> Refusal:
    """Return a fault of a hand as a refusal that says where it stands."""
    return Refusal(
        file=shown(file),
        line=line,
        hand="" if hand is None else shown(str(hand))[:LONGEST_NAME],
        where=shown(each["where"]),
        action=shown(action),
        code=each["code"],
        text=shown(each["text"]),
    )


def wrong_wishes(league: League, wishes: Wishes) -> Iterator[Fault]:
    """Yield what is wrong with the wishes themselves."""
    if wishes.amounts and wishes.amounts not in AMOUNTS:
        yield fault("amounts", "wrong-type", f"amounts are {' or '.join(AMOUNTS)}")
    if wishes.nights not in (DATE, FILE):
        yield fault("nights", "wrong-type", f"nights are put together by {DATE} or by {FILE}")
    if wishes.places is not None and not 0 <= wishes.places <= MOST_PLACES:
        yield fault("places", "wrong-type", f"decimal places go from 0 to {MOST_PLACES}")
    for name, meant in wishes.called.items():
        known = league.players.filter(name__iexact=tidy(meant)).exists()
        if not known and not wishes.add_players:
            text = f"the league has no player {shown(meant)}, who is to be {shown(name)}"
            yield fault("called", "unknown-player", text)

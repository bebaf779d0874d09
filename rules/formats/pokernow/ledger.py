"""PokerNow's ledger in: what everybody bought in for and left with, one row a session."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from rules.formats.amounts import places_of, read_number, to_units
from rules.formats.csv_rows import Unreadable, rows
from rules.formats.pokernow.log import Line

NEEDED = ("player_nickname", "player_id", "buy_in", "buy_out", "stack", "net")
CHIPS = ("buy_in", "buy_out", "stack", "net")


@dataclass(slots=True)
class Player:
    """One player, all sessions together, in the smallest unit. Names by id: they may change."""

    id: str
    name: str
    buy_in: int = 0
    buy_out: int = 0
    stack: int = 0
    net: int = 0
    sessions: list[dict[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Ledger:
    """The players, how many decimal places their chips have, and the rows that can't be read."""

    players: list[Player] = field(default_factory=list)
    places: int = 0
    lines: list[Line] = field(default_factory=list)

    @property
    def balance(self) -> int:
        """What all nets come to: nothing, in a ledger that is right."""
        return sum(player.net for player in self.players)


def read_ledger(text: str, amounts: str) -> Ledger:
    """The players of a ledger. `cents` are whole already; `units` may have decimals."""
    ledger = Ledger()
    found = list(_rows(text, ledger))
    ledger.places = places_of(read_number(row[key]) for _, row in found for key in CHIPS)
    if amounts == "cents" and ledger.places:
        ledger.lines += [
            Line(number, ",".join(row.values()), "unread")
            for number, row in found
            if _is_split(row)
        ]
        found = [(number, row) for number, row in found if not _is_split(row)]
        ledger.places = 0
    players: dict[str, Player] = {}
    for number, row in found:
        name = row["player_nickname"]
        player = players.setdefault(row["player_id"], Player(row["player_id"], name))
        _add(player, row, ledger.places)
        if not _adds_up(row):
            ledger.lines.append(Line(number, ",".join(row.values()), "net-differs"))
    ledger.players = list(players.values())
    return ledger


def _is_split(row: dict[str, str]) -> bool:
    return any("." in row[key] for key in CHIPS)


def _rows(text: str, ledger: Ledger) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows that are whole, each with the line it ends on."""
    try:
        for row in rows(text):
            cells = _whole(row.by_column)
            if cells is None:
                ledger.lines.append(Line(row.line, row.text[:200], "unread"))
            else:
                yield row.line, cells
    except Unreadable as error:
        ledger.lines.append(Line(error.line, "from here on this is no CSV", "unread"))


def _whole(row: dict[str, str]) -> dict[str, str] | None:
    if any(key not in row for key in NEEDED):
        return None
    cells = {key: value.strip() for key, value in row.items() if key}
    for key in CHIPS:
        cells[key] = cells[key] or "0"  # a player who still sits has no buy-out
        if read_number(cells[key]) is None:
            return None
    return cells


def _adds_up(row: dict[str, str]) -> bool:
    """The net of a row is what it left with less what it bought; other columns may take from it."""
    buy_in, buy_out, stack, net = (read_number(row[key]) or 0 for key in CHIPS)
    return "nit_escrow" in row or buy_out + stack - buy_in == net


def _add(player: Player, row: dict[str, str], places: int) -> None:
    for key in CHIPS:
        units = to_units(read_number(row[key]), places) or 0
        setattr(player, key, getattr(player, key) + units)
    times = ("session_start_at", "session_end_at")
    player.sessions.append({key: row[key] for key in times if row.get(key)})

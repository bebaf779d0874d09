"""Deals run several times, as specified in docs/record.md: each run with its part of each pot."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tests.helpers.rules.slow.pots import Chips, Pot, divide, pots_of
from tests.helpers.rules.slow.reading import Game

Record = Mapping[str, Any]


class Part(NamedTuple):
    """One run: its number from 0, the number of runs, and the players left before all runs."""

    number: int
    of: int
    before: list[str]


def run_records(record: Record) -> list[dict[str, Any]]:
    """Return each run as a complete record."""
    return [_completed(record, run) for run in record["runs"]]


def _completed(record: Record, run: Record) -> dict[str, Any]:
    whole = {key: value for key, value in record.items() if key not in {"runs", "took"}}
    rows = {n: [*row] for n, row in enumerate(record.get("board", ()))}
    for n, row in enumerate(run.get("board", ())):
        rows[n] = _with(rows.get(n, []), row)
    whole["board"] = [rows[n] for n in sorted(rows)]
    added = {player["name"]: player for player in run.get("players", ())}
    players = []
    for player in record["players"]:
        more = added.get(player["name"], {})
        zones = {zone: _with(player.get(zone, []), more[zone]) for zone in more if zone in ZONES}
        declared = {"declared": more["declared"]} if "declared" in more else {}
        players.append({**player, **zones, **declared})
    whole["players"] = players
    whole["options"] = {**record.get("options", {}), **run.get("options", {})}
    whole["shared"] = [*record.get("shared", ()), *run.get("shared", ())]
    whole["tiebreaks"] = run.get("tiebreaks", record.get("tiebreaks", []))
    return whole


ZONES = ("down", "up")


def _with(cards: Sequence[str], added: Sequence[str]) -> list[str]:
    left = [*added]
    filled = [left.pop(0) if card == "??" and left else card for card in cards]
    return filled + left


def left_before(game: Game, record: Record) -> list[str]:
    """Return the players left before the runs. Only cards dealt until then can kill a hand."""
    rows = [*record.get("board", ())] + [[]] * len(game.board)
    padded = [
        [*row, *["??"] * (len(slots) - len(row))]
        for row, slots in zip(rows, game.board, strict=False)
    ]
    killed = game.killed({**record, "board": padded})
    return [
        player["name"]
        for player in record["players"]
        if not (player.get("folded") or player.get("mucked") or player["name"] in killed)
    ]


def pots_of_run(record: Record, part: Part, live: Sequence[str]) -> tuple[list[Pot], Chips]:
    """Return the part of each pot that a run decides, and the uncalled chips."""
    pots, returned = pots_of(record, part.before)
    parts: list[Pot] = []
    for pot in pots:
        amount = divide(pot.amount, part.of)[part.number]
        seats = tuple(name for name in pot.seats if name in live)
        for n, other in enumerate(parts):
            if pot.carried:
                joins = seats and (other.seats, other.late) == (seats, pot.late)
            else:
                joins = n == len(parts) - 1 and seats in {(), other.seats}
            if joins:
                parts[n] = other._replace(amount=other.amount + amount)
                break
        else:
            parts.append(pot._replace(amount=amount, seats=seats))
    return parts, returned

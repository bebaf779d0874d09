"""Short notation for records: cards as one string, with board rows separated by a bar."""

from typing import Any

from rules import settle
from tests.helpers.rules.comparing import check

Record = dict[str, Any]


def seat(name: str, down: str = "", paid: int = 10, up: str = "", **more: Any) -> Record:
    """Return a player. `down` and `up` are cards such as `As Kd`."""
    cards = {"down": down.split(), "up": up.split()}
    return {"name": name, "paid": paid} | {z: some for z, some in cards.items() if some} | more


def deal(
    variant: str | Record, *players: Record, board: str = "", button: int = 0, **more: Any
) -> Record:
    """Return a record. `board` contains rows such as `2h 7d 9s | Ah 5d 6s`."""
    found = {"variant": variant, "button": button, "players": list(players)} | more
    return found | ({"board": [row.split() for row in board.split("|")]} if board else {})


def wins(record: Record, chips: str, **expect: Any) -> Record:
    """Settle a record, check the winnings (such as `ann 20, bob 0`), and return the answer."""
    answer = settle(record)
    won = {name: int(amount) for name, amount in (pair.split() for pair in chips.split(", "))}
    check({"won": won, **expect}, answer)
    return answer


def refused(record: Record, *errors: str) -> None:
    """Check that a record has exactly these errors, each as `place code`."""
    wanted = [dict(zip(("where", "code"), error.split(" "), strict=True)) for error in errors]
    check({"errors": wanted}, settle(record))


def finds(record: Record, *findings: str) -> None:
    """Check that a settled record has exactly these findings, as `code` or `code player`."""
    keys = ("code", "player")
    wanted = [dict(zip(keys, finding.split(" "), strict=False)) for finding in findings]
    check({"findings": wanted}, settle(record))

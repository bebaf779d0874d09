"""The same hand with the players listed from another seat: `p1` is somebody else."""

import re
from typing import Any

WHO = re.compile(r"\bp(\d{1,3})\b")


def turn(record: dict[str, Any], by: int) -> dict[str, Any]:
    """The record with the players' list turned so many places to the left."""
    players = record["players"]
    count = len(players)
    by %= count
    if not by:
        return record

    def renumbered(who: re.Match[str]) -> str:
        number = int(who[1])
        return f"p{(number - 1 - by) % count + 1}" if 1 <= number <= count else who[0]

    def action(text: str) -> str:
        said, mark, comment = text.partition("#")
        return WHO.sub(renumbered, said) + mark + comment

    stacks = record.get("stacks")
    return {
        **record,
        **({"stacks": stacks[by:] + stacks[:by]} if stacks else {}),
        "button": (record["button"] - by) % count,
        "players": players[by:] + players[:by],
        "actions": [action(text) for text in record["actions"]],
    }

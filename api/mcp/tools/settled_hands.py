"""`settle`: who wins a hand that somebody tells, and why; nothing is stored."""

from typing import Any

from pydantic import Field

from api.mcp.asker import Asker
from api.mcp.tool import Arguments, Row, Tool
from league.common.errors import Problem, RefusedError
from league.games.lookup import playables
from league.hands.validation import answers_to

EXAMPLE = (
    '{"variant": "texas-holdem", "button": 1, "players": [{"name": "ann", "paid": 10, "down":'
    ' ["Ac", "Ad"]}, {"name": "bob", "paid": 10, "down": ["Kc", "Kd"]}], "board":'
    ' [["2h", "7d", "9s", "Jd", "Qc"]]}'
)


class Settle(Arguments):
    record: dict[str, Any] = Field(
        description="The record of a hand, as docs/record.md has it: `variant` is the slug of a"
        " game, or its document; each of `players` has `name`, `paid` and its cards (`down`, `up`),"
        " maybe `declared` or `folded`; `board` is rows of cards. As " + EXAMPLE
    )


class Settled(Row):
    story: list[str] = Field(description="who won what and why, in sentences")
    paid: dict[str, int]
    won: dict[str, int]
    net: dict[str, int]
    carry: int = Field(description="chips that nobody won")
    pots: list[dict[str, Any]]
    findings: list[dict[str, Any]] = Field(description="what the table did otherwise")


def _settle(asker: Asker, asked: Settle) -> Settled:
    asker.spend()
    played = playables(asker.league.pk)(asked.record)
    [answer] = answers_to([played], sent=[asked.record])
    if "errors" in answer:
        raise RefusedError(_placed(each) for each in answer["errors"])
    return Settled.model_validate(answer)


def _placed(error: Problem) -> Problem:
    """Return the problem with its place in what was sent; the rules say it from the record on."""
    where = f"record/{error['where']}" if error["where"] else "record"
    return {**error, "where": where}


SETTLE = Tool(
    "settle",
    "Who wins a hand and why, by the rules of any game of the catalog or of the league.",
    Settle,
    Settled,
    _settle,
)

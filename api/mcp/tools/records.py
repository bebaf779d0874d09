"""`records`: the hands of a season that stand out."""

from datetime import datetime
from uuid import UUID

from pydantic import Field

from api.mcp.asker import Asker
from api.mcp.meant import scope_meant
from api.mcp.tool import Arguments, Name, Row, Tool
from league.stats.figures.records import Notable, standing_out
from league.stats.figures.records import told as records_told


class Records(Arguments):
    season: Name | None = Field(None, description="a name or an id; all time unless told")


class Winner(Row):
    player: UUID
    name: str
    chips: int


class ShownHand(Row):
    player: UUID
    name: str
    way: str
    cards: list[str]
    called: str


class Record(Row):
    hand: UUID
    night: UUID
    number: int
    played_at: datetime
    game: str
    game_name: str
    chips: int = Field(description="of the pot, or of the scoop")
    winners: list[Winner]
    shown: list[ShownHand]


class RecordsFound(Row):
    biggest_pots: list[Record]
    biggest_scoops: list[Record] = Field(description="pots with several shares, taken whole")
    worst_beats: list[Record] = Field(description="the best hands that lost, nothing wild")
    best_hands: list[Record] = Field(description="the best of each game")


def _records(asker: Asker, asked: Records) -> RecordsFound:
    kinds = records_told(standing_out(scope_meant(asker.league, asked.season)))
    return RecordsFound(
        biggest_pots=_rows(kinds.pots),
        biggest_scoops=_rows(kinds.scoops),
        worst_beats=_rows(kinds.beats),
        best_hands=_rows(kinds.best),
    )


def _rows(found: list[Notable]) -> list[Record]:
    return [_row(each) for each in found]


def _row(each: Notable) -> Record:
    return Record(
        hand=each.hand,
        night=each.night,
        number=each.number,
        played_at=each.played_at,
        game=each.game,
        game_name=each.game_name,
        chips=each.chips,
        winners=[Winner(player=who, name=name, chips=won) for who, name, won in each.winners],
        shown=[ShownHand.model_validate(hand) for hand in each.shown],
    )


RECORDS = Tool(
    "records",
    "Hands that stand out in a season or of all time: the biggest pots and scoops, the worst beats,"
    " and the best hand of each game.",
    Records,
    RecordsFound,
    _records,
)

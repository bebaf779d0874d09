"""A row for each player and hand."""

from dataclasses import replace
from functools import lru_cache

from django.db.models import UUIDField

from api.feeds.columns import PLAYER, PLAYER_NAME, Column, Kind, sources
from api.feeds.hands import CURSOR, OF_HAND, HandRows, facts
from api.feeds.row_feed import MOST_STATEMENTS, Feed, FeedQuery, Page, first_rows
from api.feeds.versions import counted
from league.common.statements import AnyOf, Given, Statement
from league.models import Result

OF_ITS_HAND = (replace(CURSOR, note="of the hand: keep the rows with its last"), *OF_HAND)


class Results(Feed):
    """The cursor is that of the hand: its rows come together, and are replaced together."""

    name = "results"
    row = "ResultRow"
    summary = "A row for each player and hand, as it is counted now"
    columns = (
        *OF_ITS_HAND,
        PLAYER,
        PLAYER_NAME,
        Column(
            "position",
            Kind.INTEGER,
            note="seats from the dealer, who has 0",
            unit="number",
            example=2,
        ),
        Column("put", Kind.INTEGER, note="paid into the pot", unit="chips", example=30),
        Column("won", Kind.INTEGER, note="won of the pot", unit="chips", example=45),
        Column(
            "net", Kind.INTEGER, note="won less put, as the rules say", unit="chips", example=15
        ),
        Column("showdown", Kind.BOOLEAN, note="showed a hand"),
        Column(
            "won_high", Kind.BOOLEAN, empty=True, note="won the high; null where it was not tried"
        ),
        Column(
            "won_low", Kind.BOOLEAN, empty=True, note="won the low; null where it was not tried"
        ),
        Column(
            "scooped",
            Kind.BOOLEAN,
            empty=True,
            note="won all; null where there was nothing to split",
        ),
        Column("declared", Kind.TEXT, note="empty where nothing was", example="high"),
        Column(
            "was_right",
            Kind.BOOLEAN,
            empty=True,
            note="won what was declared; null where nothing was",
        ),
        Column(
            "moved",
            Kind.INTEGER,
            note="what the table pushed here wrongly",
            unit="chips",
            example=0,
        ),
    )
    filters = HandRows
    version = counted("pk")

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        shared = tuple(each for each in query.columns if each in OF_ITS_HAND)
        statement = facts(shared, query.filters)
        hands, more = first_rows(statement, query, after, most, league=query.league.pk)
        keys = [row[-1] for row in hands]
        player = query.values.get("player")
        own = query.columns[len(shared) :]
        rows = _results(own, of_player=player is not None).rows(hands=keys, player=player)
        place = {key: at for at, key in enumerate(keys)}
        return Page(
            rows,
            keys[-1] if keys else None,
            more,
            shared=len(shared),
            heads=hands,
            places=[place[row[-1]] for row in rows],
        )


@lru_cache(maxsize=MOST_STATEMENTS)
def _results(columns: tuple[Column, ...], *, of_player: bool) -> Statement:
    """Return how results of hands are asked for, of all who sat there or of one: these columns,
    and the ids of their hands at the end.
    """
    rows = Result.objects.filter(AnyOf("fact_id", "hands")).order_by("fact", "position")
    if of_player:
        rows = rows.filter(player=Given("player", UUIDField()))
    return Statement(rows, *sources(columns), "fact_id")

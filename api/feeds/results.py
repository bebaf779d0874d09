"""A row for each player and hand."""

from dataclasses import replace
from functools import lru_cache

from django.db.models import UUIDField

from api.feeds.columns import Column, Kind, sources
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
        Column("player", Kind.ID, "player_id"),
        Column("player_name", Kind.TEXT, "player__name"),
        Column("position", Kind.INTEGER, note="seats from the dealer, who has 0"),
        Column("put", Kind.INTEGER),
        Column("won", Kind.INTEGER),
        Column("net", Kind.INTEGER, note="won less put, as the rules say"),
        Column("showdown", Kind.BOOLEAN),
        Column("won_high", Kind.BOOLEAN, empty=True, note="null where it was not tried"),
        Column("won_low", Kind.BOOLEAN, empty=True, note="null where it was not tried"),
        Column("scooped", Kind.BOOLEAN, empty=True, note="null where there was nothing to split"),
        Column("declared", Kind.TEXT),
        Column("was_right", Kind.BOOLEAN, empty=True, note="null where nothing was declared"),
        Column("moved", Kind.INTEGER, note="chips that the table pushed here wrongly"),
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

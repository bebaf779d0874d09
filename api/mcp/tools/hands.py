"""Tools that find hands, settle one and explain its result."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import AwareDatetime, Field

from api.hands.views import current_revision
from api.mcp.caller import Caller
from api.mcp.lookups import find_game_slug, find_player, find_row, find_season
from api.mcp.tool import Arguments, Name, Page, Paged, Row, Tool, page_of
from league.access import find_hand, find_night
from league.common.errors import RefusedError
from league.common.text import game_of
from league.games.lookup import playables
from league.hands.validation import answers_to
from league.models import HandFact, League, Night, Player, Result
from league.stats.figures.games import game_names
from league.stats.figures.records import HandFilter, Order, Outcome, filtered_hands


class FindHands(Paged):
    """`after` is inclusive, `before` exclusive."""

    player: Name | None = Field(None, description="player who was dealt in: a name or an id")
    came: Outcome | None = Field(
        None,
        strict=False,
        description=(
            "outcome of the hand for the player, or for any player if none is given; "
            "won and lost are by net, scooped means all shares of a split pot"
        ),
    )
    declared: Name | None = Field(None, description="a declaration such as high, low or both")
    game: Name | None = Field(None, description="a name or a slug")
    dealer: Name | None = Field(None, description="player who chose the game: a name or an id")
    season: Name | None = Field(None, description="a name or an id")
    night: UUID | None = None
    wrong_payout: bool | None = Field(
        None, description="the table paid the pot to the wrong player"
    )
    verified: bool | None = Field(None, description="its cards are known")
    after: AwareDatetime | None = Field(
        None, description=("played at or after this time (with a time zone)")
    )
    before: AwareDatetime | None = Field(None, description="played before this time")
    order: Order = Field(Order.LATEST, strict=False, description="sort order")


class HandResult(Row):
    player: UUID
    player_name: str
    put: int
    won: int
    net: int
    declared: str = Field(description="the declaration; empty if there was none")
    won_high: bool | None = Field(description="null if the player did not compete for it")
    won_low: bool | None
    scooped: bool | None = Field(description="null if the pot was not split")


class HandLine(Row):
    id: UUID
    night: UUID
    night_number: int
    season: UUID
    number: int = Field(description="number of the hand in its night")
    played_at: datetime
    game: str
    game_name: str
    dealer: UUID
    dealer_name: str
    pot: int
    carry: int = Field(description="chips that no player won")
    wrong_payout: bool
    results: list[HandResult] = Field(description="in seat order, starting with the dealer")


class HandsPage(Page):
    hands: list[HandLine]


def _find_hands(caller: Caller, query: FindHands) -> HandsPage:
    league = caller.league
    filters = {name: getattr(query, name) for name in PLAIN}
    filters["mistaken"] = query.wrong_payout
    for name in ("player", "dealer"):
        if (called := getattr(query, name)) is not None:
            filters[name] = find_player(league, called, name).pk
    if query.game is not None:
        filters["game"] = find_game_slug(league, query.game)
    if query.season is not None:
        filters["season"] = find_season(league, query.season).pk
    if query.night is not None:
        filters["night"] = find_row(find_night, caller, "night", query.night).pk
    rows = filtered_hands(HandFilter(league=league.pk, **filters), query.order)
    facts, after = page_of(rows[query.window], query)
    return HandsPage(hands=_hand_lines(league, facts), next_cursor=after)


PLAIN = ("came", "declared", "verified", "after", "before")


def _hand_lines(league: League, facts: Sequence[HandFact]) -> list[HandLine]:
    """Return the hands with all results.

    Results, names, nights and games take one query each.
    """
    results: dict[int, list[Result]] = defaultdict(list)
    for result in Result.objects.filter(fact__in=[fact.pk for fact in facts]).order_by("position"):
        results[result.fact_id].append(result)
    seated = {result.player_id for hand_results in results.values() for result in hand_results}
    seated |= {fact.dealer_id for fact in facts}
    names = dict(Player.objects.filter(league=league, pk__in=seated).values_list("pk", "name"))
    numbers = dict(
        Night.objects.filter(pk__in={fact.night_id for fact in facts}).values_list("pk", "number")
    )
    games = game_names(league.pk, {fact.game for fact in facts})
    return [
        HandLine(
            id=fact.hand_id,
            night=fact.night_id,
            night_number=numbers[fact.night_id],
            season=fact.season_id,
            number=fact.number,
            played_at=fact.played_at,
            game=fact.game,
            game_name=games[fact.game],
            dealer=fact.dealer_id,
            dealer_name=names[fact.dealer_id],
            pot=fact.pot,
            carry=fact.carry,
            wrong_payout=fact.mistaken,
            results=[
                HandResult(
                    player=result.player_id,
                    player_name=names[result.player_id],
                    put=result.put,
                    won=result.won,
                    net=result.net,
                    declared=result.declared,
                    won_high=result.won_high,
                    won_low=result.won_low,
                    scooped=result.scooped,
                )
                for result in results[fact.pk]
            ],
        )
        for fact in facts
    ]


class HandQuery(Arguments):
    hand: UUID = Field(description="id of a hand, from `find_hands` or `records`")


class Hand(Row):
    id: UUID
    night: UUID
    number: int
    played_at: datetime
    voided: bool = Field(description="voided: it does not count")
    revision: int = Field(description="number of the revision; above 1 if the hand was corrected")
    reason: str = Field(description="reason of the correction, if one was given")
    game: str = Field(description="its slug")
    game_name: str
    story: list[str] = Field(description="who won what and why, in sentences")
    won: dict[str, int]
    net: dict[str, int]
    record: dict[str, Any] = Field(description="the record (docs/record.md)")


def _hand(caller: Caller, query: HandQuery) -> Hand:
    hand = find_row(find_hand, caller, "hand", query.hand)
    now = current_revision(hand.pk)
    return Hand(
        id=hand.pk,
        night=hand.night_id,
        number=hand.number,
        played_at=now.hand.made_at,
        voided=now.hand.voided,
        revision=now.number,
        reason=now.reason,
        game=game_of(now.record["variant"], now.document.name),
        game_name=now.document.name,
        story=now.answer["story"],
        won=now.answer["won"],
        net=now.answer["net"],
        record=now.record,
    )


FIND_HANDS = Tool(
    "find_hands",
    (
        "Find hands by player, outcome (won, lost, scooped, declared right or "
        "wrong), game, dealer, season, night and time; latest, earliest or "
        "biggest pot first. For example, when a player last scooped a game. New "
        "hands are found after a few seconds."
    ),
    FindHands,
    HandsPage,
    _find_hands,
)
HAND = Tool(
    "hand",
    "One hand in full: its recorded cards, and who won what and why.",
    HandQuery,
    Hand,
    _hand,
)


EXAMPLE = (
    '{"variant": "texas-holdem", "button": 1, "players": [{"name": "ann", "paid": 10, "down":'
    ' ["Ac", "Ad"]}, {"name": "bob", "paid": 10, "down": ["Kc", "Kd"]}], "board":'
    ' [["2h", "7d", "9s", "Jd", "Qc"]]}'
)


class Settle(Arguments):
    record: dict[str, Any] = Field(
        description="The record of a hand, as docs/record.md has it: `variant` is the slug of a"
        " game, or its document; each of `players` has `name`, `paid` and its cards (`down`, `up`),"
        " maybe `declared` or `folded`; `board` is rows of cards; `runs` has the cards of"
        " each run, such as its `board`, if the rest was run twice or more. As " + EXAMPLE
    )


class Settled(Row):
    story: list[str] = Field(description="who won what and why, in sentences")
    paid: dict[str, int]
    won: dict[str, int]
    net: dict[str, int]
    carry: int = Field(description="chips that no player won")
    pots: list[dict[str, Any]]
    findings: list[dict[str, Any]] = Field(
        description=("differences between the table and the rules")
    )


def _settle(caller: Caller, query: Settle) -> Settled:
    caller.spend()
    played = playables(caller.league.pk)(query.record)
    [answer] = answers_to([played], sent=[query.record])
    if "errors" in answer:
        # The rules report places in the record, which is one of the arguments.
        raise RefusedError(
            {**error, "where": f"record/{error['where']}" if error["where"] else "record"}
            for error in answer["errors"]
        )
    return Settled.model_validate(answer)


SETTLE = Tool(
    "settle",
    "Who wins a hand and why, by the rules of any game of the catalog or of the league.",
    Settle,
    Settled,
    _settle,
)

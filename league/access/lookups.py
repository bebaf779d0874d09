"""Look up rows by id and check the visitor's permission. Most look-ups take one query.

The functions raise the same errors as `require` if the visitor lacks permission.
"""

from typing import Any, Generic, TypeVar
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import BigIntegerField, Model, OuterRef, QuerySet, Subquery, UUIDField
from django.http import Http404

from league.access.rights import (
    Action,
    Bearer,
    Visitor,
    know_role,
    may_correct,
    person,
    require,
    required,
    role_in,
)
from league.common.statements import Given, RowLookup
from league.models import (
    ChipRequest,
    Hand,
    HouseGame,
    League,
    Membership,
    Night,
    NightSeries,
    Objection,
    Payment,
    PaymentPlan,
    PlannedNight,
    PlannedPayment,
    Player,
    Role,
    Season,
    Tournament,
)

Row = TypeVar("Row", bound=Model)
_OF_PLANNED = ("plan__season__league__book", "plan__closing__night", "payer", "payee")


class Finder(Generic[Row]):
    """Finds rows of one model by id, together with their league and the visitor's role.

    `at` is the lookup path from a row to its league. `rows` must select the related league.
    """

    def __init__(self, rows: QuerySet[Row], at: str) -> None:
        self.at = at
        user, league = Given("user", BigIntegerField()), Given("league", UUIDField())
        roles = Membership.objects.filter(league=OuterRef(at), user=user).values("role")
        visible_rows: Any = rows.annotate(visitors_role=Subquery(roles[:1])).filter(
            pk=Given("id", UUIDField())
        )
        self.of_anyone: RowLookup[Row] = RowLookup(visible_rows)
        self.of_bearer: RowLookup[Row] = RowLookup(visible_rows.filter(**{at: league}))

    def find(self, visitor: Visitor, action: Action | str, key: UUID) -> Row:
        """Return the row if the visitor may take this action in its league, in one query."""
        user = person(visitor)
        given = {"id": key, "user": user and user.pk}
        if not isinstance(visitor, Bearer):
            row = self.of_anyone.first(**given)
        else:
            row = self.of_bearer.first(league=visitor.league_id, **given)
            if row and user is None:  # a feed link has no user
                vars(row)["visitors_role"] = Role.VIEWER
        return _authorize(row, visitor, action, self.at)


_LEAGUES = Finder(League.objects.select_related("book"), "pk")
_SEASONS = Finder(Season.objects.select_related("league__book"), "league")
_PLAYERS = Finder(Player.objects.select_related("league__book"), "league")
_NIGHTS = Finder(Night.objects.select_related("season__league__book"), "season__league")
_PLANNED_NIGHTS = Finder(PlannedNight.objects.select_related("league__book", "night"), "league")
_SERIES = Finder(NightSeries.objects.select_related("league__book"), "league")
_TOURNAMENTS = Finder(
    Tournament.objects.select_related("night__season__league__book", "charge__posting"),
    "night__season__league",
)
_HANDS = Finder(Hand.objects.select_related("night__season__league__book"), "night__season__league")
_OBJECTIONS = Finder(
    Objection.objects.select_related("hand__night__season__league__book", "player", "answer"),
    "hand__night__season__league",
)
_PLANS = Finder(
    PaymentPlan.objects.select_related("season__league__book", "closing__night"), "season__league"
)
_PAYMENTS = Finder(
    Payment.objects.select_related(*(f"planned__{each}" for each in _OF_PLANNED)),
    "planned__plan__season__league",
)


def find_league(visitor: Visitor, action: Action | str, league_id: UUID) -> League:
    """Return the league and its book, if the visitor may take this action."""
    return _LEAGUES.find(visitor, action, league_id)


def find_season(visitor: Visitor, action: Action | str, season_id: UUID) -> Season:
    """Return the season and its league, if the visitor may take this action."""
    return _SEASONS.find(visitor, action, season_id)


def find_player(visitor: Visitor, action: Action | str, player_id: UUID) -> Player:
    """Return the player and the league, if the visitor may take this action."""
    return _PLAYERS.find(visitor, action, player_id)


def find_night(visitor: Visitor, action: Action | str, night_id: UUID) -> Night:
    """Return the night and its league, if the visitor may take this action."""
    return _NIGHTS.find(visitor, action, night_id)


def find_night_to_charge(visitor: Visitor, action: Action, night_id: UUID) -> Night:
    """Return the night if the visitor may take this action.

    If the night is closed, only hosts may charge it, because a charge closes the night again.
    """
    night = find_night(visitor, action, night_id)
    if night.state == Night.State.CLOSED:
        require(visitor, Action.MANAGE, night.league)
    return night


def find_planned_night(
    visitor: Visitor, action: Action | str, planned_night_id: UUID
) -> PlannedNight:
    """Return the planned night and its league, if the visitor may take this action."""
    return _PLANNED_NIGHTS.find(visitor, action, planned_night_id)


def find_series(visitor: Visitor, action: Action | str, series_id: UUID) -> NightSeries:
    """Return the series and its league, if the visitor may take this action."""
    return _SERIES.find(visitor, action, series_id)


def find_tournament(
    visitor: Visitor, action: Action | str, night_id: UUID, tournament_id: UUID
) -> Tournament:
    """Return the night's tournament and its league, if the visitor may take this action.

    If the night is closed, only hosts may change the tournament, because changing its result closes
    the night again.
    """
    tournament = _TOURNAMENTS.find(visitor, action, tournament_id)
    if tournament.night_id != night_id:
        raise Http404
    if action != Action.VIEW and tournament.night.state == Night.State.CLOSED:
        require(visitor, Action.MANAGE, tournament.night.league)
    return tournament


def find_hand(visitor: Visitor, action: Action | str, hand_id: UUID) -> Hand:
    """Return the hand and its league, if the visitor may take this action."""
    return _HANDS.find(visitor, action, hand_id)


def find_hand_to_correct(visitor: Visitor, hand_id: UUID) -> Hand:
    """Return the hand if the visitor may correct or remove it."""
    hand = find_hand(visitor, Action.RECORD_HANDS, hand_id)
    closed = hand.night.state == Night.State.CLOSED
    if closed and not may_correct(visitor, hand.night.league):
        raise PermissionDenied("The night is closed. Only a host can correct its hands.")
    return hand


def find_objection(visitor: Visitor, objection_id: UUID) -> Objection:
    """Return the objection and its league, if the visitor may see the league."""
    return _OBJECTIONS.find(visitor, Action.VIEW, objection_id)


def find_chip_request(visitor: Visitor, night_id: UUID, request_id: UUID) -> ChipRequest:
    """Return the night's chip request. Raises Http404 for outsiders."""
    night = find_night(visitor, Action.VIEW, night_id)
    rows = ChipRequest.objects.select_related("player", "banker", "charged", "made_by")
    row = rows.filter(night=night, pk=request_id).first()
    if row is None:
        raise Http404
    row.night = night
    return row


def find_house_game(
    visitor: Visitor, action: Action | str, league_id: UUID, slug: str
) -> HouseGame:
    """Return the league's game with this slug, if the visitor may take this action."""
    league = find_league(visitor, action, league_id)
    game = HouseGame.objects.filter(league=league, slug=slug).first()
    if game is None:
        raise Http404
    game.league = league
    return game


def find_plan(visitor: Visitor, plan_id: UUID) -> PaymentPlan:
    """Return the plan and its league, if the visitor may see the league."""
    return _PLANS.find(visitor, Action.VIEW, plan_id)


def find_planned(visitor: Visitor, planned_id: int) -> PlannedPayment:
    """Return the planned payment, if the visitor may see its league."""
    at = "plan__season__league"
    rows = PlannedPayment.objects.select_related(*_OF_PLANNED).filter(pk=planned_id)
    if isinstance(visitor, Bearer):
        rows = rows.filter(**{at: visitor.league_id})
    planned = rows.annotate(visitors_role=role_in(visitor, at)).first()
    return _authorize(planned, visitor, Action.VIEW, at)


def find_payment(visitor: Visitor, payment_id: UUID) -> Payment:
    """Return the payment and its planned payment, if the visitor may see its league."""
    return _PAYMENTS.find(visitor, Action.VIEW, payment_id)


def _authorize(row: Row | None, visitor: Visitor, action: Action | str, at: str) -> Row:
    """Return the row if the visitor may take this action.

    The row has the visitor's role as `visitors_role`. Raises the same errors as `require`.
    """
    if row is None:
        raise Http404
    role: str | None = vars(row)["visitors_role"]
    league: Any = row  # was loaded with the row
    for name in at.split("__") if at != "pk" else ():
        league = getattr(league, name)
    know_role(league, visitor, Role(role) if role else None)
    required(visitor, action, Role(role) if role else None, league)
    return row

"""Plan the fewest payments: of a night as it closes, or of a season's running tab.

A plan evens out what no plan before it has: so one that follows a correction holds the difference
alone, and whoever has paid already has paid. It holds chips of one worth only. Of a night, payments
that are not worth the way may wait: they stay open, and the next plan has them.
"""

from collections import Counter
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from league.change_version import bump_league
from league.closing import closing_hash
from league.common import bounds
from league.common.errors import IdReusedError, problem, refuse
from league.common.money import Coined
from league.models import (
    Closing,
    League,
    Line,
    Night,
    Plan,
    PlannedPayment,
    Player,
    Season,
    Settles,
    User,
)
from ledger.fewest_payments import Payment, fewest_payments, payments_through

Balances = dict[UUID, int]


def plan_closing(closing: Closing) -> Plan | None:
    """Plan what the closing leaves open, unless the league keeps a running tab.

    A correction after the season was settled, or after a chip has got another worth, is planned at
    once. The caller holds the league.
    """
    night, league = closing.night, closing.league
    runs = league.settles == Settles.SEASON and not _settled(night.season)
    if runs and _coin(night) == _coin(league):
        return None
    plan = Plan(id=uuid5(closing.pk, "plan"), closing=closing, made_by=closing.made_by)
    plan.waits_below = league.waits_below
    return _filled(plan, night.season, league, of=night)


@transaction.atomic
def settle_season(season: Season, plan_id: UUID, *, by: User | None, end: bool = False) -> Plan:
    """Plan all that the season's closed nights have left open, once for each id.

    `end` says that the season is over. Raises RefusedError while a night is open, IdReusedError
    where the id stands for another plan.
    """
    league = League.objects.select_for_update(no_key=True).get(pk=season.league_id)
    if found := Plan.objects.filter(pk=plan_id).first():
        if (found.season_id, found.closing_id) != (season.pk, None):
            raise IdReusedError
        return found
    waiting = season.nights.filter(state=Night.State.OPEN)
    refuse(problem("season", "night-open", f"{night} is not closed") for night in waiting)
    refuse(bounds.SEASON_PLANS.exceeded(season.plans.filter(closing=None)))
    if end and not _settled(season):
        today = timezone.localdate(timezone=ZoneInfo(league.time_zone))
        season.ends_on = max(today, season.starts_on)
        season.save(update_fields=["ends_on"])
    bump_league(league.pk)
    plan = _filled(Plan(id=plan_id, made_by=by), season, league, of=league)
    closing_hash.seal_plan(plan)
    return plan


def unplanned(season: Season, of: Coined) -> Balances:
    """Return what the closed nights of the season leave open and no plan has evened out.

    Only of nights whose chips are worth as much as those of the league or the night that is given.
    Of a night that is open again its last closing counts: its plan stands as well.
    """
    open_chips: Counter[UUID] = Counter()
    worth = {"chip_value": of.chip_value, "currency": of.currency}
    nights = Night.objects.filter(season=season, **worth)
    lines = Line.objects.filter(closing__night__in=nights).order_by("closing__number")
    last = {
        (night, player): (closing, chips)
        for night, player, closing, chips in lines.values_list(
            "closing__night", "player", "closing__number", "settles"
        )
    }
    numbers: Counter[UUID] = Counter()
    for (night, _), (number, _) in last.items():
        numbers[night] = max(numbers[night], number)
    for (night, player), (number, chips) in last.items():
        if number == numbers[night]:
            open_chips[player] += chips
    for planned in PlannedPayment.objects.filter(
        plan__season=season, plan__chip_value=of.chip_value, plan__currency=of.currency
    ):
        open_chips[planned.payer_id] += planned.chips
        open_chips[planned.payee_id] -= planned.chips
    return {player: chips for player, chips in open_chips.items() if chips}


def waiting(night: Night) -> list[tuple[Player, int]]:
    """Return whose chips a closed night's plan left to the next one: below zero, they owe them.

    Nobody where the league lets no payment wait, or settles when the season ends.
    """
    if not Plan.objects.filter(closing__night=night, waits_below__gt=0).exists():
        return []
    left = unplanned(night.season, night)
    names = Player.objects.filter(pk__in=list(left)).order_by("name")
    return [(player, left[player.pk]) for player in names]


def _settled(season: Season) -> bool:
    return season.ends_on is not None and season.plans.filter(closing=None).exists()


def _coin(of: Coined) -> tuple[int, str]:
    return of.chip_value, of.currency


def _filled(plan: Plan, season: Season, league: League, *, of: Coined) -> Plan:
    """Store the plan of what the season has left open in chips of this worth."""
    plan.season, plan.chip_value, plan.currency = season, of.chip_value, of.currency
    plan.save(force_insert=True)
    planned = _payments(league.banker, unplanned(season, of))
    payments = [each for each in planned if each.amount >= plan.waits_below]
    PlannedPayment.objects.bulk_create(
        PlannedPayment(
            plan=plan,
            position=position,
            payer_id=UUID(each.payer),
            payee_id=UUID(each.payee),
            chips=each.amount,
            lost=each.lost,
            won=each.won,
        )
        for position, each in enumerate(payments)
    )
    return plan


def _payments(banker: Player | None, balances: Balances) -> list[Payment]:
    named = {str(player): chips for player, chips in balances.items()}
    if banker is None:
        return fewest_payments(named)
    return payments_through(str(banker.pk), named)

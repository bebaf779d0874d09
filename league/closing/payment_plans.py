"""Plan the fewest payments for a closed night, or for a season's running tab.

A plan settles all chips that earlier plans have not settled. After a correction, a plan contains
only the difference, so earlier payments stay valid. All chips in a plan have the same value. A
league can let small payments wait: those chips stay open and become part of the next plan.
"""

from collections import Counter
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from league.change_version import bump_league
from league.closing import closing_hash
from league.common import row_limits
from league.common.errors import IdReusedError, problem, refuse
from league.common.locks import lock_league
from league.common.money import Coined
from league.models import (
    Closing,
    ClosingLine,
    League,
    Night,
    PaymentPlan,
    PlannedPayment,
    Player,
    Season,
    SettlementPeriod,
    User,
)
from ledger.fewest_payments import fewest_payments, payments_through

Balances = dict[UUID, int]


def plan_closing(closing: Closing) -> PaymentPlan | None:
    """Plan payments for the closing's open balances, unless the league keeps a running tab.

    A correction is planned immediately if the season is already settled or the chip value has
    changed. The caller has locked the league.
    """
    night, league = closing.night, closing.league
    runs = league.settles == SettlementPeriod.SEASON and not _settled(night.season)
    if runs and _coin(night) == _coin(league):
        return None
    plan = PaymentPlan(id=uuid5(closing.pk, "plan"), closing=closing, made_by=closing.made_by)
    plan.waits_below = league.waits_below
    return _filled(plan, night.season, league, of=night)


@transaction.atomic
def settle_season(
    season: Season, plan_id: UUID, *, by: User | None, end: bool = False
) -> PaymentPlan:
    """Plan payments for all open balances of the season's closed nights, once for each id.

    If `end` is true, the season ends. Raises RefusedError while a night is open, or IdReusedError
    if the id belongs to a different plan.
    """
    league = lock_league(season.league_id)
    if payment_plan := PaymentPlan.objects.filter(pk=plan_id).first():
        if (payment_plan.season_id, payment_plan.closing_id) != (season.pk, None):
            raise IdReusedError
        return payment_plan
    waiting = season.nights.filter(state=Night.State.OPEN)
    refuse(problem("season", "night-open", f"{night} is not closed") for night in waiting)
    refuse(row_limits.SEASON_PLANS.exceeded(season.plans.filter(closing=None)))
    if end and not _settled(season):
        today = timezone.localdate(timezone=ZoneInfo(league.time_zone))
        season.ends_on = max(today, season.starts_on)
        season.save(update_fields=["ends_on"])
    bump_league(league.pk)
    plan = _filled(PaymentPlan(id=plan_id, made_by=by), season, league, of=league)
    closing_hash.seal_plan(plan)
    return plan


def unplanned(season: Season, of: Coined) -> Balances:
    """Return each player's chips from the season's closed nights that no plan has settled.

    Only nights with the same chip value and currency as `of` count. For a reopened night, the last
    closing counts, because its plan stays in effect.
    """
    open_chips: Counter[UUID] = Counter()
    worth = {"chip_value": of.chip_value, "currency": of.currency}
    nights = Night.objects.filter(season=season, **worth)
    lines = ClosingLine.objects.filter(closing__night__in=nights).order_by("closing__number")
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
    """Return each player's chips that the night's plan left to the next plan.

    Debts are negative. The result is empty if the league does not let payments wait, or settles at
    the end of the season.
    """
    if not PaymentPlan.objects.filter(closing__night=night, waits_below__gt=0).exists():
        return []
    left = unplanned(night.season, night)
    names = Player.with_box.filter(pk__in=list(left)).order_by("name")
    return [(player, left[player.pk]) for player in names]


def _settled(season: Season) -> bool:
    return season.ends_on is not None and season.plans.filter(closing=None).exists()


def _coin(of: Coined) -> tuple[int, str]:
    return of.chip_value, of.currency


def _filled(plan: PaymentPlan, season: Season, league: League, *, of: Coined) -> PaymentPlan:
    """Add payments for the season's open chips of this value to the plan, and store the plan."""
    plan.season, plan.chip_value, plan.currency = season, of.chip_value, of.currency
    plan.save(force_insert=True)
    banker = league.banker
    debts = {str(player): chips for player, chips in unplanned(season, of).items()}
    planned = payments_through(str(banker.pk), debts) if banker else fewest_payments(debts)
    payments = [payment for payment in planned if payment.amount >= plan.waits_below]
    PlannedPayment.objects.bulk_create(
        PlannedPayment(
            plan=plan,
            position=position,
            payer_id=UUID(payment.payer),
            payee_id=UUID(payment.payee),
            chips=payment.amount,
            lost=payment.lost,
            won=payment.won,
        )
        for position, payment in enumerate(payments)
    )
    return plan

"""Plan the fewest payments for a closed night, or for a season's running tab.

A plan settles all chips that earlier plans have not settled. If a night is closed again, or a
season is settled, the plan also replaces the earlier payments that were not sent. Payments that
were reported as sent stay in their plan. A plan without a closing belongs to the season: it was
made by settling the season, or by a correction of its unsent payments. All chips in a plan have the
same value. A league can let small payments wait: those chips stay open and become part of the next
plan.

    closing 1          closing 2: Cat's result is 30 higher
    Ann pays Bob 50    Ann has sent 20 of 50, so 30 are replaced
                       Ann pays Cat 30
"""

from collections import Counter
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import timezone

from league.change_version import bump_league
from league.closing import closing_hash
from league.closing.payments import LIVE, REPORTED, chips_left, unpaid
from league.closing.standings import last_closings
from league.common import row_limits
from league.common.errors import IdReusedError, problem, refuse
from league.common.locks import lock_league
from league.common.money import Coined
from league.common.text import by_name
from league.models import (
    Closing,
    ClosingLine,
    League,
    Night,
    PaymentPlan,
    PaymentReplacement,
    PlannedPayment,
    Player,
    Season,
    SettlementPeriod,
    User,
)
from league.nights.nights import ever_had_results
from ledger.fewest_payments import fewest_payments, payments_through
from ledger.posting import lock_book

Balances = dict[UUID, int]


def plan_closing(closing: Closing) -> PaymentPlan | None:
    """Plan payments for the closing's open balances, unless the league keeps a running tab.

    No plan is made if there is nothing to plan, or if nothing ever happened in the night: it must
    not settle what other nights have left open.

    A correction is planned immediately if the season is already settled or the chip value has
    changed. The plan of a later closing replaces the night's unsent payments. If the season was
    settled after the night was first closed, and some of its payments are unsent, the plan replaces
    those as well and belongs to the season. The caller has locked the league and its book.
    """
    night, league = closing.night, closing.league
    runs = league.settles == SettlementPeriod.SEASON and not _settled(night.season)
    if (runs and _coin(night) == _coin(league)) or not ever_had_results(night):
        return None
    plan = PaymentPlan(id=PaymentPlan.id_of(closing.pk), closing=closing, made_by=closing.made_by)
    plan.waits_below = league.waits_below
    earlier = PlannedPayment.objects.none()
    if closing.number > 1:
        of_night, of_season = Q(plan__closing__night=night), Q(plan__closing=None)
        earlier = unsent().filter(of_night)
        closed_at = night.closings.get(number=1).made_at
        settling = _of_coin(night.season, night).filter(closing=None, made_at__gte=closed_at)
        if unsent().filter(plan__in=settling).exists():
            earlier = unsent().filter(of_night | of_season)
            plan.closing, plan.waits_below = None, 0
            bump_league(league.pk)
    return plan if _fill(plan, night.season, league, of=night, earlier=earlier) else None


def plan_of(closing: Closing) -> PaymentPlan | None:
    """Return the plan that `plan_closing` made. It belongs to the closing or to the season."""
    return PaymentPlan.objects.filter(pk=PaymentPlan.id_of(closing.pk)).first()


@transaction.atomic
def settle_season(
    season: Season, plan_id: UUID, *, by: User | None, end: bool = False
) -> PaymentPlan:
    """Plan the fewest payments for all that the season's players still owe, once for each id.

    The plan replaces the season's unsent payments if it has fewer or smaller payments, or if there
    are chips that no plan has settled. Otherwise the plan is empty. If `end` is true, the season
    ends. Raises RefusedError while a night is open, or IdReusedError if the id belongs to a
    different plan.
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
    lock_book(league.book_id)
    plan = PaymentPlan(id=plan_id, made_by=by)
    if not _fill(plan, season, league, of=league, earlier=unsent()):
        plan.save(force_insert=True)  # an empty plan also settles the season
    closing_hash.seal_plan(plan)
    return plan


def unplanned(season: Season, of: Coined) -> Balances:
    """Return each player's chips from the season's closed nights that no plan has settled.

    Only nights with the same chip value and currency as `of` count. For a reopened night, the last
    closing counts, because its plan stays in effect.
    """
    worth = {"chip_value": of.chip_value, "currency": of.currency}
    nights = Night.objects.filter(season=season, **worth)
    # Not each player's last line: the last closing may lack a player, or have no lines at all.
    lines = ClosingLine.objects.filter(closing__in=last_closings(), closing__night__in=nights)
    settles = lines.order_by().values_list("player").annotate(total=Sum("settles"))
    open_chips: Counter[UUID] = Counter(dict(settles))
    plans = _of_coin(season, of)
    for planned in PlannedPayment.objects.filter(plan__in=plans):
        _add(open_chips, planned, -planned.chips)
    replaced = PaymentReplacement.objects.filter(plan__in=plans).select_related("planned")
    for replacement in replaced:
        _add(open_chips, replacement.planned, replacement.chips)
    return {player: chips for player, chips in open_chips.items() if chips}


def unsent() -> QuerySet[PlannedPayment]:
    """Return the planned payments with chips that were not reported as sent."""
    return unpaid(states=REPORTED)


def waiting(night: Night) -> list[tuple[Player, int]]:
    """Return each player's chips that the night's plan left to the next plan.

    Debts are negative. The result is empty if the league does not let payments wait, or settles at
    the end of the season.
    """
    if not PaymentPlan.objects.filter(closing__night=night, waits_below__gt=0).exists():
        return []
    left = unplanned(night.season, night)
    names = by_name(Player.with_box.filter(pk__in=list(left)))
    return [(player, left[player.pk]) for player in names]


def is_settled_with_season(night: Night) -> bool:
    """Whether a plan of the season settles the night's unpaid chips, and no later plan has.

    Either it replaced payments of the night, or the night was closed without a plan of its own.
    """
    own = Q(closing__night=night) & (Q(payments__isnull=False) | Q(replacements__isnull=False))
    settling = ClosingLine.objects.filter(closing=OuterRef("pk")).exclude(settles=0)
    closings = Closing.objects.filter(Exists(settling), night=night, plan=None)
    without_plan = closings.order_by("-number")
    after = Q(season=night.season_id, made_at__gte=Subquery(without_plan.values("made_at")[:1]))
    of_season = Q(closing=None) & (Q(replacements__planned__plan__closing__night=night) | after)
    last = PaymentPlan.objects.filter(own | of_season).order_by("made_at").last()
    return last is not None and last.closing_id is None


def count_unpaid(night: Night) -> int:
    """Return the number of the night's payments that were not sent."""
    return unpaid(states=LIVE).filter(plan__closing__night=night).count()


def _settled(season: Season) -> bool:
    return season.ends_on is not None and season.plans.filter(closing=None).exists()


def _coin(of: Coined) -> tuple[int, str]:
    return of.chip_value, of.currency


def _of_coin(season: Season, of: Coined) -> QuerySet[PaymentPlan]:
    """Return the season's plans with this chip value and currency."""
    return season.plans.filter(chip_value=of.chip_value, currency=of.currency)


def _add(open_chips: Counter[UUID], planned: PlannedPayment, chips: int) -> None:
    """Add chips of a planned payment to the open chips of its payer and its payee."""
    open_chips[planned.payer_id] -= chips
    open_chips[planned.payee_id] += chips


def _fill(
    plan: PaymentPlan,
    season: Season,
    league: League,
    *,
    of: Coined,
    earlier: QuerySet[PlannedPayment],
) -> bool:
    """Add payments for the season's open chips of this value to the plan, and store it if needed.

    The plan replaces the `earlier` unsent payments, unless it would only repeat them. It is smaller
    than payments in which a player both pays and is paid. A plan that settles and replaces nothing
    is not stored. Returns whether the plan is stored.
    """
    plan.season, plan.chip_value, plan.currency = season, of.chip_value, of.currency
    unplanned_chips = unplanned(season, of)
    replaced = list(earlier.filter(plan__in=_of_coin(season, of)).order_by("pk"))
    debts = Counter(unplanned_chips)
    for planned in replaced:
        _add(debts, planned, chips_left(planned))
    named = {str(player): chips for player, chips in debts.items()}
    bank = league.banker
    payments = payments_through(str(bank.pk), named) if bank else fewest_payments(named)
    fewer = len(payments) < len(replaced)
    less = sum(each.amount for each in payments) < sum(chips_left(each) for each in replaced)
    if not (unplanned_chips or fewer or less):
        return False
    plan.save(force_insert=True)
    PaymentReplacement.objects.bulk_create(
        PaymentReplacement(plan=plan, planned=planned, chips=chips_left(planned))
        for planned in replaced
    )
    large = [payment for payment in payments if payment.amount >= plan.waits_below]
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
        for position, payment in enumerate(large)
    )
    return True

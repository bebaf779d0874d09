"""`balances`: all players' tabs, and open planned payments."""

from datetime import datetime
from uuid import UUID

from pydantic import Field

from api.mcp.caller import Caller
from api.mcp.tool import Money, Page, Paged, Row, Tool, page_of
from league.closing.payments import chips_left, unpaid
from league.closing.standings import on_the_table
from league.models import Player
from league.nights import accounts
from ledger.balances import balances


class Tab(Row):
    player: UUID
    player_name: str
    chips: int = Field(
        description=("balance of the player's tab; negative if the player owes chips")
    )
    on_the_table: int = Field(
        description=("the part that is on the table at open nights and is not a debt")
    )


class OpenPayment(Row):
    payer: UUID
    payer_name: str
    payee: UUID
    payee_name: str
    chips: int = Field(description="chips of the planned payment")
    money: Money
    open_chips: int = Field(description="not confirmed yet")
    open_money: Money
    night: UUID | None = Field(description="null if the payment settles a season")
    created_at: datetime


class Balances(Page):
    tabs: list[Tab] = Field(
        description=("tabs with a balance, highest first; only on the first page")
    )
    planned_payments: list[OpenPayment] = Field(description="open payments, oldest first, in pages")


def _balances(caller: Caller, query: Paged) -> Balances:
    league = caller.league
    tabs = []
    if not query.skipped:  # only the first page lists the tabs
        chips, stakes = balances(league.book, kind="tab", nonzero=True), on_the_table(league)
        for key, name in Player.with_box.filter(league=league).values_list("pk", "name"):
            if held := chips.get(accounts.tab(key).key):
                tabs.append(Tab(player=key, player_name=name, chips=held, on_the_table=stakes[key]))
        tabs.sort(key=lambda tab: (-tab.chips, tab.player_name))
    rows = unpaid().filter(plan__season__league=league)
    rows = rows.select_related("plan__closing", "payer", "payee").order_by("plan__made_at", "pk")
    planned, after = page_of(rows[query.window], query)
    open_payments = []
    for payment in planned:
        plan, left = payment.plan, chips_left(payment)
        open_payment = OpenPayment(
            payer=payment.payer_id,
            payer_name=payment.payer.name,
            payee=payment.payee_id,
            payee_name=payment.payee.name,
            chips=payment.chips,
            money=Money(amount=payment.chips * plan.chip_value, currency=plan.currency),
            open_chips=left,
            open_money=Money(amount=left * plan.chip_value, currency=plan.currency),
            night=plan.closing.night_id if plan.closing else None,
            created_at=plan.made_at,
        )
        open_payments.append(open_payment)
    return Balances(
        tabs=tabs,
        planned_payments=open_payments,
        next_cursor=after,
    )


BALANCES = Tool(
    "balances",
    "Debts: tabs with a balance, and planned payments that are open.",
    Paged,
    Balances,
    _balances,
)

"""Payment plans, and payments that payers report and payees confirm or dispute."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.fields import (
    CashBoxField,
    Id,
    InputSerializer,
    MoneySerializer,
    RowSerializer,
    StrictBoolean,
    StrictInteger,
    Text,
    created_field,
    money_of,
    name_field,
)
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource, status_of
from api.openapi.schema import operation
from league.access import (
    Action,
    find_night,
    find_payment,
    find_plan,
    require,
    require_to_pay_for,
)
from league.closing import payments as closing_payments
from league.closing.notifications import sentence
from league.models import (
    LONGEST_REASON,
    MOST_CHIPS,
    Payment,
    PaymentPlan,
    PaymentStep,
    PlannedPayment,
)

MOST_PLACES = 32_767


class PaymentStepSerializer(RowSerializer[PaymentStep]):
    created_at = created_field()

    class Meta:
        model = PaymentStep
        fields = ("number", "state", "note", "created_at")


class PaymentSerializer(RowSerializer[Payment]):
    """A payment as a user reported it, with all its steps."""

    payment_plan = serializers.UUIDField(source="planned.plan_id", read_only=True)
    position = serializers.IntegerField(source="planned.position", read_only=True)
    payer = serializers.UUIDField(source="planned.payer_id", read_only=True)
    payer_name = name_field("planned.payer")
    payee = serializers.UUIDField(source="planned.payee_id", read_only=True)
    payee_name = name_field("planned.payee")
    cash_box = CashBoxField("planned")
    money = serializers.SerializerMethodField()
    created_at = created_field()
    steps = serializers.SerializerMethodField()

    class Meta:
        model = Payment
        fields = (
            *("id", "payment_plan", "position", "payer", "payer_name", "payee", "payee_name"),
            *("cash_box", "chips", "money", "state", "created_at", "steps"),
        )

    @extend_schema_field(MoneySerializer)
    def get_money(self, payment: Payment) -> dict[str, Any]:
        return money_of(payment.chips, payment.planned.plan)

    @extend_schema_field(PaymentStepSerializer(many=True))
    def get_steps(self, payment: Payment) -> Any:
        steps = sorted(payment.steps.all(), key=lambda each: each.number)
        return PaymentStepSerializer(steps, many=True).data


class PlannedPaymentFields:
    """The computed fields that all serializers of planned payments share."""

    @extend_schema_field(MoneySerializer)
    def get_money(self, planned: PlannedPayment) -> dict[str, Any]:
        return money_of(planned.chips, planned.plan)

    @extend_schema_field(MoneySerializer)
    def get_open_money(self, planned: PlannedPayment) -> dict[str, Any]:
        return money_of(planned.open_chips(), planned.plan)

    def get_why(self, planned: PlannedPayment) -> str:
        return sentence(planned)


class PlannedPaymentSerializer(PlannedPaymentFields, RowSerializer[PlannedPayment]):
    """A planned payment. `open_chips` are not confirmed yet. `why` is a sentence.

    `replaced_chips` were not sent, and a later plan contains them instead.
    """

    payer_name = serializers.CharField(source="payer.name", read_only=True)
    payee_name = serializers.CharField(source="payee.name", read_only=True)
    cash_box = CashBoxField()
    money = serializers.SerializerMethodField()
    replaced_chips = serializers.IntegerField(read_only=True)
    open_chips = serializers.IntegerField(read_only=True)
    open_money = serializers.SerializerMethodField()
    why = serializers.SerializerMethodField()
    payments = serializers.SerializerMethodField()

    class Meta:
        model = PlannedPayment
        fields = (
            "position",
            "payer",
            "payer_name",
            "payee",
            "payee_name",
            "cash_box",
            "chips",
            "money",
            "replaced_chips",
            "open_chips",
            "open_money",
            "why",
            "payments",
        )

    @extend_schema_field(PaymentSerializer(many=True))
    def get_payments(self, planned: PlannedPayment) -> Any:
        made = sorted(planned.paid.all(), key=lambda each: (each.made_at, each.pk))
        return PaymentSerializer(made, many=True).data


class PaymentPlanSerializer(RowSerializer[PaymentPlan]):
    """The fewest payments that settle a closing or, without a `night`, a season's tab."""

    night = serializers.SerializerMethodField()
    reason = serializers.SerializerMethodField()
    created_at = created_field()
    planned_payments = serializers.SerializerMethodField()

    class Meta:
        model = PaymentPlan
        fields = (
            "id",
            "season",
            "night",
            "closing",
            "reason",
            "chip_value",
            "currency",
            "created_at",
            "planned_payments",
        )

    def get_night(self, plan: PaymentPlan) -> UUID | None:
        return plan.closing.night_id if plan.closing else None

    def get_reason(self, plan: PaymentPlan) -> str:
        return plan.closing.reason if plan.closing else ""

    @extend_schema_field(PlannedPaymentSerializer(many=True))
    def get_planned_payments(self, plan: PaymentPlan) -> Any:
        planned = sorted(plan.payments.all(), key=lambda each: each.position)
        return PlannedPaymentSerializer(planned, many=True).data


class PaymentInputSerializer(InputSerializer):
    """A payment in a plan. `position` is the planned payment's position.

    `received` is true if the payee confirms that the money has arrived.
    """

    id = Id()
    position = StrictInteger(min_value=0, max_value=MOST_PLACES)
    chips = StrictInteger(min_value=1, max_value=MOST_CHIPS)
    received = StrictBoolean(default=False)
    note = Text(default="", allow_blank=True, max_length=LONGEST_REASON)


class PaymentNoteInputSerializer(InputSerializer):
    note = Text(default="", allow_blank=True, max_length=LONGEST_REASON)


def with_names(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    """Return the payments with their steps, players and plans."""
    rows = payments.select_related("planned__plan", "planned__payer", "planned__payee")
    return rows.prefetch_related("steps")


def with_payments(plans: QuerySet[PaymentPlan]) -> QuerySet[PaymentPlan]:
    """Return the plans with their payments, using a fixed number of queries."""
    planned = PlannedPayment.objects.select_related("payer", "payee", "plan__closing")
    paid = with_names(Payment.objects.all())
    whole = plans.select_related("closing").order_by("made_at", "pk")
    return whole.prefetch_related(
        Prefetch("payments", planned.prefetch_related("replacements", Prefetch("paid", paid)))
    )


class NightPlans(ListResource[PaymentPlan]):
    """A night's payment plans: one for its closing and one for each later correction.

    If the season was settled before a correction, the correction's plan is one of the season's.
    """

    operation_id = "list_night_payment_plans"
    serializer_class = PaymentPlanSerializer
    pagination_class = paging.ByCreation
    queryset = PaymentPlan.objects.none()

    def get_queryset(self) -> QuerySet[PaymentPlan]:
        night = find_night(self.visitor, Action.VIEW, self.kwargs["night_id"])
        return with_payments(PaymentPlan.objects.filter(closing__night=night))


class PlanDetail(Resource):
    @operation("get_payment_plan", "A payment plan, with the payments made", PaymentPlanSerializer)
    def get(self, request: Request, plan_id: UUID) -> Response:
        plan = find_plan(self.visitor, plan_id)
        plan = with_payments(PaymentPlan.objects.filter(pk=plan.pk)).get()
        return Response(self.serialize(PaymentPlanSerializer, plan))


class PlanPayments(Resource):
    @operation(
        "record_payment",
        "Promise a payment or confirm that it has arrived, once for each id",
        PaymentSerializer,
        body=PaymentInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, plan_id: UUID) -> Response:
        plan = find_plan(self.visitor, plan_id)
        require(self.visitor, Action.VIEW, plan.season.league)
        body = self.validated_body(PaymentInputSerializer)
        planned = plan.payments.filter(position=body["position"]).first()
        if planned is None:
            raise Http404
        payment = self._paid(planned, body)
        at = reverse("api:payment", args=[payment.pk])
        body, status = _payment_body(self, payment), status_of(payment)
        return Response(body, status=status, headers={"Location": at})

    def _paid(self, planned: PlannedPayment, body: dict[str, Any]) -> Payment:
        league = planned.plan.season.league
        speaker = planned.payee if body["received"] else planned.payer
        require_to_pay_for(self.visitor, speaker, league)
        if body["received"]:
            return closing_payments.receive(planned, body["id"], body["chips"], by=self.user)
        note = body["note"]
        return closing_payments.promise(planned, body["id"], body["chips"], by=self.user, note=note)


class PaymentDetail(Resource):
    @operation("get_payment", "A payment with all its steps", PaymentSerializer)
    def get(self, request: Request, payment_id: UUID) -> Response:
        return Response(_payment_body(self, find_payment(self.visitor, payment_id)))


class PaymentConfirm(Resource):
    @operation(
        "confirm_payment",
        ("Confirm that the payment has arrived, which moves the chips between the tabs"),
        PaymentSerializer,
    )
    @idempotent
    def post(self, request: Request, payment_id: UUID) -> Response:
        return _answered(self, payment_id, closing_payments.confirm)


class PaymentDispute(Resource):
    @operation(
        "dispute_payment",
        "Report that the payment has not arrived",
        PaymentSerializer,
        body=PaymentNoteInputSerializer,
    )
    @idempotent
    def post(self, request: Request, payment_id: UUID) -> Response:
        return _answered(
            self,
            payment_id,
            closing_payments.dispute,
            **self.validated_body(PaymentNoteInputSerializer),
        )


class PaymentWithdraw(Resource):
    @operation(
        "withdraw_payment",
        "Withdraw your own promise, what you just received or, as a host, any payment",
        PaymentSerializer,
        body=PaymentNoteInputSerializer,
    )
    @idempotent
    def post(self, request: Request, payment_id: UUID) -> Response:
        payment = find_payment(self.visitor, payment_id)
        if not closing_payments.may_withdraw_payment(self.visitor, payment):
            raise PermissionDenied
        taken = closing_payments.withdraw(
            payment, by=self.user, **self.validated_body(PaymentNoteInputSerializer)
        )
        return Response(_payment_body(self, taken))


def _answered(
    view: Resource, payment_id: UUID, answer: Callable[..., Payment], **details: Any
) -> Response:
    payment = find_payment(view.visitor, payment_id)
    require_to_pay_for(view.visitor, payment.planned.payee, payment.planned.plan.season.league)
    return Response(_payment_body(view, answer(payment, by=view.user, **details)))


def _payment_body(view: Resource, payment: Payment) -> Any:
    rows = with_names(Payment.objects.all())
    return view.serialize(PaymentSerializer, rows.get(pk=payment.pk))

"""Payment plans, payments and users' payment methods.

`league.closing` writes plans and payments. `league.payment_methods` writes payment methods.
"""

from datetime import timedelta
from uuid import UUID, uuid5

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.models.closing import Closing
from league.models.nights import Season
from league.models.people import Player, User
from league.models.shared import LONGEST_REASON, ClientKeyed

# The kinds described in `payment_methods.kinds`.
WAYS_TO_BE_PAID = tuple(
    (
        "iban paypal revolut wise venmo cash-app upi twint bizum"
        " zelle interac swish vipps mobilepay blik payid"
    ).split()
)


class PaymentPlan(ClientKeyed):
    """The payments that settle a closing or, with a running tab, a season's open balances.

    All chips in a plan have the same value. Payments below `waits_below` chips wait for the next
    plan.
    """

    id = models.UUIDField(primary_key=True)
    season = models.ForeignKey(Season, models.PROTECT, related_name="plans")
    closing = models.OneToOneField(Closing, models.PROTECT, null=True, related_name="plan")
    chip_value = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    waits_below = models.BigIntegerField(default=0, db_default=0)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        db_table = "league_plan"

    def __str__(self) -> str:
        return f"plan of {self.closing or self.season}"

    @staticmethod
    def id_of(closing: UUID) -> UUID:
        """Return the id of the closing's plan. A correction's plan can belong to the season."""
        return uuid5(closing, "plan")


class PlannedPayment(models.Model):
    """A payment in a plan. It never changes, whether it is paid, or replaced by a later plan.

    `lost` is the payer's debt, and `won` is the payee's credit. Both explain the payment.
    """

    plan = models.ForeignKey(PaymentPlan, models.PROTECT, related_name="payments", db_index=False)
    position = models.PositiveSmallIntegerField()
    payer = models.ForeignKey(Player, models.PROTECT, related_name="to_pay")
    payee = models.ForeignKey(Player, models.PROTECT, related_name="to_get")
    chips = models.BigIntegerField()
    lost = models.BigIntegerField()
    won = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["plan", "position"], name="league_planned_payment_once"
            ),
            models.CheckConstraint(
                condition=Q(chips__gte=1) & ~Q(payer=F("payee")),
                name="league_planned_payment_is_one",
            ),
        )

    def __str__(self) -> str:
        return f"{self.payer} pays {self.payee} {self.chips}"

    @property
    def due(self) -> int:
        """The chips that no later plan has replaced. They are paid or still to be paid."""
        return self.chips - sum(each.chips for each in self.replacements.all())

    @property
    def replaced_chips(self) -> int:
        return self.chips - self.due

    def open_chips(self, *states: str) -> int:
        """Return the chips that neither payments in `states` nor later plans cover.

        By default, these are the chips whose receipt is not confirmed.
        """
        states = states or (Payment.State.CONFIRMED,)
        return self.due - sum(each.chips for each in self.paid.all() if each.state in states)

    @property
    def sent_chips(self) -> int:
        """The chips that were reported as sent and that the payee has not confirmed or disputed."""
        states = Payment.State
        return self.open_chips() - self.open_chips(states.CONFIRMED, states.PROMISED)


class PaymentReplacement(models.Model):
    """Chips of a planned payment that a later plan has replaced, because they were not sent."""

    plan = models.ForeignKey(
        PaymentPlan, models.PROTECT, related_name="replacements", db_index=False
    )
    planned = models.ForeignKey(PlannedPayment, models.PROTECT, related_name="replacements")
    chips = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["plan", "planned"], name="league_replacement_once"),
            models.CheckConstraint(
                condition=Q(chips__gte=1), name="league_replacement_is_positive"
            ),
        )

    def __str__(self) -> str:
        return f"{self.chips} of {self.planned}"


class Payment(ClientKeyed):
    """A reported payment of all or part of a planned payment.

    When the payment is confirmed, its chips move between the tabs. Every step stays visible.
    """

    class State(models.TextChoices):
        PROMISED = "promised"
        CONFIRMED = "confirmed"
        DISPUTED = "disputed"
        WITHDRAWN = "withdrawn"

    id = models.UUIDField(primary_key=True)
    planned = models.ForeignKey(PlannedPayment, models.PROTECT, related_name="paid")
    chips = models.BigIntegerField()
    state = models.CharField(max_length=20, choices=State, default=State.PROMISED)
    posting = models.OneToOneField(
        "ledger.Posting", models.PROTECT, null=True, related_name="payment"
    )
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(chips__gte=1), name="league_payment_is_positive"),
        )

    def __str__(self) -> str:
        return f"{self.chips} of {self.planned}"


# Steps of one payment by the same user within this time were one tap.
ONE_ACT = timedelta(seconds=1)


class PaymentStepQuerySet(models.QuerySet["PaymentStep"]):
    def visible(self) -> "PaymentStepQuerySet":
        """Return the steps without the first one of payments that payees marked as received.

        Such a payment has two steps, but the payee did not send anything.
        """
        receipt = PaymentStep.objects.annotate(user=Coalesce("made_by", 0)).filter(
            payment=OuterRef("payment"),
            number=2,
            state=Payment.State.CONFIRMED,
            user=Coalesce(OuterRef("made_by"), 0),  # both are empty after an erasure
            made_at__lt=OuterRef("made_at") + ONE_ACT,
        )
        return self.exclude(Exists(receipt), number=1)


class PaymentStep(models.Model):
    """A change in a payment's state, with its author and time."""

    payment = models.ForeignKey(Payment, models.PROTECT, related_name="steps", db_index=False)
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=20, choices=Payment.State)
    note = models.CharField(max_length=LONGEST_REASON, blank=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = PaymentStepQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["payment", "number"], name="league_payment_step_once"),
        )

    def __str__(self) -> str:
        return f"{self.payment}: {self.state}"


class PaymentMethod(models.Model):
    """A user's payment method, of a kind in `payment_methods.kinds`.

    Payment methods belong to the account, not to a league. `handle` and `holder` are encrypted,
    because only users with a planned payment to the owner may see them.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="payment_methods")
    kind = models.CharField(max_length=20, choices=[(each, each) for each in WAYS_TO_BE_PAID])
    handle = models.TextField()
    holder = models.TextField(blank=True)
    position = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(kind__in=WAYS_TO_BE_PAID), name="league_payment_method_is_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.user}"

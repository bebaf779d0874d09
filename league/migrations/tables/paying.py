"""Plans, payments, and letters and jobs that wait."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name="ClosingJob",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("due_at", models.DateTimeField()),
            ("leased_until", models.DateTimeField(null=True)),
            ("lease", models.UUIDField(null=True)),
            ("tries", models.PositiveIntegerField(default=0)),
            ("done_at", models.DateTimeField(null=True)),
            ("asks", models.CharField(blank=True, max_length=40)),
            ("asked", models.PositiveIntegerField(default=0)),
            (
                "night",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="closing_job",
                    to="league.night",
                ),
            ),
        ],
        options={
            "indexes": [
                models.Index(
                    condition=models.Q(("done_at", None)),
                    fields=["due_at"],
                    name="league_closing_jobs_waiting",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="Letter",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("due_at", models.DateTimeField()),
            ("leased_until", models.DateTimeField(null=True)),
            ("lease", models.UUIDField(null=True)),
            ("tries", models.PositiveIntegerField(default=0)),
            ("done_at", models.DateTimeField(null=True)),
            ("key", models.CharField(max_length=200, unique=True)),
            ("to", models.CharField(max_length=254)),
            ("subject", models.CharField(max_length=200)),
            ("body", models.TextField()),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
        ],
        options={
            "indexes": [
                models.Index(
                    condition=models.Q(("done_at", None)),
                    fields=["due_at"],
                    name="league_letters_waiting",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="Payment",
        fields=[
            ("id", models.UUIDField(primary_key=True, serialize=False)),
            ("chips", models.BigIntegerField()),
            (
                "state",
                models.CharField(
                    choices=[
                        ("promised", "Promised"),
                        ("confirmed", "Confirmed"),
                        ("disputed", "Disputed"),
                        ("withdrawn", "Withdrawn"),
                    ],
                    default="promised",
                    max_length=20,
                ),
            ),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "posting",
                models.OneToOneField(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="payment",
                    to="ledger.posting",
                ),
            ),
            (
                "planned",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="paid",
                    to="league.plannedpayment",
                ),
            ),
        ],
        options={
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("chips__gte", 1)), name="league_payment_is_positive"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="PaymentStep",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("number", models.PositiveSmallIntegerField()),
            (
                "state",
                models.CharField(
                    choices=[
                        ("promised", "Promised"),
                        ("confirmed", "Confirmed"),
                        ("disputed", "Disputed"),
                        ("withdrawn", "Withdrawn"),
                    ],
                    max_length=20,
                ),
            ),
            ("note", models.CharField(blank=True, max_length=500)),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "made_by",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
            (
                "payment",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="steps",
                    to="league.payment",
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    fields=("payment", "number"), name="league_payment_step_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="Plan",
        fields=[
            ("id", models.UUIDField(primary_key=True, serialize=False)),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "closing",
                models.OneToOneField(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="plan",
                    to="league.closing",
                ),
            ),
            (
                "made_by",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
            (
                "season",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="plans",
                    to="league.season",
                ),
            ),
            ("chip_value", models.BigIntegerField()),
            ("currency", models.CharField(max_length=3)),
        ],
    ),
    migrations.CreateModel(
        name="PlannedPayment",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("position", models.PositiveSmallIntegerField()),
            ("chips", models.BigIntegerField()),
            ("lost", models.BigIntegerField()),
            ("won", models.BigIntegerField()),
            (
                "payee",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="to_get",
                    to="league.player",
                ),
            ),
            (
                "payer",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="to_pay",
                    to="league.player",
                ),
            ),
            (
                "plan",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="payments",
                    to="league.plan",
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    fields=("plan", "position"), name="league_planned_payment_once"
                ),
                models.CheckConstraint(
                    condition=models.Q(
                        ("chips__gte", 1), models.Q(("payer", models.F("payee")), _negated=True)
                    ),
                    name="league_planned_payment_is_one",
                ),
            ],
        },
    ),
]

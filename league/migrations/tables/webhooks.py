"""Events, webhooks and deliveries."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import league.models.webhooks

TABLES = [
    migrations.CreateModel(
        name="Event",
        fields=[
            ("sequence", models.BigAutoField(primary_key=True, serialize=False)),
            ("id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("hand.settled", "Hand Settled"),
                        ("hand.revised", "Hand Revised"),
                        ("hand.voided", "Hand Voided"),
                        ("night.closed", "Night Closed"),
                        ("payment.confirmed", "Payment Confirmed"),
                        ("ping", "Ping"),
                    ],
                    max_length=40,
                ),
            ),
            ("data", models.JSONField()),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "league",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="events",
                    to="league.league",
                ),
            ),
        ],
    ),
    migrations.CreateModel(
        name="Webhook",
        fields=[
            (
                "id",
                models.UUIDField(
                    default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("url", models.CharField(max_length=2000)),
            ("note", models.CharField(blank=True, max_length=60)),
            ("events", models.JSONField(default=league.models.webhooks.all_events)),
            ("salt", models.CharField(max_length=64)),
            ("old_salt", models.CharField(blank=True, max_length=64)),
            ("old_until", models.DateTimeField(blank=True, null=True)),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("failing_since", models.DateTimeField(blank=True, null=True)),
            ("disabled_at", models.DateTimeField(blank=True, null=True)),
            ("retired_at", models.DateTimeField(blank=True, null=True)),
            (
                "league",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="webhooks",
                    to="league.league",
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
        ],
    ),
    migrations.CreateModel(
        name="Delivery",
        fields=[
            ("due_at", models.DateTimeField()),
            ("leased_until", models.DateTimeField(null=True)),
            ("lease", models.UUIDField(null=True)),
            ("tries", models.PositiveIntegerField(default=0)),
            ("done_at", models.DateTimeField(null=True)),
            (
                "id",
                models.UUIDField(
                    default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                ),
            ),
            (
                "outcome",
                models.CharField(
                    blank=True,
                    choices=[("delivered", "Delivered"), ("given-up", "Given Up")],
                    max_length=20,
                ),
            ),
            (
                "event",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="deliveries",
                    to="league.event",
                ),
            ),
            (
                "hook",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="deliveries",
                    to="league.webhook",
                ),
            ),
        ],
        options={
            "verbose_name_plural": "deliveries",
            "indexes": [
                models.Index(
                    condition=models.Q(("done_at", None)),
                    fields=["due_at"],
                    name="league_deliveries_waiting",
                )
            ],
            "constraints": [
                models.UniqueConstraint(fields=("hook", "event"), name="league_delivery_once")
            ],
        },
    ),
    migrations.CreateModel(
        name="DeliveryTry",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("number", models.PositiveIntegerField()),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("status", models.PositiveSmallIntegerField(null=True)),
            ("milliseconds", models.PositiveIntegerField()),
            ("said", models.TextField(blank=True)),
            (
                "delivery",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="log",
                    to="league.delivery",
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(fields=("delivery", "number"), name="league_try_once")
            ],
        },
    ),
]

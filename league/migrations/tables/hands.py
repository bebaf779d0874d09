"""Hands, what was recorded of them, and links to them."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name="GameDocument",
        fields=[
            ("hash", models.CharField(max_length=64, primary_key=True, serialize=False)),
            ("slug", models.CharField(blank=True, max_length=200)),
            ("name", models.CharField(max_length=200)),
            ("document", models.JSONField()),
        ],
    ),
    migrations.CreateModel(
        name="Hand",
        fields=[
            ("id", models.UUIDField(primary_key=True, serialize=False)),
            ("number", models.PositiveIntegerField()),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("voided", models.BooleanField(default=False)),
            (
                "night",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="hands",
                    to="league.night",
                ),
            ),
            ("origin", models.CharField(blank=True, editable=False, max_length=40)),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(fields=("night", "number"), name="league_hand_number_once")
            ],
        },
    ),
    migrations.CreateModel(
        name="Revision",
        fields=[
            ("id", models.UUIDField(primary_key=True, serialize=False)),
            ("number", models.PositiveIntegerField()),
            ("current", models.BooleanField(default=True)),
            ("voids", models.BooleanField(default=False)),
            (
                "depth",
                models.CharField(
                    choices=[("result", "Result"), ("showdown", "Showdown"), ("full", "Full")],
                    max_length=20,
                ),
            ),
            ("record", models.JSONField()),
            ("answer", models.JSONField()),
            ("names", models.JSONField()),
            ("carried", models.BigIntegerField(default=0)),
            ("carry", models.BigIntegerField(default=0)),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("reason", models.CharField(blank=True, max_length=500)),
            (
                "document",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="revisions",
                    to="league.gamedocument",
                ),
            ),
            (
                "hand",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="revisions",
                    to="league.hand",
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
                "posting",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="revision",
                    to="ledger.posting",
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    fields=("hand", "number"), name="league_revision_number_once"
                ),
                models.UniqueConstraint(
                    condition=models.Q(("current", True)),
                    fields=("hand",),
                    name="league_revision_current_once",
                ),
                models.CheckConstraint(
                    condition=models.Q(("carried__gte", 0), ("carry__gte", 0)),
                    name="league_revision_carries_chips",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="StaleMark",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "hand",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="stale_marks",
                    to="league.hand",
                ),
            ),
            (
                "league",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="stale_marks",
                    to="league.league",
                ),
            ),
            (
                "revision",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="league.revision",
                ),
            ),
        ],
    ),
    migrations.CreateModel(
        name="HandLink",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("token_hash", models.CharField(max_length=64, unique=True)),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("revoked_at", models.DateTimeField(null=True)),
            (
                "hand",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="links",
                    to="league.hand",
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
]

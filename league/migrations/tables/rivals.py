"""Hands told differently by two phones."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name="Rival",
        fields=[
            ("id", models.UUIDField(primary_key=True, serialize=False)),
            ("origin", models.CharField(max_length=40)),
            ("number", models.PositiveIntegerField()),
            (
                "state",
                models.CharField(
                    choices=[
                        ("merged", "Merged"),
                        ("waiting", "Waiting"),
                        ("refused", "Refused"),
                        ("taken", "Taken"),
                        ("dealt", "Dealt"),
                    ],
                    max_length=20,
                ),
            ),
            ("record", models.JSONField()),
            ("answer", models.JSONField()),
            ("names", models.JSONField()),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("decided_at", models.DateTimeField(null=True)),
            (
                "decided_by",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
            (
                "document",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="league.gamedocument",
                ),
            ),
            (
                "hand",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="rivals",
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
                "night",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="rivals",
                    to="league.night",
                ),
            ),
        ],
    ),
]

"""Erasures and the logbook."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name="Erasure",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
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
                "player",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="erasures",
                    to="league.player",
                ),
            ),
        ],
    ),
    migrations.CreateModel(
        name="LogbookEntry",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("signed-in", "Signed In"),
                        ("wrong-password", "Wrong Password"),
                        ("locked-out", "Locked Out"),
                        ("token-made", "Token Made"),
                        ("token-ended", "Token Ended"),
                        ("link-made", "Link Made"),
                        ("link-ended", "Link Ended"),
                        ("role-changed", "Role Changed"),
                        ("member-removed", "Member Removed"),
                        ("code-renewed", "Code Renewed"),
                        ("phone-signed-out", "Phone Signed Out"),
                        ("options-changed", "Options Changed"),
                        ("imported", "Imported"),
                        ("season-imported", "Season Imported"),
                        ("audit-failed", "Audit Failed"),
                    ],
                    max_length=40,
                ),
            ),
            ("about", models.JSONField(default=dict)),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "league",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="logbook",
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
            (
                "of",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
        ],
        options={
            "verbose_name_plural": "logbook entries",
            "indexes": [
                models.Index(fields=["league", "-made_at"], name="league_logbook_in_order"),
                models.Index(fields=["made_by", "-made_at"], name="league_logbook_of_user"),
            ],
        },
    ),
]

"""Games that leagues write, and odds."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name="HouseGame",
        fields=[
            (
                "id",
                models.UUIDField(
                    default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("slug", models.CharField(max_length=200)),
            ("name", models.CharField(max_length=200)),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("retired_at", models.DateTimeField(blank=True, null=True)),
            (
                "league",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="house_games",
                    to="league.league",
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    fields=("league", "slug"), name="league_house_game_slug_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="HouseGameVersion",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("number", models.PositiveIntegerField()),
            ("text", models.TextField()),
            ("written_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "document",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="versions",
                    to="league.gamedocument",
                ),
            ),
            (
                "game",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="versions",
                    to="league.housegame",
                ),
            ),
            (
                "written_by",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    fields=("game", "number"), name="league_house_game_version_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="Odds",
        fields=[
            ("deal", models.CharField(max_length=64, primary_key=True, serialize=False)),
            ("wanted", models.JSONField()),
            (
                "state",
                models.CharField(
                    choices=[("wanted", "Wanted"), ("found", "Found"), ("failed", "Failed")],
                    default="wanted",
                    max_length=20,
                ),
            ),
            ("found", models.JSONField(blank=True, null=True)),
            ("tries", models.PositiveSmallIntegerField(default=0)),
            ("asked_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("leased_until", models.DateTimeField(blank=True, null=True)),
        ],
        options={
            "verbose_name_plural": "odds",
            "indexes": [
                models.Index(
                    condition=models.Q(("state", "wanted")),
                    fields=["asked_at"],
                    name="league_odds_due",
                )
            ],
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("found__isnull", False), ("state", "found")),
                        models.Q(
                            models.Q(("state", "found"), _negated=True), ("found__isnull", True)
                        ),
                        _connector="OR",
                    ),
                    name="league_odds_are_found",
                )
            ],
        },
    ),
]

"""What the stats keep of hands, and their charts."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name="Luck",
        fields=[
            (
                "revision",
                models.OneToOneField(
                    editable=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    primary_key=True,
                    related_name="luck",
                    serialize=False,
                    to="league.revision",
                ),
            ),
            ("deals", models.PositiveIntegerField()),
            ("shares", models.JSONField()),
        ],
    ),
    migrations.CreateModel(
        name="StatsState",
        fields=[
            (
                "league",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.CASCADE,
                    primary_key=True,
                    related_name="stats_state",
                    serialize=False,
                    to="league.league",
                ),
            ),
            ("version", models.PositiveBigIntegerField(default=0)),
            ("rebuilt_at", models.DateTimeField(null=True)),
            ("checked_at", models.DateTimeField(null=True)),
            ("differences", models.PositiveIntegerField(default=0)),
            ("rebuilder", models.UUIDField(null=True)),
            ("rebuilding_until", models.DateTimeField(null=True)),
        ],
    ),
    migrations.CreateModel(
        name="HandFact",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("number", models.PositiveIntegerField()),
            ("revised", models.PositiveIntegerField()),
            ("played_at", models.DateTimeField()),
            ("game", models.CharField(max_length=200)),
            ("verified", models.BooleanField()),
            ("voided", models.BooleanField()),
            ("pot", models.BigIntegerField()),
            ("carried", models.BigIntegerField()),
            ("carry", models.BigIntegerField()),
            ("showdown", models.BooleanField()),
            ("best", models.BigIntegerField(null=True)),
            ("beat", models.BigIntegerField(null=True)),
            ("scoop", models.BigIntegerField()),
            ("mistaken", models.BooleanField()),
            ("moved", models.BigIntegerField()),
            ("flows", models.TextField()),
            (
                "luck",
                models.PositiveSmallIntegerField(choices=[(0, "None"), (1, "Waits"), (2, "Found")]),
            ),
            (
                "dealer",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="league.player",
                ),
            ),
            (
                "hand",
                models.OneToOneField(
                    db_constraint=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="fact",
                    to="league.hand",
                ),
            ),
            (
                "league",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="league.league",
                ),
            ),
            (
                "night",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="league.night",
                ),
            ),
            (
                "revision",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="league.revision",
                ),
            ),
            (
                "season",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="league.season",
                ),
            ),
        ],
        options={
            "indexes": [
                models.Index(fields=["league", "id"], name="league_facts_in_order"),
                models.Index(fields=["night", "played_at"], name="league_facts_of_night"),
                models.Index(fields=["season", "verified", "pot"], name="league_facts_by_pot"),
                models.Index(
                    condition=models.Q(("best__isnull", False)),
                    fields=["season", "game", "best"],
                    name="league_facts_by_best",
                ),
                models.Index(
                    condition=models.Q(("beat__isnull", False)),
                    fields=["season", "beat"],
                    name="league_facts_by_beat",
                ),
                models.Index(
                    condition=models.Q(("scoop__gt", 0)),
                    fields=["season", "scoop"],
                    name="league_facts_by_scoop",
                ),
                models.Index(
                    condition=models.Q(("luck", 1)),
                    fields=["league"],
                    name="league_facts_luck_waits",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Result",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("position", models.PositiveSmallIntegerField()),
            ("put", models.BigIntegerField()),
            ("won", models.BigIntegerField()),
            ("net", models.BigIntegerField()),
            ("showdown", models.BooleanField()),
            ("won_high", models.BooleanField(null=True)),
            ("won_low", models.BooleanField(null=True)),
            ("scooped", models.BooleanField(null=True)),
            ("declared", models.CharField(blank=True, max_length=20)),
            ("was_right", models.BooleanField(null=True)),
            ("moved", models.BigIntegerField()),
            (
                "fact",
                models.ForeignKey(
                    db_constraint=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="results",
                    to="league.handfact",
                ),
            ),
            (
                "player",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="league.player",
                ),
            ),
        ],
        options={
            "indexes": [models.Index(fields=["player", "won"], name="league_results_by_won")],
        },
    ),
    migrations.CreateModel(
        name="Drawing",
        fields=[
            ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
            ("words", models.TextField()),
            ("sizes", models.JSONField()),
            ("documents", models.JSONField()),
            ("pictures", models.JSONField(blank=True, null=True)),
            (
                "state",
                models.CharField(
                    choices=[("wanted", "Wanted"), ("found", "Found"), ("failed", "Failed")],
                    default="wanted",
                    max_length=20,
                ),
            ),
            ("tries", models.PositiveSmallIntegerField(default=0)),
            ("asked_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("leased_until", models.DateTimeField(blank=True, null=True)),
            (
                "league",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="league.league",
                ),
            ),
        ],
        options={
            "indexes": [
                models.Index(fields=["league", "asked_at"], name="league_drawings_by_age"),
                models.Index(
                    condition=models.Q(("state", "wanted")),
                    fields=["asked_at"],
                    name="league_drawings_due",
                ),
            ],
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("pictures__isnull", False), ("state", "found")),
                        models.Q(
                            models.Q(("state", "found"), _negated=True), ("pictures__isnull", True)
                        ),
                        _connector="OR",
                    ),
                    name="league_drawing_is_found",
                )
            ],
        },
    ),
]

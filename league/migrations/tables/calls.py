"""What the stats count of dealers, declares and pairs of players."""

import django.db.models.deletion
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name="CallTally",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("verified", models.BooleanField()),
            ("hands", models.BigIntegerField()),
            ("game", models.CharField(max_length=200)),
            ("net", models.BigIntegerField()),
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
                "player",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="league.player",
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
            "abstract": False,
            "constraints": [
                models.UniqueConstraint(
                    fields=("season", "verified", "dealer", "game", "player"),
                    name="league_call_tally_once",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="DealerTally",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("verified", models.BooleanField()),
            ("hands", models.BigIntegerField()),
            ("game", models.CharField(max_length=200)),
            ("pot", models.BigIntegerField()),
            ("carried", models.BigIntegerField()),
            ("carry", models.BigIntegerField()),
            ("carries", models.BigIntegerField()),
            ("showdowns", models.BigIntegerField()),
            ("mistakes", models.BigIntegerField()),
            ("moved", models.BigIntegerField()),
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
            "abstract": False,
            "constraints": [
                models.UniqueConstraint(
                    fields=("season", "verified", "dealer", "game"), name="league_dealer_tally_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="DeclareTally",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("verified", models.BooleanField()),
            ("hands", models.BigIntegerField()),
            ("way", models.CharField(max_length=20)),
            ("net", models.BigIntegerField()),
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
            ("times_right", models.BigIntegerField()),
        ],
        options={
            "abstract": False,
            "constraints": [
                models.UniqueConstraint(
                    fields=("season", "verified", "player", "way"), name="league_declare_tally_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="FlowTally",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("verified", models.BooleanField()),
            ("hands", models.BigIntegerField()),
            ("chips", models.BigIntegerField()),
            (
                "loser",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="league.player",
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
            (
                "winner",
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
            "abstract": False,
            "constraints": [
                models.UniqueConstraint(
                    fields=("season", "verified", "loser", "winner"), name="league_flow_tally_once"
                )
            ],
        },
    ),
]

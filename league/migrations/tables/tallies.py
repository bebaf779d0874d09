"""What the stats count of a player."""

import django.db.models.deletion
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name="LuckTally",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("verified", models.BooleanField()),
            ("hands", models.BigIntegerField()),
            ("won", models.BigIntegerField()),
            ("expected", models.BigIntegerField()),
            ("variance", models.BigIntegerField()),
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
                    fields=("season", "verified", "player"), name="league_luck_tally_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="NightTally",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("verified", models.BooleanField()),
            ("hands", models.BigIntegerField()),
            ("net", models.BigIntegerField()),
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
                    fields=("season", "verified", "night", "player"), name="league_night_tally_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="PlayerTally",
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
            ("put", models.BigIntegerField()),
            ("won", models.BigIntegerField()),
            ("showdowns", models.BigIntegerField()),
            ("showdowns_won", models.BigIntegerField()),
            ("highs", models.BigIntegerField()),
            ("highs_won", models.BigIntegerField()),
            ("lows", models.BigIntegerField()),
            ("lows_won", models.BigIntegerField()),
            ("splits", models.BigIntegerField()),
            ("scoops", models.BigIntegerField()),
            ("mistakes", models.BigIntegerField()),
            ("moved", models.BigIntegerField()),
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
                    fields=("season", "verified", "player", "game"), name="league_player_tally_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="SeatTally",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("verified", models.BooleanField()),
            ("hands", models.BigIntegerField()),
            ("position", models.PositiveSmallIntegerField()),
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
        ],
        options={
            "abstract": False,
            "constraints": [
                models.UniqueConstraint(
                    fields=("season", "verified", "player", "position"),
                    name="league_seat_tally_once",
                )
            ],
        },
    ),
]
